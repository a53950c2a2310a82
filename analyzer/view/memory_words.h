/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a view says of memory, in words. */
#ifndef SW_ANALYZER_MEMORY_WORDS_H
#define SW_ANALYZER_MEMORY_WORDS_H

#include <stddef.h>

#include "analyzer/view/view.h"

/*
 * The upper end of the need as reports tell it: without page cache, which the
 * kernel takes back.  SW_MISSING where what was seen is no upper end.
 */
uint64_t sw_need_upper_told(const struct sw_view_memory *memory);

/* One number: "at most 4.5 GiB", "at least 3.0 GiB", "4.0 MiB". */
char *sw_need_words(char *buf, size_t size,
		    const struct sw_view_memory *memory);

/* The low end beside that, "at least 1.2 MiB"; "" where it says no more. */
char *sw_need_least_words(char *buf, size_t size,
			  const struct sw_view_memory *memory);

/*
 * "up to 53.0 MiB were seen in memory" where what was seen is no upper end;
 * else "".
 */
char *sw_seen_words(char *buf, size_t size,
		    const struct sw_view_memory *memory);

/* Which counter the peak was read from: "memory.peak" is one of cgroup v2. */
const char *sw_memory_peak_counter(const struct sw_view_memory *memory);

/*
 * Bytes above the low end of the need of which it cannot be told whether they
 * were in use: files that were mapped.
 */
uint64_t sw_mapped_unknown(const struct sw_view_memory *memory);

/* What the upper end of the need is made of, behind "a number that". */
char *sw_gap_words(char *buf, size_t size, const struct sw_view_memory *memory);

/* " of 4.0 GiB requested"; "" where there is nothing to compare with. */
char *sw_reference_words(char *buf, size_t size,
			 const struct sw_view_memory *memory);

/* What memory is held against: request, else limit, else what there is. */
uint64_t sw_memory_reference(const struct sw_view_memory *memory,
			     const char **name);

#endif
