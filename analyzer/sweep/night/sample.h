/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The newest runs of a group, for advice: so many at most, the same however the
 * runs were divided and in whatever order they came.
 */
#ifndef SW_ANALYZER_SAMPLE_H
#define SW_ANALYZER_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "advice/run.h"
#include "analyzer/keyed/pack.h"

/* Twice what an advisor wants for its safest answer; 300 bytes each. */
enum { SW_SAMPLE_RUNS_MAX = 64 };

struct sw_sample_run {
	struct sw_run run;	/* without busy_seconds */
	uint64_t job_id, restart;
	uint64_t array_job_id, array_task_id;	/* as in struct sw_job_key */
	uint64_t het_job_id, het_component, uid;
	bool is_recorded;	/* summaries have it, too */
};

/* All zero is empty; by the ends of the runs, the oldest first. */
struct sw_sample {
	struct sw_sample_run *items;
	size_t count;
	size_t before;	/* places in front of them that are not in use */
};

/* 0, or -1 (errno ENOMEM). */
int sw_sample_add(struct sw_sample *sample, const struct sw_sample_run *run);
int sw_sample_merge(struct sw_sample *sample, const struct sw_sample *other);
void sw_sample_fini(struct sw_sample *sample);

int sw_sample_write(const struct sw_sample *sample, struct sw_pack *pack);
/* Into an empty one, of bytes that are not trusted; -1: EINVAL, ENOMEM. */
int sw_sample_read(struct sw_sample *sample, struct sw_unpack *unpack);

#endif
