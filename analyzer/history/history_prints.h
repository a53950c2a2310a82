/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fingerprints of past runs of a group. */
#ifndef SW_ANALYZER_HISTORY_PRINTS_H
#define SW_ANALYZER_HISTORY_PRINTS_H

#include "analyzer/compare/fingerprint.h"
#include "analyzer/history/history.h"

/* The end is as in the history, which may know it better than the recording. */
struct sw_history_print {
	struct sw_fingerprint print;
	char *job; /* "123_4" */
	double start_seconds, end_seconds;
};

struct sw_history_prints {
	struct sw_history_print *items; /* oldest first */
	size_t count;
};

/*
 * Read those of the newest runs of the group, up to limit, that ended before a
 * time (INFINITY: all).  Runs without a fingerprint, or with one that is
 * damaged or by a newer stepwell, are left out.  Return 0, or -1 with *error.
 */
int sw_history_prints(struct sw_history *history, const char *group,
		      double before_seconds, size_t limit,
		      struct sw_history_prints *prints,
		      struct sw_error *error);
void sw_history_prints_fini(struct sw_history_prints *prints);

#endif
