/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU and I/O of a view. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/shares.h"
#include "analyzer/view/view_internal.h"
#include "common/delta.h"
#include "common/units.h"

/* Shorter bursts are not parallelism that a request could serve.  Chosen by
 * hand. */
#define PEAK_WIDTH_USEC ((uint64_t)500000)

/* Largest lead of /proc's clock ticks (USER_HZ, 10 ms, user and system). */
#define TICKS_USEC ((uint64_t)20000)

/*
 * Return the largest mean over any interval of PEAK_WIDTH_USEC or more, by a
 * sliding window: [first, i] is the shortest such interval ending at i.
 */
double sw_view_widest_peak(const struct sw_curve *curve)
{
	const uint64_t *start = curve->start_usec, *end = curve->end_usec;
	double peak = NAN, sum = 0;
	size_t first = 0, i;

	for (i = 0; i < curve->count; i++) {
		if (isnan(curve->value[i])) {
			first = i + 1;
			sum = 0;
			continue;
		}
		sum += curve->value[i] * (double)(end[i] - start[i]);
		while (first < i &&
		       end[i] - start[first + 1] >= PEAK_WIDTH_USEC) {
			sum -= curve->value[first] *
			       (double)(end[first] - start[first]);
			first++;
		}
		if (end[i] - start[first] >= PEAK_WIDTH_USEC)
			peak = fmax(peak, sum / (double)(end[i] -
							 start[first]));
	}
	return isnan(peak) ? curve->mean : peak;
}

double sw_view_peak_cores(const struct sw_curve *curve, double mean_cores)
{
	double peak = sw_view_widest_peak(curve);

	/* A run too short for samples still has a mean. */
	if (isnan(peak))
		return mean_cores;
	/* Clock ticks and the times around samples may make it less. */
	return peak < (1 - SW_HARDLY) * mean_cores ?
		       NAN : fmax(peak, mean_cores);
}

static int fill_rate(struct sw_curve *curve, const struct sw_series *series,
		     const char *const *columns, size_t count)
{
	uint64_t *used = sw_series_sum(series, columns, count);
	int rc;

	if (!used)
		return -1;
	rc = sw_curve_rate(curve, series, used, 1e-6);
	free(used);
	return rc;
}

/* 0 also where there were no periods: no quota. */
static double used_up(uint64_t throttled, uint64_t periods)
{
	double ratio = sw_ratio_u64(throttled, periods);

	return isnan(ratio) ? 0 : ratio;
}

/*
 * The quota that holds a step back is its own, or the nearest above: the one
 * that was used up in the larger share of its periods, as in what limited it.
 */
static void fill_throttled(struct sw_view_cpu *cpu,
			   const struct sw_series *series)
{
	uint64_t above = sw_series_growth(series, "ancestor.nr_throttled");
	uint64_t above_periods = sw_series_growth(series,
						  "ancestor.nr_periods");

	cpu->throttled_usec = sw_series_growth(series, "throttled_usec");
	cpu->throttled_periods = sw_series_growth(series, "nr_throttled");
	cpu->periods = sw_series_growth(series, "nr_periods");
	if (sw_is_missing(above) ||
	    (!sw_is_missing(cpu->throttled_periods) &&
	     used_up(cpu->throttled_periods, cpu->periods) >=
		     used_up(above, above_periods)))
		return;
	cpu->is_quota_above = true;
	cpu->throttled_periods = above;
	cpu->throttled_usec =
		sw_series_growth(series, "ancestor.throttled_usec");
	cpu->periods = above_periods;
}

static int fill_cpu_cgroup(struct sw_view *view,
			   const struct sw_series *series)
{
	static const char *const columns[] = { "usage_usec" };
	struct sw_view_cpu *cpu = &view->cpu;

	cpu->source = sw_series_source(series);
	cpu->used_usec = sw_series_growth(series, "usage_usec");
	cpu->user_usec = sw_series_growth(series, "user_usec");
	cpu->system_usec = sw_series_growth(series, "system_usec");
	fill_throttled(cpu, series);
	return fill_rate(&view->cores, series, columns, 1);
}

