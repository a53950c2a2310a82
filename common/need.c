/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a cgroup's memory cannot be reclaimed. */
#include "common/need.h"

#include "common/delta.h"

uint64_t sw_need_bytes(const struct sw_memory_parts *parts)
{
	uint64_t need = sw_add_u64(parts->anon, parts->shmem);

	if (sw_is_missing(need))
		return SW_MISSING;
	need = sw_add_u64(need, sw_zero_if_missing(
		sw_excess_u64(parts->unevictable, need)));
	need = sw_add_u64(need, sw_zero_if_missing(
		sw_excess_u64(parts->kernel, parts->slab_reclaimable)));
	return sw_add_u64(need, sw_zero_if_missing(parts->sock));
}
