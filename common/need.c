/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a cgroup's memory cannot be reclaimed. */
#include "common/need.h"

#include "common/delta.h"

/* What of the kernel's memory for it cannot be given back; missing: unknown. */
static uint64_t kernel_bytes(const struct sw_memory_parts *parts)
{
	uint64_t sum;

	if (!sw_is_missing(parts->kernel))
		return sw_excess_u64(parts->kernel, parts->slab_reclaimable);
	sum = sw_sum_u64(parts->kernel_stack, parts->pagetables);
	sum = sw_sum_u64(sum, parts->percpu);
	sum = sw_sum_u64(sum, parts->vmalloc);
	return sw_sum_u64(sum, parts->slab_unreclaimable);
}

uint64_t sw_need_bytes(const struct sw_memory_parts *parts)
{
	uint64_t need = sw_add_u64(parts->anon, parts->shmem);

	if (sw_is_missing(need))
		return SW_MISSING;
	need = sw_add_u64(need, sw_zero_if_missing(
		sw_excess_u64(parts->unevictable, need)));
	need = sw_add_u64(need, sw_zero_if_missing(kernel_bytes(parts)));
	return sw_add_u64(need, sw_zero_if_missing(parts->sock));
}
