/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of a sweep, for the verbs that print it. */
#ifndef SW_ANALYZER_VERBS_SWEEP_PAGE_H
#define SW_ANALYZER_VERBS_SWEEP_PAGE_H

#include "analyzer/sweep/page/page.h"

/* What "sweep" and "merge" have in common. */
struct sw_sweep_request {
	bool is_json, is_csv, is_quiet;
	const char *html, *rows, *state, *output;
	struct sw_sweep_part part;
	size_t rows_max;
};

/* Options beyond these are of the verb; an exit status, SW_EXIT_OK if good. */
int sw_sweep_request_check(struct sw_sweep_request *request);

/*
 * Print the page of a night that has been swept, held against those before it
 * in the folder (NULL: none).  Returns an exit status.
 */
int sw_sweep_print(const struct sw_night *night, const char *folder,
		   const struct sw_settings *settings,
		   const struct sw_sweep_request *request);

#endif
