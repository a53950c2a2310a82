/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Load the BPF program failures.bpf.c, in addition to the records.
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
 * Record failed calls of the processes followed by the records from now on, of
 * as many kinds as the kernel can trace.  only is NULL or "none", for tests and
 * benchmarks.  Return 0, or -1 with *error if nothing can be recorded.
 */
int sw_failures_open(struct exec_bpf *records, const char *only,
		     struct sw_error *error);

/* Return what is observed: "functions", "connections" (fallback) or "none". */
const char *sw_failures_source(void);

/* Return why functions are not observed, naming what is missing, or NULL. */
const char *sw_failures_reason(void);

/* Return whether opened files are counted. */
bool sw_failures_counts_opens(void);

/*
 * Call at the end of this process: a child holds the links on functions until
 * this process has exited, then exits.  When the last holder exits, the kernel
 * waits some ten milliseconds for each link, and nobody should wait for that.
 * Does nothing if no function is traced.
 */
void sw_failures_leave(void);

/* Take the failures of an exited process.  Return false if there are none. */
bool sw_failures_take(pid_t pid, uint64_t start_nsec,
		      struct sw_failures *failures);

#endif
