/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules about GPUs have in common. */
#include "analyzer/rule_gpu.h"

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

const char *sw_gpu_blind_to(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->gpu_count; i++) {
		if (view->gpus[i].is_used)
			return NULL;
	}
	return "no process of the step was seen on a GPU, and which GPUs it "
	       "was given is not recorded";
}

const char *sw_gpu_blind_to_use(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->gpu_count; i++) {
		if (view->gpus[i].is_used && !isnan(view->gpus[i].busy_ratio))
			return NULL;
	}
	return sw_gpu_blind_to(view) ? sw_gpu_blind_to(view) :
	       "the driver does not tell how busy the GPU was (it does not "
	       "for MIG instances)";
}
