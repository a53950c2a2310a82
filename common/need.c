/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compute a step's memory need. */
#include "common/need.h"

#include <stdbool.h>
#include <string.h>

#include "common/delta.h"

/* Return the unreclaimable part of the kernel's memory; missing: unknown. */
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

#define FIELD(source, column, member) \
	{ source, column, offsetof(struct sw_need_reading, member) }

const struct sw_need_field sw_need_fields[SW_NEED_FIELDS] = {
	FIELD("memory", "anon", parts.anon),
	FIELD("memory", "shmem", parts.shmem),
	FIELD("memory", "unevictable", parts.unevictable),
	FIELD("memory", "kernel", parts.kernel),
	FIELD("memory", "slab_reclaimable", parts.slab_reclaimable),
	FIELD("memory", "sock", parts.sock),
	FIELD("memory", "kernel_stack", parts.kernel_stack),
	FIELD("memory", "pagetables", parts.pagetables),
	FIELD("memory", "percpu", parts.percpu),
	FIELD("memory", "vmalloc", parts.vmalloc),
	FIELD("memory", "slab_unreclaimable", parts.slab_unreclaimable),
	FIELD("memory", "file", file),
	FIELD("memory", "file_mapped", file_mapped),
	FIELD("memory", "workingset_refault_file", refaults),
	FIELD("memory", "pgsteal_direct", steals),
	FIELD("memory", "events.max", limit_hits),
	FIELD("proc", "rss_anon_low", anon_low),
	FIELD("proc", "rss_file_low", file_low),
	FIELD("proc", "rss_file_sum", file_sum),
	FIELD("proc", "rss_shmem_max", shmem_max),
	FIELD("proc", "hiwater_anon_max", process_anon),
	FIELD("proc", "hiwater_max", process_all),
};

_Static_assert(sizeof(struct sw_need_reading) ==
	       SW_NEED_FIELDS * sizeof(uint64_t), "each member has its field");

void sw_need_reading_set(struct sw_need_reading *reading,
			 const struct sw_need_field *field, uint64_t value)
{
	memcpy((char *)reading + field->offset, &value, sizeof(value));
}

/* Smallest page size of any machine, and the share of mapped pages, as a
 * divisor, whose refaults show that they are in use. */
enum { PAGE_BYTES_MIN = 4096, USED_SHARE = 100 };

void sw_need_init(struct sw_need *need, uint64_t page_bytes)
{
	sw_set_missing((uint64_t *)need, sizeof(*need) / sizeof(uint64_t));
	need->page_bytes = sw_is_missing(page_bytes) ? PAGE_BYTES_MIN :
						       page_bytes;
}

void sw_need_reading_init(struct sw_need_reading *reading)
{
	sw_set_missing((uint64_t *)reading, SW_NEED_FIELDS);
}

static void raise(uint64_t *most, uint64_t value)
{
	*most = sw_max_u64(*most, value);
}

static void take_counter(uint64_t *least_and_most, uint64_t value)
{
	least_and_most[0] = sw_min_u64(least_and_most[0], value);
	raise(&least_and_most[1], value);
}

/*
 * Return the mapped file pages.  "file_mapped" includes an unknown amount of
 * mapped shmem, which the need already contains.
 */
static uint64_t mapped_bytes(const struct sw_need_reading *reading)
{
	uint64_t file = sw_excess_u64(reading->file,
		sw_zero_if_missing(reading->parts.shmem));

	return sw_is_missing(reading->file_mapped) ? SW_MISSING :
		sw_min_u64(reading->file_mapped, file);
}

static void take_cgroup(struct sw_need *need,
			const struct sw_need_reading *reading)
{
	uint64_t bytes = sw_need_bytes(&reading->parts);
	uint64_t mapped = mapped_bytes(reading);

	raise(&need->cgroup, bytes);
	raise(&need->cgroup_with_mapped,
	      sw_add_u64(bytes, sw_zero_if_missing(mapped)));
	raise(&need->mapped, mapped);
	take_counter(need->refaults, reading->refaults);
	take_counter(need->steals, reading->steals);
	take_counter(need->limit_hits, reading->limit_hits);
}

