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
 * Find the oldest process with this name and, unless NULL, this argument; false
 * if there is none.  The kernel cuts names at 15 bytes.
 */
bool sw_node_process_find(const struct sw_doctor *doctor, const char *name,
			  const char *argument, char pid[SW_PID_SIZE]);

/* Start in microseconds since boot; SW_MISSING if unknown. */
uint64_t sw_node_process_start(const struct sw_doctor *doctor, const char *pid);

/*
 * Count steps whose slurmstepd began after that time, and long enough ago that
 * their tasks have begun as well.
 */
size_t sw_node_steps_since(const struct sw_doctor *doctor, uint64_t start_usec);

#endif
