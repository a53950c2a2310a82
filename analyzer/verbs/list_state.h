/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of a job or step in "stepwell list": Slurm's if its record was read
 * ("ok" is COMPLETED, "failed" FAILED), otherwise the observed one.
 */
#ifndef SW_ANALYZER_LIST_STATE_H
#define SW_ANALYZER_LIST_STATE_H

#include "analyzer/print/json.h"
#include "analyzer/view/view.h"

/* For people: an exit status alone is not the state of a Slurm job. */
void sw_list_state(char *buf, size_t size, const struct sw_view *view);

/* Add "state" and "state_source", which is "sacct" or "exit_status". */
void sw_list_add_state(struct json_object *item, const struct sw_view *view);

#endif