void sw_need_take(struct sw_need *need, const struct sw_need_reading *reading)
{
	uint64_t processes = sw_add_u64(reading->anon_low,
		sw_zero_if_missing(reading->shmem_max));

	take_cgroup(need, reading);
	raise(&need->processes, processes);
	raise(&need->processes_with_file,
	      sw_add_u64(processes, sw_zero_if_missing(reading->file_low)));
	raise(&need->file_sum, reading->file_sum);
	raise(&need->file_low, reading->file_low);
	raise(&need->process_anon, reading->process_anon);
	raise(&need->process_all, reading->process_all);
}

/* Return the cgroup's maximum with mapped files, at most what processes
 * mapped. */
static uint64_t cgroup_with_mapped(const struct sw_need *need)
{
	uint64_t most = sw_add_u64(need->cgroup, need->file_sum);

	return sw_min_u64(need->cgroup_with_mapped, most);
}

static uint64_t grown_bytes(const struct sw_need *need,
			    const uint64_t *least_and_most)
{
	uint64_t pages = sw_delta_u64(least_and_most[1], least_and_most[0]);

	return pages < SW_MISSING / need->page_bytes ?
		pages * need->page_bytes : SW_MISSING;
}

/* Were reclaimed pages read back? */
static bool is_mapped_used(const struct sw_need *need)
{
	uint64_t again = grown_bytes(need, need->refaults);

	return !sw_is_missing(need->mapped) && !sw_is_missing(again) &&
	       again > 0 && again >= need->mapped / USED_SHARE;
}

/* At the limit the kernel reclaimed as much as is mapped, without refaults. */
static bool is_mapped_spare(const struct sw_need *need)
{
	uint64_t taken = grown_bytes(need, need->steals);
	uint64_t hits = sw_delta_u64(need->limit_hits[1], need->limit_hits[0]);
	uint64_t again = grown_bytes(need, need->refaults);

	return !sw_is_missing(need->mapped) && !sw_is_missing(again) &&
	       !is_mapped_used(need) && !sw_is_missing(hits) && hits > 0 &&
	       !sw_is_missing(taken) && taken > need->mapped;
}

/* Prefer the cgroup: it is exact and includes the kernel's memory. */
static uint64_t sampled(const struct sw_need *need,
			enum sw_need_source *source)
{
	bool is_with_mapped = is_mapped_used(need) &&
			      cgroup_with_mapped(need) > need->cgroup;

	if (sw_is_missing(need->cgroup)) {
		*source = sw_is_missing(need->processes) ? SW_NEED_NONE :
							   SW_NEED_PROCESSES;
		return need->processes;
	}
	*source = is_with_mapped ? SW_NEED_CGROUP_MAPPED : SW_NEED_CGROUP;
	return is_with_mapped ? cgroup_with_mapped(need) : need->cgroup;
}

uint64_t sw_need_low(const struct sw_need *need, enum sw_need_source *source)
{
	enum sw_need_source from;
	uint64_t low = sampled(need, &from);

	/* A spike between two readings, of at least one process */
	if (!sw_is_missing(need->process_anon) &&
	    (sw_is_missing(low) || need->process_anon > low)) {
		low = need->process_anon;
		from = SW_NEED_PROCESS;
	}
	if (source)
		*source = from;
	return low;
}

uint64_t sw_need_floor(const struct sw_need *need)
{
	uint64_t floor = sw_need_low(need, NULL);

	if (is_mapped_spare(need))
		return floor;
	raise(&floor, need->process_all);
	raise(&floor, sw_is_missing(need->cgroup) ? need->processes_with_file :
						    cgroup_with_mapped(need));
	return floor;
}

uint64_t sw_need_mapped(const struct sw_need *need)
{
	return sw_is_missing(need->cgroup) ?
		need->file_sum : sw_max_u64(need->mapped, need->file_low);
}
