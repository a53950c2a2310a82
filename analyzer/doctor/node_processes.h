/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's and stepwell's processes on this node. */
#ifndef SW_ANALYZER_NODE_PROCESSES_H
#define SW_ANALYZER_NODE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/doctor/doctor.h"

enum { SW_PID_SIZE = 24 };

/*
 * The oldest process of this name, and where argument is not NULL with that
 * argument; false where there is none.  The kernel cuts names at 15 bytes.
 */
bool sw_node_process_find(const struct sw_doctor *doctor, const char *name,
			  const char *argument, char pid[SW_PID_SIZE]);

/* When it began, in microseconds since boot; SW_MISSING: not known. */
uint64_t sw_node_process_start(const struct sw_doctor *doctor, const char *pid);

/*
 * Steps whose slurmstepd began behind that moment, and long enough ago that
 * their tasks have begun, too.
 */
size_t sw_node_steps_since(const struct sw_doctor *doctor, uint64_t start_usec);

#endif
