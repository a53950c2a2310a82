/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe the memory of a view. */
#ifndef SW_ANALYZER_MEMORY_WORDS_H
#define SW_ANALYZER_MEMORY_WORDS_H

#include <stddef.h>

#include "analyzer/view/view.h"

/*
 * Return the upper end of the need for reports: without page cache, which the
 * kernel can reclaim.  SW_MISSING if the observed peak is no upper end.
 */
uint64_t sw_need_upper_told(const struct sw_view_memory *memory);

/* A single number: "at most 4.5 GiB", "at least 3.0 GiB", "4.0 MiB". */
char *sw_need_words(char *buf, size_t size,
		    const struct sw_view_memory *memory);

/* The low end to go with it, "at least 1.2 MiB"; "" if it adds nothing. */
char *sw_need_least_words(char *buf, size_t size,
			  const struct sw_view_memory *memory);

/*
 * Format "up to 53.0 MiB were seen in memory" if the observed peak is no upper
 * end; otherwise "".
 */
char *sw_seen_words(char *buf, size_t size,
		    const struct sw_view_memory *memory);

/* Counter of the peak; "memory.peak" is one of cgroup v2. */
const char *sw_memory_peak_counter(const struct sw_view_memory *memory);

/*
 * Return the bytes of mapped files above the low end of the need, of which it
 * is not known if they were in use.
 */
uint64_t sw_mapped_unknown(const struct sw_view_memory *memory);

/* Parts of the upper end of the need; continues "a number that". */
char *sw_gap_words(char *buf, size_t size, const struct sw_view_memory *memory);

/* " of 4.0 GiB requested"; "" if there is nothing to compare with */
char *sw_reference_words(char *buf, size_t size,
			 const struct sw_view_memory *memory);

/* Reference for memory: request, or else limit, or else what is available. */
uint64_t sw_memory_reference(const struct sw_view_memory *memory,
			     const char **name);

#endif
