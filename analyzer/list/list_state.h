/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of a job or step in "stepwell list": Slurm's if its record was read
 * ("ok" is COMPLETED, "failed" FAILED), otherwise the observed one.
 */
#ifndef SW_ANALYZER_LIST_STATE_H
#define SW_ANALYZER_LIST_STATE_H

#include <stddef.h>

#include "analyzer/view/view.h"

/* For people: an exit status alone is not the state of a Slurm job. */
void sw_list_state(char *buf, size_t size, const struct sw_view *view);

/* For programs: "ok", "failed", "TIMEOUT", "killed"; returns buf. */
char *sw_list_short_state(char *buf, size_t size, const struct sw_view *view);

/* "sacct" or "exit_status" */
const char *sw_list_state_source(const struct sw_view *view);

#endif
