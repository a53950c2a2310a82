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

/*
 * Twice what an advisor needs for its safest answer; 350 bytes each, and some
 * 400 for a fingerprint.
 */
enum { SW_SAMPLE_RUNS_MAX = 64 };

struct sw_sample_run {
	struct sw_run run;	/* without busy_seconds */
	uint64_t job_id, restart;
	uint64_t array_job_id, array_task_id;	/* as in struct sw_job_key */
	uint64_t het_job_id, het_component, uid;
	bool is_recorded;	/* also in summaries */
	/* As by sw_fingerprint_encode(), untrusted; NULL: none. */
	uint8_t *fingerprint;
	size_t fingerprint_size;
	/* While a night is collected: of its rows in summaries. */
	uint64_t row_restart;
	size_t step_rows;
};

/* Zeroed: empty; sorted by end, oldest first. */
struct sw_sample {
	struct sw_sample_run *items;
	size_t count;
	size_t before;	/* unused slots in front */
};

/* Copy the run, with its fingerprint.  Return 0, or -1 (errno ENOMEM). */
int sw_sample_add(struct sw_sample *sample, const struct sw_sample_run *run);
int sw_sample_merge(struct sw_sample *sample, const struct sw_sample *other);
void sw_sample_fini(struct sw_sample *sample);

/* Give the run its own copy of a fingerprint.  Return 0, or -1 (ENOMEM). */
int sw_sample_put_print(struct sw_sample_run *run, const uint8_t *bytes,
			size_t size);

int sw_sample_write(const struct sw_sample *sample, struct sw_pack *pack);
/*
 * Read untrusted bytes into an empty sample; has_prints: with fingerprints.
 * -1: EINVAL, ENOMEM.
 */
int sw_sample_read(struct sw_sample *sample, struct sw_unpack *unpack,
		   bool has_prints);

#endif
