/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gpu.memory_over: a large GPU for a small amount of memory. */
#include "analyzer/rules/rule_gpu.h"
#include "common/units.h"

/*
 * A GPU can be split into instances of an eighth, a quarter or half of its
 * memory (NVIDIA MIG User Guide): below a quarter, half of it is plenty.
 */
enum { MAX_USED_RATIO, MIN_TOTAL_GIB, MIN_ELAPSED_SECONDS };

static int report(const struct sw_view_gpu *gpu, const double *setting,
		  struct sw_findings *findings)
{
	double ratio = (double)gpu->own_memory_bytes /
		       (double)gpu->memory_total_bytes;
	struct sw_evidence used = {
		"GPU memory of the step's processes / memory.total", ratio,
		"ratio", setting[MAX_USED_RATIO], SW_MISSING,
	};
	char name[SW_GPU_NAME_SIZE], own[SW_UNITS_TEXT_SIZE];
	char total[SW_UNITS_TEXT_SIZE];
	struct sw_finding *finding;

	finding = sw_gpu_finding(findings, gpu, "gpu.memory_over", SW_INFO, 0.8,
				 &used);
	if (!finding)
		return -1;
	sw_size_format(own, sizeof(own), gpu->own_memory_bytes);
	sw_size_format(total, sizeof(total), gpu->memory_total_bytes);
	sw_finding_sentence(finding,
		"The step held at most %s of the %s of %s, %.0f %%. A GPU with "
		"less memory or a slice of one (MIG) would do if the cluster "
		"has one; otherwise use the free memory: a larger batch keeps "
		"the GPU busier.",
		own, total, sw_gpu_name(name, sizeof(name), gpu), ratio * 100);
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

		if (!gpu->is_used || sw_is_missing(gpu->own_memory_bytes) ||
		    sw_is_missing(gpu->memory_total_bytes) ||
		    (double)gpu->memory_total_bytes <
			    setting[MIN_TOTAL_GIB] * (double)SW_GIB ||
		    (double)gpu->own_memory_bytes >
			    setting[MAX_USED_RATIO] *
				    (double)gpu->memory_total_bytes)
			continue;
		if (report(gpu, setting, findings) < 0)
			return -1;
	}
	return 0;
}

static bool has_own_memory(const struct sw_view_gpu *gpu)
{
	return !sw_is_missing(gpu->own_memory_bytes);
}

/* A known process may lack a value for its memory. */
static const char *blind_to(const struct sw_view *view)
{
	return sw_gpu_blind_unless(view, has_own_memory,
				   "the driver does not report how much memory "
				   "each process holds");
}

const struct sw_rule sw_rule_gpu_memory_over = {
	.id = "gpu.memory_over",
	.title = "A large GPU for little memory",
	.kind = SW_FINDING_WASTE,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step never used more than a small part of a GPU's memory.",
	.what_to_do =
	"Request a GPU with less memory, or a partition of one (MIG); or use "
	"the free memory for larger batches.",
	.computed =
	"From the memory that NVML reports for the step's own processes: the "
	"largest sample over the memory of the device. Reported up to "
	"max_used_ratio, on devices of min_total_gib, in steps of "
	"min_elapsed_seconds. Frameworks that allocate all memory when they "
	"start hide what they need. Peaks between two samples are not seen.",
	.needs = { { "series.gpu", "memory.total" },
		   { "series.gpu_process", "processes" } },
	.settings = {
		{ "max_used_ratio", 0.25, 0, 1, "largest share of its memory" },
		{ "min_total_gib", 16, 0, 1024,
		  "smaller devices are not evaluated" },
		{ "min_elapsed_seconds", 60, 0, 86400,
		  "shorter steps are not evaluated" },
	},
	.eval = eval,
	.blind_to = blind_to,
};
