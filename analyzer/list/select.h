/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choose lines of "stepwell list" by their values. */
#ifndef SW_ANALYZER_LIST_SELECT_H
#define SW_ANALYZER_LIST_SELECT_H

#include "analyzer/list/row.h"

/* NULL and SW_MISSING: any. */
struct sw_list_select {
	const char *states;	/* separated by commas */
	const char *name;	/* pattern, as in fnmatch(3) */
	const char *findings;	/* ids, families or patterns, by commas */
	uint64_t since_seconds, until_seconds;
	uint64_t uid;
};

/* Reject states and findings that do not exist: 0, or -1 with *error. */
int sw_list_select_check(const struct sw_list_select *select,
			 struct sw_error *error);

/*
 * Return true if the run is chosen.  A run is within the times if a part of it
 * is; one without a known start is not, which is counted in *undated.
 */
bool sw_list_selects(const struct sw_list_select *select,
		     const struct sw_list_row *row, size_t *undated);

#endif
