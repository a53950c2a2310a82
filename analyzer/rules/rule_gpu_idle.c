/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gpu.idle: a GPU that was held and hardly used. */
#include <math.h>

#include "analyzer/rules/rule_gpu.h"
#include "common/units.h"

/*
 * Amazon's SageMaker Debugger takes a GPU below 10 % for under-used
 * (CPUBottleneck, gpu_threshold).
 */
enum { MAX_BUSY_RATIO, MIN_ELAPSED_SECONDS };

static int report(const struct sw_view *view, const struct sw_view_gpu *gpu,
		  const double *setting, struct sw_findings *findings)
{
	struct sw_evidence busy = {
		"utilization.gpu, mean", gpu->busy_ratio, "ratio",
		setting[MAX_BUSY_RATIO], SW_MISSING,
	};
	char name[SW_GPU_NAME_SIZE], elapsed[SW_UNITS_TEXT_SIZE];
	struct sw_finding *finding;

	finding = sw_gpu_finding(findings, gpu, "gpu.idle", SW_WARNING, 0.9,
				 &busy);
	if (!finding)
		return -1;
	sw_duration_format(elapsed, sizeof(elapsed), view->elapsed_usec);
	sw_finding_sentence(finding,
		"%s was busy for %.0f %% of %s although the step held it all "
		"the time: another job could have used it. Check whether the "
		"program found the GPU (its log), give it more work at a time "
		"(a larger batch), or request a run without a GPU.",
		sw_gpu_name(name, sizeof(name), gpu), gpu->busy_ratio * 100,
		elapsed);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	size_t i;

	if (sw_view_is_shorter(view, setting[MIN_ELAPSED_SECONDS]))
		return 0;
	for (i = 0; i < view->gpu_count; i++) {
		const struct sw_view_gpu *gpu = &view->gpus[i];

		if (gpu->is_used && gpu->busy_ratio < setting[MAX_BUSY_RATIO] &&
		    report(view, gpu, setting, findings) < 0)
			return -1;
	}
	return 0;
}

const struct sw_rule sw_rule_gpu_idle = {
	.id = "gpu.idle",
	.title = "A GPU allocated and hardly used",
	.kind = SW_FINDING_WASTE,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"A process of the step was using a GPU, but nothing ran on that GPU "
	"for nearly all of the time.",
	.what_to_do =
	"Check whether the program found the GPU, give the GPU more work at a "
	"time, or do not request one.",
	.computed =
	"From NVML's utilization.gpu, the share of time in which a kernel ran, "
	"over the whole step; reported below max_busy_ratio in steps of "
	"min_elapsed_seconds. All users of the GPU count, so it was idle for "
	"everybody. A kernel that uses part of the GPU counts as much as one "
	"that uses all of it. A GPU that was allocated but never opened by a "
	"process does not appear here: the report says how many GPUs Slurm "
	"allocated and how many were used.",
	.needs = { { "series.gpu", "utilization.gpu" },
		   { "series.gpu_process", "processes" } },
	.settings = {
		{ "max_busy_ratio", 0.10, 0, 1,
		  "largest share of the time in which it may be busy" },
		{ "min_elapsed_seconds", 60, 0, 86400,
		  "shorter steps are not evaluated" },
	},
	.eval = eval,
	.blind_to = sw_gpu_blind_to_use,
};
