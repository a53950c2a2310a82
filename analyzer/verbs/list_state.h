/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a job or step in "stepwell list": Slurm's own where its record
 * was read ("ok" is COMPLETED, "failed" FAILED), else what was seen.
 */
#ifndef SW_ANALYZER_LIST_STATE_H
#define SW_ANALYZER_LIST_STATE_H

#include "analyzer/print/json.h"
#include "analyzer/view/view.h"

/* For people: an exit status alone is no state of a Slurm job. */
void sw_list_state(char *buf, size_t size, const struct sw_view *view);

/* "state" and "state_source", which is "sacct" or "exit_status". */
void sw_list_add_state(struct json_object *item, const struct sw_view *view);

#endif
