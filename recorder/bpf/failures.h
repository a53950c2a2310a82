/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BPF program failures.bpf.c, brought into the kernel beside the records.
 */
#ifndef SW_RECORDER_FAILURES_H
#define SW_RECORDER_FAILURES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "recorder/bpf/failures_record.h"

struct exec_bpf;

/*
 * Whose processes the records follow, their failed calls are kept from now on:
 * as many kinds of them as the kernel lets functions be watched.  only is NULL
 * or "none", for tests and benchmarks.  0, or -1 with *error: none at all.
 */
int sw_failures_open(struct exec_bpf *records, const char *only,
		     struct sw_error *error);

/* What is seen: "functions"; "connections", where those cannot be; "none". */
const char *sw_failures_source(void);

/* Why not functions, by the name of what is missing; NULL: they are. */
const char *sw_failures_reason(void);

/* Are files counted that are opened? */
bool sw_failures_counts_opens(void);

/*
 * At the end of this process: a child holds what watches functions until this
 * process is gone, and ends behind it.  The kernel waits some ten milliseconds
 * for each of them when the last that holds it ends, and nobody is to wait for
 * that.  Nothing where no function is watched.
 */
void sw_failures_leave(void);

/* Those of a process that has ended, and they are forgotten; false: none. */
bool sw_failures_take(pid_t pid, uint64_t start_nsec,
		      struct sw_failures *failures);

#endif
