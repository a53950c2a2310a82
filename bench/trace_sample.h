/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 40 values of a live process from /proc, for the recorded trace. */
#ifndef BENCH_TRACE_SAMPLE_H
#define BENCH_TRACE_SAMPLE_H

#include <stdint.h>
#include <sys/types.h>

#include "profiles/table.h"

enum { TRACE_SAMPLE_COLUMNS = 40 };

struct trace_sampler;

/* Describe the values of a row, in order. */
void trace_sample_columns(struct sw_column columns[TRACE_SAMPLE_COLUMNS]);

/* Open the process's files once; NULL with errno. */
struct trace_sampler *trace_sample_open(pid_t pid);

/* Unreadable values are SW_MISSING. */
void trace_sample_take(struct trace_sampler *sampler,
		       uint64_t values[TRACE_SAMPLE_COLUMNS]);

/* NULL is allowed. */
void trace_sample_close(struct trace_sampler *sampler);

#endif
