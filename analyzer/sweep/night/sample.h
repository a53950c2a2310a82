/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The newest runs of a group, for advice: a limited number, and the same in any
 * order and for any division of the runs.
 */
#ifndef SW_ANALYZER_SAMPLE_H
#define SW_ANALYZER_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "advice/run.h"
#include "analyzer/keyed/pack.h"

/* Twice what an advisor needs for its safest answer; 300 bytes each. */
enum { SW_SAMPLE_RUNS_MAX = 64 };

struct sw_sample_run {
	struct sw_run run;	/* without busy_seconds */
	uint64_t job_id, restart;
	uint64_t array_job_id, array_task_id;	/* as in struct sw_job_key */
	uint64_t het_job_id, het_component, uid;
	bool is_recorded;	/* also in summaries */
};

/* Zeroed: empty; sorted by end, oldest first. */
struct sw_sample {
	struct sw_sample_run *items;
	size_t count;
	size_t before;	/* unused slots in front */
};

/* Return 0, or -1 (errno ENOMEM). */
int sw_sample_add(struct sw_sample *sample, const struct sw_sample_run *run);
int sw_sample_merge(struct sw_sample *sample, const struct sw_sample *other);
void sw_sample_fini(struct sw_sample *sample);

int sw_sample_write(const struct sw_sample *sample, struct sw_pack *pack);
/* Read untrusted bytes into an empty sample; -1: EINVAL, ENOMEM. */
int sw_sample_read(struct sw_sample *sample, struct sw_unpack *unpack);

#endif
