/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What limited a step, in words. */
#ifndef SW_ANALYZER_BOTTLENECK_WORDS_H
#define SW_ANALYZER_BOTTLENECK_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/view/view.h"

/* Each returns buf; names of file systems in it are hostile. */

/*
 * One sentence: "Limited by I/O on /scratch: 71 % of the time was spent
 * waiting for it."; "" where too little was observed.
 */
char *sw_bottleneck_words(char *buf, size_t size, const struct sw_view *view);

/* "I/O on /scratch 71 %", "CPU 96 %", "mixed", "?": in a list. */
char *sw_bottleneck_brief(char *buf, size_t size, const struct sw_view *view);

enum { SW_LIMITS_PARTS_MAX = SW_LIMITED_BY_RESOURCES };

struct sw_limits_part {
	const char *words;	/* "CPU", "I/O" */
	unsigned number;	/* of the resource, below SW_LIMITS_PARTS_MAX */
	double ratio;
};

/* All that counts, the largest first; returns how many. */
size_t sw_limits_parts(struct sw_limits_part parts[SW_LIMITS_PARTS_MAX],
		       const struct sw_view_limits *limits);

/* "CPU 52 %, I/O 41 %, waiting 7 %": the same in words; "" likewise. */
char *sw_limits_words(char *buf, size_t size,
		      const struct sw_view_limits *limits);

/* "a lock", "a pipe": what it waits for. */
const char *sw_limit_words(enum sw_limit limit);

/*
 * "a timer (sleep) and for a lock": with what other threads waited for all the
 * while, for which of them matters cannot be told.
 */
char *sw_waits_words(char *buf, size_t size,
		     const struct sw_view_limits *limits, enum sw_limit limit);

/*
 * "it waited for a lock", "it was stopped by a signal, or suspended"; limits:
 * with what other threads waited for, NULL: without.
 */
char *sw_wait_clause(char *buf, size_t size,
		     const struct sw_view_limits *limits, enum sw_limit limit);

/*
 * Whether more memory could make I/O faster: files were read again, or that is
 * not known, and more was read from disks than the step's memory could keep.
 */
bool sw_may_cache_help(const struct sw_view *view);

/*
 * Whether something else than the CPUs held the step back for most of the
 * time, so that idle CPUs are the symptom and not the cause.
 */
bool sw_is_idle_explained(const struct sw_view *view);

#endif
