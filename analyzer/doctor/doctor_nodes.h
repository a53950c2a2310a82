/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sum the output of `stepwell doctor --json` on many nodes. */
#ifndef SW_ANALYZER_DOCTOR_NODES_H
#define SW_ANALYZER_DOCTOR_NODES_H

#include <stdbool.h>

#define SW_DOCTOR_SCHEMA "stepwell.doctor/1"
#define SW_DOCTOR_NODES_SCHEMA "stepwell.doctor_nodes/1"

/*
 * Read one JSON object per line from a file, or "-", and print a line for each
 * state of a check on some nodes.  Return an exit status.
 */
int sw_doctor_sum(const char *path, bool is_json, bool is_fix);

#endif
