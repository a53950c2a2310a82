/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keep the lines of "stepwell list" in the index, analyzer/recordings/index.h. */
#ifndef SW_ANALYZER_LIST_INDEX_H
#define SW_ANALYZER_LIST_INDEX_H

#include "analyzer/list/row.h"
#include "analyzer/recordings/index.h"

/* Open the index for lines by these settings; NULL: there is none. */
struct sw_index *sw_list_index_open(const struct sw_settings *settings);

/* The line of a group, with or without the answer of sacct; 0: none. */
uint64_t sw_list_stamp(const struct sw_jobfiles_group *group, bool asks_sacct);

void sw_list_keep(struct sw_index *index, uint64_t stamp,
		  const struct sw_list_row *row);

/*
 * Fill a row without values, but not its day; false if the index does not have
 * it.  The row must not outlive the index.
 */
bool sw_list_recall(struct sw_index *index, uint64_t stamp,
		    struct sw_list_row *row, bool has_parts);

#endif
