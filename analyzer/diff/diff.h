/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two runs, or two periods of a group, side by side: what differs, beside what
 * past runs differ in.  A comes before B.
 */
#ifndef SW_ANALYZER_DIFF_H
#define SW_ANALYZER_DIFF_H

#include <stdio.h>

#include "analyzer/compare/beside.h"
#include "analyzer/compare/compare.h"
#include "analyzer/history/history_prints.h"
#include "analyzer/print/style.h"
#include "analyzer/report/loaded.h"

enum { SW_DIFF_NAME = 192, SW_DIFF_WORDS = 4096 };

/* A run: its recording, or only what the history knows of it. */
struct sw_diff_run {
	struct sw_loaded *loaded; /* NULL: not found */
	const struct sw_history_print *print;
};

struct sw_diff_side {
	char name[SW_DIFF_NAME];  /* untrusted */
	struct sw_loaded *loaded; /* NULL: only a fingerprint, or a set */
	struct sw_fingerprint print;
	double start_seconds; /* since the Epoch; NAN */
	bool is_partial;      /* has not ended, or parts are missing */
	size_t runs;
	/* The run beside its own past; NULL: not compared. */
	const struct sw_comparison *past;
};

struct sw_diff {
	struct sw_diff_side a, b;
	const char *chosen; /* how A was chosen; NULL: it was named */
	bool is_of_sets;
	struct sw_comparison comparison;
	struct sw_beside beside;
};

/*
 * Compare two runs, which have to outlive the result.  b is loaded; the runs of
 * its group before it are what values are shown beside.  Return 0, or -1 (errno
 * ENOMEM); free with sw_diff_fini() in both cases.
 */
int sw_diff_runs(struct sw_diff *diff, const struct sw_diff_run *a,
		 const struct sw_diff_run *b);

/* Likewise for runs of a period, and those before it. */
int sw_diff_sets(struct sw_diff *diff, const struct sw_beside_set *before,
		 const struct sw_beside_set *period);

void sw_diff_fini(struct sw_diff *diff);

/* The run succeeded, and was like the ones before it. */
bool sw_diff_is_good(const struct sw_fingerprint *print);
/* Likewise for a whole, loaded run. */
bool sw_diff_is_good_run(struct sw_loaded *loaded);

/* The first line: what changed, and whether it matters. */
char *sw_diff_words(char *buf, size_t size, const struct sw_diff *diff);

/* Write it: 0, or -1 if the stream failed. */
int sw_diff_text(FILE *out, const struct sw_diff *diff,
		 const struct sw_report_style *style);
int sw_diff_html(FILE *out, const struct sw_diff *diff,
		 const struct sw_report_style *style);
int sw_diff_json(FILE *out, const struct sw_diff *diff,
		 const struct sw_report_style *style);

#endif
