/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hardware events of each task, with all its threads and children, from its
 * exec on; in user mode only, so that numbers do not depend on privileges.
 * Three groups, which are multiplexed if the processor has too few counters;
 * values are scaled, and the running times show by how much.  Absent without a
 * PMU, as in most virtual machines.
 */
#include "recorder/sources/pmu/pmu_tasks.h"
#include "recorder/sources/source.h"

enum {
	ENABLED, RUNNING, INSTRUCTIONS, CYCLES, REF_CYCLES, LLC_MISSES,
	BRANCH_MISSES, STALLED,
	FP_RUNNING, FP_ANY,
	DOUBLE_SCALAR, DOUBLE_128, DOUBLE_256, DOUBLE_512,
	SINGLE_RUNNING,
	SINGLE_SCALAR, SINGLE_128, SINGLE_256, SINGLE_512,
	COLUMNS
};

enum { BASIC, DOUBLE, SINGLE, GROUPS };

#define COUNTER(name, help) { name, "count", SW_KIND_COUNTER, help }
#define TIME(name, help) { name, "usec", SW_KIND_COUNTER, help }

static const struct sw_column columns[COLUMNS] = {
	[ENABLED] = TIME("enabled_usec",
			 "CPU time that was to be counted."),
	[RUNNING] = TIME("running_usec",
			 "The part in which instructions to stalled_cycles "
			 "were counted."),
	[INSTRUCTIONS] = COUNTER("instructions", "Instructions retired."),
	[CYCLES] = COUNTER("cycles", "Cycles in user mode."),
	[REF_CYCLES] = COUNTER("ref_cycles",
			       "Cycles in user mode at the nominal frequency."),
	[LLC_MISSES] = COUNTER("llc_misses",
			       "Last-level cache misses."),
	[BRANCH_MISSES] = COUNTER("branch_misses",
				  "Mispredicted branches."),
	[STALLED] = COUNTER("stalled_cycles",
			    "Cycles in which nothing was executed."),
	[FP_RUNNING] = TIME("fp_running_usec",
			    "Time in which fp_operations or fp_double_* were "
			    "counted."),
	[FP_ANY] = COUNTER("fp_operations",
			   "Floating-point operations, if the processor does "
			   "not tell them apart."),
	[DOUBLE_SCALAR] = COUNTER("fp_double_scalar",
				  "Scalar instructions on doubles; an FMA "
				  "counts two."),
	[DOUBLE_128] = COUNTER("fp_double_128",
			       "Vector instructions on 2 doubles, likewise."),
	[DOUBLE_256] = COUNTER("fp_double_256", "On 4 doubles."),
	[DOUBLE_512] = COUNTER("fp_double_512", "On 8 doubles."),
	[SINGLE_RUNNING] = TIME("fp_single_running_usec",
				"Time in which fp_single_* were counted."),
	[SINGLE_SCALAR] = COUNTER("fp_single_scalar",
				  "Scalar instructions on floats, likewise."),
	[SINGLE_128] = COUNTER("fp_single_128", "On 4 floats."),
	[SINGLE_256] = COUNTER("fp_single_256", "On 8 floats."),
	[SINGLE_512] = COUNTER("fp_single_512", "On 16 floats."),
};

#define HARDWARE(name, config) { name, PERF_TYPE_HARDWARE, config, false }
#define NAMED(name) { name, SW_PMU_BY_NAME, 0, false }
#define CACHE(name, cache, op, result) \
	{ name, PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##cache | \
	  PERF_COUNT_HW_CACHE_OP_##op << 8 | \
	  PERF_COUNT_HW_CACHE_RESULT_##result << 16, false }
/* Intel, Broadwell and later */
#define ARITH(umask) { NAMED("FP_ARITH_INST_RETIRED:" umask) }

static const struct sw_pmu_event events[] = {
	{ BASIC, INSTRUCTIONS,
	  { HARDWARE("instructions", PERF_COUNT_HW_INSTRUCTIONS) } },
	{ BASIC, CYCLES, { HARDWARE("cycles", PERF_COUNT_HW_CPU_CYCLES) } },
	{ BASIC, REF_CYCLES,
	  { HARDWARE("ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES) } },
	/*
	 * Not the kernel's "cache-misses", which on AMD are misses of the
	 * second-level cache.  There, count fills from memory: Zen 3 and later,
	 * Zen 2.
	 */
	{ BASIC, LLC_MISSES,
	  { NAMED("LONGEST_LAT_CACHE:MISS"),
	    NAMED("ANY_DATA_CACHE_FILLS_FROM_SYSTEM:MEM_IO_LCL:MEM_IO_RMT"),
	    NAMED("DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_LCL_DRAM:"
		  "LS_MABRESP_RMT_DRAM"),
	    CACHE("LLC-load-misses", LL, READ, MISS) } },
	{ BASIC, BRANCH_MISSES,
	  { HARDWARE("branch-misses", PERF_COUNT_HW_BRANCH_MISSES) } },
	{ BASIC, STALLED,
	  { NAMED("CYCLE_ACTIVITY:STALLS_TOTAL"),
	    NAMED("RESOURCE_STALLS:ANY") } },
	/* AMD, Zen 2 and later */
	{ DOUBLE, FP_ANY, { NAMED("RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS:"
				  "MULT_FLOPS:DIV_FLOPS:MAC_FLOPS"),
			    NAMED("RETIRED_SSE_AVX_FLOPS:ANY") } },
	/*
	 * Only if not counted above: there it would need a sixth counter on
	 * AMD, where the kernel's watchdog uses one of the six, and a group
	 * that does not fit is never scheduled.
	 */
	{ DOUBLE, STALLED,
	  { HARDWARE("stalled-cycles-backend",
		     PERF_COUNT_HW_STALLED_CYCLES_BACKEND) } },
	{ DOUBLE, DOUBLE_SCALAR, ARITH("SCALAR_DOUBLE") },
	{ DOUBLE, DOUBLE_128, ARITH("128B_PACKED_DOUBLE") },
	{ DOUBLE, DOUBLE_256, ARITH("256B_PACKED_DOUBLE") },
	{ DOUBLE, DOUBLE_512, ARITH("512B_PACKED_DOUBLE") },
	{ SINGLE, SINGLE_SCALAR, ARITH("SCALAR_SINGLE") },
	{ SINGLE, SINGLE_128, ARITH("128B_PACKED_SINGLE") },
	{ SINGLE, SINGLE_256, ARITH("256B_PACKED_SINGLE") },
	{ SINGLE, SINGLE_512, ARITH("512B_PACKED_SINGLE") },
};

static const struct sw_pmu_plan plan = {
	.events = events,
	.event_count = sizeof(events) / sizeof(events[0]),
	.group_count = GROUPS,
	.enabled_column = ENABLED,
	.running_column = { RUNNING, FP_RUNNING, SINGLE_RUNNING },
	.switches_column = SW_PMU_NONE,
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	return sw_pmu_tasks_open(memory, &plan, target);
}

const struct sw_source sw_src_pmu = {
	.name = "pmu",
	.backend = "perf.inherit",
	.scope = SW_SCOPE_TASK,
	/* A read interrupts all processors that run its threads. */
	.cadence = SW_EVERY_TENTH,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct sw_pmu_tasks),
	.open = open_source,
	.rows_max = SW_SUBJECTS_MAX,
	.read_rows = sw_pmu_tasks_read,
	.describe = sw_pmu_tasks_describe,
	.is_due = sw_pmu_tasks_is_due,
	.reason = sw_pmu_tasks_reason,
	.close = sw_pmu_tasks_close,
};
