/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words about GPUs. */
#include <math.h>
#include <stdio.h>

#include "analyzer/report/words.h"
#include "common/text.h"
#include "common/units.h"

static void add_memory(char *buf, size_t size, const struct sw_view_gpu *gpu)
{
	/* Without known processes, the memory used by all of them. */
	uint64_t held = gpu->is_used ? gpu->own_memory_bytes :
				       gpu->memory_used_bytes;

	if (sw_is_missing(held) || sw_is_missing(gpu->memory_total_bytes))
		return;
	sw_text_add(buf, size, ", up to %s of %s%s", sw_size_text(held).s,
		    sw_size_text(gpu->memory_total_bytes).s,
		    gpu->is_used ? "" : " by all users");
}

char *sw_gpu_words(char *buf, size_t size, const struct sw_view_gpu *gpu)
{
	if (isnan(gpu->busy_ratio))
		snprintf(buf, size, "use not known");
	else
		snprintf(buf, size, "busy %.0f %% of the time",
			 gpu->busy_ratio * 100);
	add_memory(buf, size, gpu);
	if (!isnan(gpu->mean_watts))
		sw_text_add(buf, size, ", %.0f W on average", gpu->mean_watts);
	if (gpu->slowed_ratio > 0)
		sw_text_add(buf, size, ", slowed by heat or power %.0f %% of "
			    "the time", gpu->slowed_ratio * 100);
	if (!sw_is_missing(gpu->status) && gpu->status != 0)
		sw_text_add(buf, size, ", not usable at times");
	return buf;
}
