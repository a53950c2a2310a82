/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compute how many CPUs a step wanted.  The kernel's run_delay (sched_info;
 * Documentation/scheduler/sched-stats.rst) covers runnable threads that do not
 * run, because of others on the CPU, an exhausted quota, or a binding that
 * leaves no other CPU.
 */
#include "analyzer/view/view_demand.h"

#include <math.h>
#include <string.h>

#include "analyzer/view/shares.h"
#include "analyzer/view/view_internal.h"
#include "common/delta.h"

static bool is_share(uint64_t part, uint64_t whole, double least)
{
	return !sw_is_missing(part) && !sw_is_missing(whole) && whole > 0 &&
	       (double)part >= least * (double)whole;
}

/*
 * Any of the signs suffices; incomplete waits are a lower bound.  Threads that
 * share CPUs fairly wait a few per cent of their time on any node.
 */
static bool is_constrained(const struct sw_view *view)
{
	const struct sw_view_cpu *cpu = &view->cpu;
	uint64_t wait_usec = cpu->run_queue_wait_usec;

	return (is_share(wait_usec, sw_sum_u64(wait_usec, cpu->used_usec),
			 SW_SOME) &&
		is_share(wait_usec, view->elapsed_usec, SW_SOME)) ||
	       (!cpu->is_wait_complete &&
		is_share(view->pressure.cpu_some_usec, view->elapsed_usec,
			 SW_SOME)) ||
	       is_share(cpu->throttled_periods, cpu->periods,
			SW_HARDLY);
}

/* True if waits are known, or pressure shows that there were hardly any. */
static bool is_known(const struct sw_view *view)
{
	const struct sw_view_cpu *cpu = &view->cpu;

	if (cpu->is_constrained)
		return cpu->is_wait_complete;
	return !sw_is_missing(cpu->run_queue_wait_usec) ||
	       !sw_is_missing(view->pressure.cpu_some_usec);
}

static int put_peak(struct sw_view *view)
{
	const struct sw_curve *both[] = { &view->cores, &view->cpu_waits };
	struct sw_view_cpu *cpu = &view->cpu;
	struct sw_curve demand = { 0 };
	int rc;

	if (isnan(cpu->peak_cores))
		return 0;
	rc = sw_curve_sum(&demand, both, NULL, 2);
	if (rc == 0)
		cpu->demand_peak_cores = fmax(cpu->peak_cores,
					      sw_view_widest_peak(&demand));
	sw_curve_fini(&demand);
	return rc;
}

int sw_view_fill_demand(struct sw_view *view)
{
	view->cpu.is_constrained = is_constrained(view);
	view->cpu.demand_peak_cores = NAN;
	return is_known(view) ? put_peak(view) : 0;
}

int sw_view_sum_demand(struct sw_view *total, const struct sw_view *const *view,
		       size_t count)
{
	struct sw_view_cpu *sum = &total->cpu;
	bool has_known = false;
	size_t i;

	sum->is_constrained = is_constrained(total);
	sum->demand_peak_cores = NAN;
	if (count == 1 && !sw_is_missing(view[0]->cpu.used_usec)) {
		sum->is_constrained |= view[0]->cpu.is_constrained;
		sum->demand_peak_cores = view[0]->cpu.demand_peak_cores;
		return 0;
	}
	for (i = 0; i < count; i++) {
		const struct sw_view_cpu *cpu = &view[i]->cpu;

		sum->is_constrained |= cpu->is_constrained;
		if (sw_is_missing(cpu->used_usec))
			continue;
		if (isnan(cpu->demand_peak_cores))
			return 0;
		has_known = true;
	}
	return has_known ? put_peak(total) : 0;
}

double sw_view_useful_cpus(double peak_cores)
{
	return fmax(1, ceil(peak_cores - 0.1));
}

bool sw_view_tells_cpus(const struct sw_view_cpu *cpu)
{
	return !cpu->is_constrained ||
	       (!isnan(cpu->demand_peak_cores) &&
		sw_view_useful_cpus(cpu->demand_peak_cores) <=
			sw_view_useful_cpus(cpu->peak_cores));
}
