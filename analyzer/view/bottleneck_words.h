/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe what limited a step. */
#ifndef SW_ANALYZER_BOTTLENECK_WORDS_H
#define SW_ANALYZER_BOTTLENECK_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/view/view.h"

/* Functions return buf; it may contain untrusted names of file systems. */

/*
 * Format one sentence: "Limited by I/O on /scratch: 71 % of the time was spent
 * waiting for it."; "" if too little was observed.
 */
char *sw_bottleneck_words(char *buf, size_t size, const struct sw_view *view);

/* For lists: "I/O on /scratch 71 %", "CPU 96 %", "mixed", "?". */
char *sw_bottleneck_brief(char *buf, size_t size, const struct sw_view *view);

/* " on /scratch" if most waits were for it, or "" */
char *sw_io_place_words(char *buf, size_t size, const struct sw_view_io *io);

enum { SW_LIMITS_PARTS_MAX = SW_LIMITED_BY_RESOURCES };

struct sw_limits_part {
	const char *words;	/* "CPU", "I/O" */
	unsigned number;	/* of the resource, below SW_LIMITS_PARTS_MAX */
	double ratio;
};

/* List all resources with a share, largest first; return their number. */
size_t sw_limits_parts(struct sw_limits_part parts[SW_LIMITS_PARTS_MAX],
		       const struct sw_view_limits *limits);

/* The same in words: "CPU 52 %, I/O 41 %, waiting 7 %", or "". */
char *sw_limits_words(char *buf, size_t size,
		      const struct sw_view_limits *limits);

/* "CPU", "I/O", "mixed". */
const char *sw_limited_by_words(enum sw_limited_by resource);

/*
 * Format "a timer (sleep) and for a lock": includes what other threads waited
 * for throughout, since it is not known which wait matters.
 */
char *sw_waits_words(char *buf, size_t size,
		     const struct sw_view_limits *limits, enum sw_limit limit);

/*
 * Format "it waited for a lock", "it was stopped by a signal, or suspended".
 * limits: include what other threads waited for, unless NULL.
 */
char *sw_wait_clause(char *buf, size_t size,
		     const struct sw_view_limits *limits, enum sw_limit limit);

/*
 * Return true if more memory could make I/O faster: files were read again, or,
 * if that is unknown, more was read from disks than its memory could keep.
 */
bool sw_may_cache_help(const struct sw_view *view);

/*
 * Return true if something other than CPUs held the step back for most of the
 * time, so that idle CPUs are the symptom and not the cause.
 */
bool sw_is_idle_explained(const struct sw_view *view);

#endif
