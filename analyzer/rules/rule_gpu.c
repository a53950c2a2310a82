/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code shared by the rules about GPUs. */
#include "analyzer/rules/rule_gpu.h"

#include <math.h>
#include <stdio.h>

char *sw_gpu_name(char *buf, size_t size, const struct sw_view_gpu *gpu)
{
	char number[32];

	snprintf(number, sizeof(number), "GPU %llu",
		 (unsigned long long)gpu->index);
	snprintf(buf, size, "%s%s%s%s", gpu->name ? gpu->name : number,
		 gpu->model[0] ? " (" : "", gpu->model,
		 gpu->model[0] ? ")" : "");
	return buf;
}

struct sw_finding *sw_gpu_finding(struct sw_findings *findings,
				  const struct sw_view_gpu *gpu, const char *id,
				  enum sw_severity severity, double confidence,
				  const struct sw_evidence *evidence)
{
	struct sw_finding *finding = sw_finding_add(findings, id, severity,
						    confidence, evidence);

	if (finding)
		sw_finding_subject(finding, "%s",
				   gpu->name ? gpu->name : "GPU");
	return finding;
}

const char *sw_gpu_blind_unless(const struct sw_view *view,
				bool (*is_told)(const struct sw_view_gpu *gpu),
				const char *otherwise)
{
	bool is_used = false;
	size_t i;

	for (i = 0; i < view->gpu_count; i++) {
		if (!view->gpus[i].is_used)
			continue;
		if (!is_told || is_told(&view->gpus[i]))
			return NULL;
		is_used = true;
	}
	if (is_used)
		return otherwise;
	return sw_is_missing(view->allocated_gpus) ?
	       "no process of the step was seen on a GPU, and whether it was "
	       "given one is not known" :
	       "no process of the step was seen on a GPU that Slurm gave it";
}

const char *sw_gpu_blind_to(const struct sw_view *view)
{
	return sw_gpu_blind_unless(view, NULL, NULL);
}

static bool has_busy(const struct sw_view_gpu *gpu)
{
	return !isnan(gpu->busy_ratio);
}

const char *sw_gpu_blind_to_use(const struct sw_view *view)
{
	return sw_gpu_blind_unless(view, has_busy,
		"the driver does not report how busy the GPU was (it does not "
		"for MIG instances)");
}