static int fill_cpu_proc(struct sw_view *view, const struct sw_series *series)
{
	static const char *const columns[] = { "utime_usec", "stime_usec" };
	struct sw_view_cpu *cpu = &view->cpu;

	cpu->source = "proc";
	cpu->is_by_proc = true;
	cpu->user_usec = sw_series_growth(series, "utime_usec");
	cpu->system_usec = sw_series_growth(series, "stime_usec");
	cpu->used_usec = sw_add_u64(cpu->user_usec, cpu->system_usec);
	return fill_rate(&view->cores, series, columns, 2);
}

/*
 * Use the kernel's account of all waited-for children: exact to the
 * microsecond, where /proc has clock ticks.
 */
static void prefer_rusage(struct sw_view_cpu *cpu,
			  const struct sw_series *summary)
{
	uint64_t user, system, used;

	user = sw_series_last(summary, "rusage_user_usec");
	system = sw_series_last(summary, "rusage_system_usec");
	if (sw_is_missing(user) || sw_is_missing(system))
		return;
	user = sw_sum_u64(user, sw_series_last(summary, "reaped_user_usec"));
	system = sw_sum_u64(system,
			    sw_series_last(summary, "reaped_system_usec"));
	used = sw_add_u64(user, system);
	/* /proc saw more: some children were never waited for. */
	if (sw_is_missing(used) ||
	    (!sw_is_missing(cpu->used_usec) && cpu->used_usec > used &&
	     cpu->used_usec - used > TICKS_USEC))
		return;
	cpu->source = "rusage";
	cpu->user_usec = user;
	cpu->system_usec = system;
	cpu->used_usec = used;
}

/*
 * Use the tasks' cgroups, read at their end, if they counted more than the last
 * sample.  For a step of milliseconds, nothing else is known.
 */
static void prefer_tasks(struct sw_view *view)
{
	struct sw_view_cpu *cpu = &view->cpu;
	uint64_t used = sw_view_tasks_cpu(view);
	size_t i;

	if (sw_is_missing(used) ||
	    (!sw_is_missing(cpu->used_usec) && cpu->used_usec >= used))
		return;
	cpu->source = "tasks";
	cpu->used_usec = used;
	cpu->user_usec = cpu->system_usec = 0;
	for (i = 0; i < view->task_count; i++) {
		cpu->user_usec = sw_add_u64(cpu->user_usec,
					    view->tasks[i].user_usec);
		cpu->system_usec = sw_add_u64(cpu->system_usec,
					      view->tasks[i].system_usec);
	}
}

/* True if the sampled processes show the waits. */
static bool has_seen_nearly_all(const struct sw_view *view,
				const struct sw_series *proc)
{
	uint64_t seen = sw_add_u64(sw_series_growth(proc, "utime_usec"),
				   sw_series_growth(proc, "stime_usec"));

	return sw_ratio_u64(seen, view->cpu.used_usec) >= SW_NEARLY_ALL;
}

static int fill_cpu_waits(struct sw_view *view, const struct sw_series *proc)
{
	static const char *const columns[] = { "run_queue_wait_usec" };
	const char *source = sw_series_source(proc);

	view->cpu.run_queue_wait_usec = sw_series_growth(proc, columns[0]);
	view->cpu.is_wait_complete =
		!sw_is_missing(view->cpu.run_queue_wait_usec) && source &&
		(!strncmp(source, "bpf", 3) || has_seen_nearly_all(view, proc));
	return fill_rate(&view->cpu_waits, proc, columns, 1);
}

