/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of a sweep, for the verbs that print it. */
#ifndef SW_ANALYZER_VERBS_SWEEP_PAGE_H
#define SW_ANALYZER_VERBS_SWEEP_PAGE_H

#include "analyzer/print/out_file.h"
#include "analyzer/sweep/page/page.h"
#include "analyzer/verbs/inputs.h"

/* Options common to "sweep" and "merge". */
struct sw_sweep_request {
	bool is_json, is_csv, is_quiet, is_forced;
	bool has_no_histories; /* do not write users' histories */
	const char *html, *rows, *state, *output;
	struct sw_sweep_part part;
	size_t rows_max;
	const struct sw_inputs *inputs;	/* never overwritten by output */
};

/* Check the common options.  Return an exit status, SW_EXIT_OK if valid. */
int sw_sweep_request_check(struct sw_sweep_request *request);

/*
 * Check early that the files of --html and --output can be written.  Return an
 * exit status.
 */
int sw_sweep_try_files(const struct sw_sweep_request *request);

/* Return the file of --output or --html. */
struct sw_out_request sw_sweep_out(const struct sw_sweep_request *request,
				   enum sw_own kind);

/*
 * Print the page of a swept night, compared with earlier nights in the folder
 * (NULL: none).  Return an exit status.
 */
int sw_sweep_print(const struct sw_night *night, const char *folder,
		   const struct sw_settings *settings,
		   const struct sw_sweep_request *request);

#endif
