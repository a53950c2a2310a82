/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice for a group of jobs: one line for each request of its runs.  A value
 * that suits those with 4 GiB says nothing about those with 64 GiB of the same
 * name.
 */
#ifndef SW_ANALYZER_SWEEP_NIGHT_LINES_H
#define SW_ANALYZER_SWEEP_NIGHT_LINES_H

#include "analyzer/requests/request.h"
#include "analyzer/sweep/night/sample.h"

enum {
	SW_SWEEP_LINES_MAX = 3, /* requests with most runs */
	SW_SWEEP_LINE_SIZE = 512,
	SW_SWEEP_WHOSE_SIZE = 160,
};

struct sw_sweep_line {
	struct sw_advice *advice;
	struct sw_request request;
	bool is_in[SW_RESOURCES];	/* part of words */
	/* "--mem=4G", in the site's dialect; "": nothing to change */
	char words[SW_SWEEP_LINE_SIZE];
	/* "4.0 GiB and 8 CPUs" of its runs; "" if all had the same */
	char whose[SW_SWEEP_WHOSE_SIZE];
};

/* Zeroed: none. */
struct sw_sweep_lines {
	struct sw_sweep_line *items; /* requests with enough runs */
	size_t count;
	size_t requests;		/* different ones in the night */
	double least_bytes, most_bytes; /* of the requests; NAN */
	bool has_words;			/* some item has words */
	/*
	 * Per node.  Memory and GPUs: the suggestion, if each request has a
	 * line, otherwise the largest request.  CPUs: the smallest request,
	 * since it was enough for the work.
	 */
	struct sw_node_need need;
	double nodes;			      /* maximum; NAN */
	double had_core_hours, had_gib_hours; /* over all runs */
};

/* Parameters of the lines. */
struct sw_sweep_wanted {
	const char *group;
	const struct sw_settings *settings; /* must outlive the lines */
	unsigned resources; /* mask to mention: 1 << SW_RESOURCE_TIME */
	/* Requests without a run since then are of the past. */
	uint64_t from_seconds;
};

/* Return 0, or -1 (errno ENOMEM). */
int sw_sweep_lines_init(struct sw_sweep_lines *lines,
			const struct sw_sample *sample,
			const struct sw_sweep_wanted *wanted);
void sw_sweep_lines_fini(struct sw_sweep_lines *lines);

#endif
