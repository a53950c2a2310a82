/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Software events of each task, with all its threads and children, from its
 * exec on: page faults, context switches, migrations.  Exact.  Unprivileged
 * users only get page faults, and only those in user mode.
 */
#include "recorder/sources/pmu/pmu_tasks.h"
#include "recorder/sources/source.h"

enum { ENABLED, FAULTS, MAJOR, SWITCHES, MIGRATIONS, COLUMNS };

#define COUNTER(name, help) { name, "count", SW_KIND_COUNTER, help }

static const struct sw_column columns[COLUMNS] = {
	[ENABLED] = { "cpu_usec", "usec", SW_KIND_COUNTER,
		      "CPU time that was counted." },
	[FAULTS] = COUNTER("page_faults", "Page faults, minor and major."),
	[MAJOR] = COUNTER("major_faults", "Page faults that needed I/O."),
	[SWITCHES] = COUNTER("context_switches", "Context switches."),
	[MIGRATIONS] = COUNTER("cpu_migrations", "Migrations to another CPU."),
};

#define BOTH(name, config) \
	{ { name, PERF_TYPE_SOFTWARE, config, true }, \
	  { name ":u", PERF_TYPE_SOFTWARE, config, false } }
#define KERNEL(name, config) { { name, PERF_TYPE_SOFTWARE, config, true } }

static const struct sw_pmu_event events[] = {
	{ 0, FAULTS, BOTH("page-faults", PERF_COUNT_SW_PAGE_FAULTS) },
	{ 0, MAJOR, BOTH("major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ) },
	/* They occur in kernel mode: without privileges they would be 0. */
	{ 0, SWITCHES, KERNEL("context-switches",
			      PERF_COUNT_SW_CONTEXT_SWITCHES) },
	{ 0, MIGRATIONS, KERNEL("cpu-migrations",
				PERF_COUNT_SW_CPU_MIGRATIONS) },
};

static const struct sw_pmu_plan plan = {
	.events = events,
	.event_count = sizeof(events) / sizeof(events[0]),
	.group_count = 1,
	.enabled_column = ENABLED,
	/* Never multiplexed: software events need no hardware counters. */
	.running_column = { SW_PMU_NONE, SW_PMU_NONE, SW_PMU_NONE },
	.switches_column = SWITCHES,
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	return sw_pmu_tasks_open(memory, &plan, target);
}

const struct sw_source sw_src_perf = {
	.name = "perf",
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
