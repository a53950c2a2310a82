/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What to request next time for a group of jobs: one line for each request
 * that its runs came with.  A number that suits those with 4 GiB says nothing
 * of those with 64 GiB, although both are called the same.
 */
#ifndef SW_ANALYZER_SWEEP_NIGHT_LINES_H
#define SW_ANALYZER_SWEEP_NIGHT_LINES_H

#include "analyzer/requests/request.h"
#include "analyzer/sweep/night/sample.h"

enum {
	SW_SWEEP_LINES_MAX = 3, /* the requests with most runs */
	SW_SWEEP_LINE_SIZE = 512,
	SW_SWEEP_WHOSE_SIZE = 160,
};

struct sw_sweep_line {
	struct sw_advice *advice;
	struct sw_request request;
	bool is_in[SW_RESOURCES];	/* the words have it */
	/* "--mem=4G", in the site's dialect; "": nothing to change */
	char words[SW_SWEEP_LINE_SIZE];
	/* "4.0 GiB and 8 CPUs", that its runs had; "": all had the same. */
	char whose[SW_SWEEP_WHOSE_SIZE];
};

/* All zero is none. */
struct sw_sweep_lines {
	struct sw_sweep_line *items; /* of requests with enough runs */
	size_t count;
	size_t requests;		/* different ones of the night */
	double least_bytes, most_bytes; /* that were requested; NAN */
	bool has_words;			/* one of the items has */
	/*
	 * On each node: of memory and GPUs what is suggested, where each
	 * request has a line, else the most that was requested; of CPUs the
	 * fewest, for the work was done with them.
	 */
	struct sw_node_need need;
	double nodes;			      /* the most; NAN */
	double had_core_hours, had_gib_hours; /* all runs */
};

/* What lines are wanted for. */
struct sw_sweep_wanted {
	const char *group;
	const struct sw_settings *settings; /* must stay */
	unsigned resources; /* worth a word: bits, 1 << SW_RESOURCE_TIME */
	/* Requests with no run since then are the past's. */
	uint64_t from_seconds;
};

/* 0, or -1 (errno ENOMEM). */
int sw_sweep_lines_init(struct sw_sweep_lines *lines,
			const struct sw_sample *sample,
			const struct sw_sweep_wanted *wanted);
void sw_sweep_lines_fini(struct sw_sweep_lines *lines);

#endif
