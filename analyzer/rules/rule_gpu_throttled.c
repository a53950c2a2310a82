/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gpu.throttled: a GPU whose clocks were reduced. */
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule_gpu.h"
#include "common/units.h"

/*
 * A well cooled GPU is never slowed by heat; one sample in twenty is more than
 * the moment at which a load begins.
 */
enum { MIN_SLOWED_RATIO };

static int report(const struct sw_view_gpu *gpu, const double *setting,
		  struct sw_findings *findings)
{
	struct sw_evidence share = {
		"clocks.event_reasons: heat or power brake", gpu->slowed_ratio,
		"ratio", setting[MIN_SLOWED_RATIO], SW_MISSING,
	};
	char name[SW_GPU_NAME_SIZE], heat[64] = "";
	struct sw_finding *finding;

	finding = sw_gpu_finding(findings, gpu, "gpu.throttled", SW_WARNING,
				 0.9, &share);
	if (!finding)
		return -1;
	if (!sw_is_missing(gpu->celsius_max))
		snprintf(heat, sizeof(heat), ", at up to %llu degrees Celsius",
			 (unsigned long long)gpu->celsius_max);
	sw_finding_sentence(finding,
		"The clocks of %s were reduced for %.0f %% of the time%s, "
		"because of heat or a power brake: it ran slower than it "
		"would elsewhere. Tell the administrator to check the node's "
		"cooling and power supply.",
		sw_gpu_name(name, sizeof(name), gpu), gpu->slowed_ratio * 100,
		heat);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	size_t i;

	for (i = 0; i < view->gpu_count; i++) {
		const struct sw_view_gpu *gpu = &view->gpus[i];

		if (gpu->is_used && gpu->slowed_ratio > 0 &&
		    gpu->slowed_ratio >= setting[MIN_SLOWED_RATIO] &&
		    report(gpu, setting, findings) < 0)
			return -1;
	}
	return 0;
}

static bool has_slowed(const struct sw_view_gpu *gpu)
{
	return !isnan(gpu->slowed_ratio);
}

/* A MIG instance does not report the clocks of its GPU. */
static const char *blind_to(const struct sw_view *view)
{
	return sw_gpu_blind_unless(view, has_slowed,
		"the driver does not report why the clocks are reduced");
}

const struct sw_rule sw_rule_gpu_throttled = {
	.id = "gpu.throttled",
	.title = "A GPU slowed down by heat or power",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The driver or the board reduced the clocks of a GPU that the step "
	"used, because it was too hot or because of the node's power supply.",
	.what_to_do =
	"Ask the administrator to check the node's cooling and power supply; "
	"the same step runs faster on other nodes.",
	.computed =
	"From NVML's clocks event reasons: the share of time with thermal "
	"slowdown (by software or hardware) or power brake; reported from "
	"min_slowed_ratio on. Running at the power limit (SW power cap) is "
	"normal for a busy GPU and does not count; nor do idle clocks.",
	.needs = { { "series.gpu", "clocks.event_reasons" },
		   { "series.gpu_process", "processes" } },
	.settings = {
		{ "min_slowed_ratio", 0.05, 0, 1, "share of the time" },
	},
	.eval = eval,
	.blind_to = blind_to,
};
