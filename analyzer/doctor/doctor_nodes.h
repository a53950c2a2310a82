/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `stepwell doctor --json` said on many nodes, summed. */
#ifndef SW_ANALYZER_DOCTOR_NODES_H
#define SW_ANALYZER_DOCTOR_NODES_H

#include <stdbool.h>

#define SW_DOCTOR_SCHEMA "stepwell.doctor/1"
#define SW_DOCTOR_NODES_SCHEMA "stepwell.doctor_nodes/1"

/*
 * Read one JSON object a line from a file, or "-", and print one line for
 * each state that a check has on some nodes.  Returns an exit status.
 */
int sw_doctor_sum(const char *path, bool is_json, bool is_fix);

#endif