int sw_view_fill_cpu(struct sw_view *view, const struct sw_view_parts *parts)
{
	struct sw_view_cpu *cpu = &view->cpu;
	uint64_t milli, available;
	int rc = 0;

	/* A cgroup that was removed or left early does not have all of it. */
	if (!view->recording.is_cgroup_lost &&
	    !view->recording.has_left_cgroup &&
	    !sw_is_missing(sw_series_last(&parts->cpu, "usage_usec"))) {
		rc = fill_cpu_cgroup(view, &parts->cpu);
	} else {
		rc = fill_cpu_proc(view, &parts->proc);
		prefer_rusage(cpu, &parts->summary);
	}
	prefer_tasks(view);
	if (sw_is_missing(cpu->used_usec))
		cpu->source = NULL;
	milli = sw_series_last(&parts->steps, "requested_cpus_milli");
	available = sw_series_last(&parts->steps, "available_cpus_milli");
	cpu->is_requested = !sw_is_missing(milli);
	cpu->available_cores = sw_real_u64(available) / 1000;
	cpu->allocated_cores = cpu->is_requested ? sw_real_u64(milli) / 1000 :
						   cpu->available_cores;
	if (rc == 0)
		rc = fill_cpu_waits(view, &parts->proc);
	cpu->mean_cores = sw_ratio_u64(cpu->used_usec, view->elapsed_usec);
	cpu->efficiency = cpu->mean_cores / cpu->allocated_cores;
	cpu->peak_cores = sw_view_peak_cores(&view->cores, cpu->mean_cores);
	return rc;
}

static void fill_stalled(struct sw_view *view,
			 const struct sw_view_parts *parts)
{
	struct sw_view_pressure *p = &view->pressure;
	const struct sw_series *series = &parts->pressure;

	p->cpu_some_usec = sw_series_growth(series, "cpu.some.total");
	p->memory_some_usec = sw_series_growth(series, "memory.some.total");
	p->memory_full_usec = sw_series_growth(series, "memory.full.total");
	p->io_some_usec = sw_series_growth(series, "io.some.total");
	p->io_full_usec = sw_series_growth(series, "io.full.total");
	view->io.stalled_usec = p->io_some_usec;
}

/* For processes count reads only: the kernel writes later, on their behalf. */
static int fill_device_rate(struct sw_view *view,
			    const struct sw_view_parts *parts)
{
	static const char *const devices[] = { "rbytes", "wbytes" };
	static const char *const processes[] = { "read_bytes" };
	bool is_cgroup = sw_series_rows(&parts->io) > 0;
	const struct sw_series *series = is_cgroup ? &parts->io : &parts->proc;
	uint64_t *bytes;
	int rc;

	view->io.device_requests =
		sw_add_u64(sw_series_growth(&parts->io, "rios"),
			   sw_series_growth(&parts->io, "wios"));
	bytes = sw_series_sum(series, is_cgroup ? devices : processes,
			      is_cgroup ? 2 : 1);
	rc = bytes ? sw_curve_rate(&view->device_rate, series, bytes, 1) : -1;
	free(bytes);
	return rc;
}

int sw_view_fill_io(struct sw_view *view, const struct sw_view_parts *parts)
{
	static const char *const calls[] = { "rchar", "wchar" };
	static const char *const some[] = { "io.some.total" };
	struct sw_view_io *io = &view->io;
	uint64_t *bytes, *stall;
	int rc = -1;

	io->source = sw_series_source(&parts->io);
	io->read_bytes = sw_series_growth(&parts->io, "rbytes");
	io->written_bytes = sw_series_growth(&parts->io, "wbytes");
	if (sw_is_missing(io->read_bytes)) {
		io->source = "proc";
		io->read_bytes = sw_series_growth(&parts->proc, "read_bytes");
		io->written_bytes =
			sw_series_growth(&parts->proc, "write_bytes");
	}
	if (sw_is_missing(io->read_bytes))
		io->source = NULL;
	io->call_read_bytes = sw_series_growth(&parts->proc, "rchar");
	io->call_written_bytes = sw_series_growth(&parts->proc, "wchar");
	io->call_reads = sw_series_growth(&parts->proc, "syscr");
	io->call_writes = sw_series_growth(&parts->proc, "syscw");
	io->opens = sw_series_growth(&parts->proc, "opens");
	fill_stalled(view, parts);
	bytes = sw_series_sum(&parts->proc, calls, 2);
	stall = sw_series_sum(&parts->pressure, some, 1);
	if (bytes && stall &&
	    sw_curve_rate(&view->io_rate, &parts->proc, bytes, 1) == 0 &&
	    sw_curve_rate(&view->io_stall, &parts->pressure, stall,
			  1e-6) == 0 &&
	    fill_device_rate(view, parts) == 0)
		rc = 0;
	free(bytes);
	free(stall);
	return rc;
}
