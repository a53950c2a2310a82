/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluate samples of a step for what limits it. */
#include "common/step_reading.h"

#include <math.h>
#include <string.h>

#include "common/delta.h"
#include "common/units.h"

#define FIELD(source, column, member) \
	{ source, column, offsetof(struct sw_step_rows, member) }

const struct sw_step_field sw_step_fields[SW_STEP_FIELDS] = {
	FIELD("cpu", "time_usec", cpu.usec),
	FIELD("cpu", "usage_usec", cpu.usage_usec),
	FIELD("cpu", "nr_periods", cpu.periods),
	FIELD("cpu", "nr_throttled", cpu.throttled),
	FIELD("cpu", "ancestor.nr_periods", cpu.above_periods),
	FIELD("cpu", "ancestor.nr_throttled", cpu.above_throttled),
	FIELD("proc", "time_usec", proc.usec),
	FIELD("proc", "utime_usec", proc.user_usec),
	FIELD("proc", "stime_usec", proc.system_usec),
	FIELD("proc", "run_queue_wait_usec", proc.queued_usec),
	FIELD("proc", "read_bytes", proc.read_bytes),
	FIELD("memory", "time_usec", memory.usec),
	FIELD("memory", "workingset_refault_file", memory.refaults_file),
	FIELD("memory", "workingset_refault_anon", memory.refaults_anon),
	FIELD("io", "time_usec", io.usec),
	FIELD("io", "rbytes", io.read_bytes),
	FIELD("io", "wbytes", io.written_bytes),
	FIELD("pressure", "time_usec", pressure.usec),
	FIELD("pressure", "io.full.total", pressure.io_full_usec),
	FIELD("pressure", "memory.full.total", pressure.memory_full_usec),
	FIELD("net", "time_usec", net.usec),
	FIELD("net", "rx_bytes", net.received_bytes),
	FIELD("net", "tx_bytes", net.sent_bytes),
	FIELD("runnable", "time_usec", runnable.usec),
	FIELD("runnable", "threads", runnable.threads),
	FIELD("runnable", "cpus", runnable.cpus),
	FIELD("runnable", "workers", runnable.workers),
	FIELD("runnable", "workers_cpu_usec", runnable.workers_usec),
	FIELD("runnable", "busiest_cpu_usec", runnable.busiest_usec),
	FIELD("runnable", "workers_ran", runnable.workers_ran),
};

void sw_step_reading_init(struct sw_step_reading *reading)
{
	*reading = (struct sw_step_reading){ .link_bytes_per_sec = 0 };
	sw_set_missing((uint64_t *)&reading->rows, SW_STEP_FIELDS);
	reading->waits.usec = reading->gpu.usec = SW_MISSING;
}

void sw_step_rows_set(struct sw_step_rows *rows,
		      const struct sw_step_field *field, uint64_t value)
{
	memcpy((char *)rows + field->offset, &value, sizeof(value));
}

uint64_t sw_step_reading_usage(const struct sw_step_reading *reading)
{
	const struct sw_step_rows *rows = &reading->rows;

	return reading->is_by_proc ? sw_add_u64(rows->proc.user_usec,
						rows->proc.system_usec)
				   : rows->cpu.usage_usec;
}

uint64_t sw_step_reading_usec(const struct sw_step_reading *reading)
{
	return reading->is_by_proc ? reading->rows.proc.usec
				   : reading->rows.cpu.usec;
}

struct sw_step_reading *
sw_step_readings_at(const struct sw_step_readings *readings, size_t index)
{
	size_t at = (readings->first + index) % SW_STEP_READINGS;

	return (struct sw_step_reading *)&readings->items[at];
}

bool sw_step_readings_cover(const struct sw_step_readings *readings,
			    uint64_t usec)
{
	const struct sw_step_reading *last =
		sw_step_readings_at(readings, readings->count - 1);
	const uint64_t times[] = {
		/* The cgroup may be removed where processes are counted. */
		last->is_by_proc ? SW_MISSING : last->rows.cpu.usec,
		last->rows.proc.usec, last->rows.memory.usec,
		last->rows.io.usec, last->rows.pressure.usec,
		last->rows.net.usec, last->rows.runnable.usec,
		last->waits.usec, last->gpu.usec,
	};
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		if (times[i] < usec)
			return false;
	}
	return true;
}

static uint64_t value_at(const struct sw_step_reading *reading, size_t offset)
{
	uint64_t value;

	memcpy(&value, (const char *)reading + offset, sizeof(value));
	return value;
}

/* An interval within the time of some readings */
struct span {
	const struct sw_step_readings *readings;
	uint64_t start_usec, end_usec;
};

/* Successive rows of a source that overlap with a span. */
struct overlap {
	size_t count;
	struct {
		const struct sw_step_reading *before, *now;
		double usec;	/* of the span */
		double share;	/* of the time between the rows */
	} pairs[SW_STEP_READINGS];
};

/* time: offset of the source's time in a reading. */
static void find_overlap(struct overlap *overlap, const struct span *span,
			 size_t time)
{
	const struct sw_step_reading *before, *now;
	uint64_t start, end, from, to;
	size_t i;

	overlap->count = 0;
	now = sw_step_readings_at(span->readings, 0);
	end = value_at(now, time);
	for (i = 1; i < span->readings->count; i++) {
		before = now;
		start = end;
		now = sw_step_readings_at(span->readings, i);
		end = value_at(now, time);
		if (sw_is_missing(start) || end <= start)
			continue;
		if (start >= span->end_usec)
			break;
		from = start > span->start_usec ? start : span->start_usec;
		to = end < span->end_usec ? end : span->end_usec;
		if (from >= to)
			continue;
		overlap->pairs[overlap->count].before = before;
		overlap->pairs[overlap->count].now = now;
		overlap->pairs[overlap->count].usec = (double)(to - from);
		overlap->pairs[overlap->count++].share =
			(double)(to - from) / (double)(end - start);
	}
}

/* Return a counter's growth per microsecond; NAN if unknown. */
static double rate_of(const struct overlap *overlap, size_t value)
{
	double sum = 0, usec = 0;
	size_t i;

	for (i = 0; i < overlap->count; i++) {
		uint64_t grown =
			sw_delta_u64(value_at(overlap->pairs[i].now, value),
				     value_at(overlap->pairs[i].before, value));

		if (sw_is_missing(grown))
			continue;
		sum += (double)grown * overlap->pairs[i].share;
		usec += overlap->pairs[i].usec;
	}
	return usec > 0 ? sum / usec : NAN;
}

/* Return the mean level, which is that of the later of two rows; or NAN. */
static double level_of(const struct overlap *overlap, size_t value)
{
	double sum = 0, usec = 0;
	size_t i;

	for (i = 0; i < overlap->count; i++) {
		uint64_t level = value_at(overlap->pairs[i].now, value);

		if (sw_is_missing(level))
			continue;
		sum += (double)level * overlap->pairs[i].usec;
		usec += overlap->pairs[i].usec;
	}
	return usec > 0 ? sum / usec : NAN;
}

#define OF(member) offsetof(struct sw_step_reading, member)

static double cores_of(const struct overlap *cpu, const struct overlap *proc,
		       bool is_by_proc)
{
	return is_by_proc ? rate_of(proc, OF(rows.proc.user_usec)) +
				    rate_of(proc, OF(rows.proc.system_usec))
			  : rate_of(cpu, OF(rows.cpu.usage_usec));
}

/*
 * Return the share of a quota's periods that were throttled.  Each cgroup has
 * periods of its own; the one that held the step back longer counts.
 */
static double throttled_of(const struct overlap *cpu)
{
	return fmax(rate_of(cpu, OF(rows.cpu.throttled)) /
			    rate_of(cpu, OF(rows.cpu.periods)),
		    rate_of(cpu, OF(rows.cpu.above_throttled)) /
			    rate_of(cpu, OF(rows.cpu.above_periods)));
}

/* Check if the step's own traffic filled the link in either direction. */
static bool fills_link(const struct span *span, uint64_t bytes_per_sec)
{
	struct overlap net;
	double rate;

	if (!bytes_per_sec)
		return false;
	find_overlap(&net, span, OF(rows.net.usec));
	rate = fmax(rate_of(&net, OF(rows.net.received_bytes)),
		    rate_of(&net, OF(rows.net.sent_bytes)));
	return rate * SW_USEC_PER_SEC >=
	       SW_LINK_FULL_RATIO * (double)bytes_per_sec;
}

static void judge_gpu(struct sw_sight *sight, const struct span *span)
{
	struct overlap gpu;

	find_overlap(&gpu, span, OF(gpu.usec));
	sight->gpu = rate_of(&gpu, OF(gpu.busy_usec)) /
		     rate_of(&gpu, OF(gpu.seen_usec));
}

static void judge_pressure(struct sw_sight *sight, const struct span *span)
{
	struct overlap pressure;

	find_overlap(&pressure, span, OF(rows.pressure.usec));
	sight->io_full = rate_of(&pressure, OF(rows.pressure.io_full_usec));
	sight->memory_full =
		rate_of(&pressure, OF(rows.pressure.memory_full_usec));
}

static void judge_waits(struct sw_sight *sight, const struct span *span,
			uint64_t link_bytes_per_sec)
{
	struct overlap waits;
	size_t i;

	find_overlap(&waits, span, OF(waits.usec));
	sight->io_threads = rate_of(&waits, OF(waits.io_thread_usec));
	sight->has_waits = !isnan(sight->io_threads);
	if (!sight->has_waits)
		return;
	sight->lock_threads = rate_of(&waits, OF(waits.lock_thread_usec));
	for (i = 0; i < SW_LIMIT_WAITS; i++)
		sight->idle[i] = rate_of(&waits, OF(waits.idle_usec) +
							 i * sizeof(uint64_t));
	if (fills_link(span, link_bytes_per_sec))
		sw_limits_blame_link(sight->idle);
}

static void judge_reads(struct sw_sight *sight, const struct span *span,
			const struct overlap *proc, double page_bytes)
{
	struct overlap memory, io;
	double refaults, read;

	find_overlap(&memory, span, OF(rows.memory.usec));
	find_overlap(&io, span, OF(rows.io.usec));
	refaults = rate_of(&memory, OF(rows.memory.refaults_file)) +
		   rate_of(&memory, OF(rows.memory.refaults_anon));
	read = rate_of(&io, OF(rows.io.read_bytes));
	if (isnan(read))
		read = rate_of(proc, OF(rows.proc.read_bytes));
	sight->reread = refaults * page_bytes / read;
	sight->refaults = refaults * SW_USEC_PER_SEC;
}

static struct span span_of(const struct sw_step_readings *readings,
			   size_t index)
{
	return (struct span){
		.readings = readings,
		.start_usec = sw_step_reading_usec(
			sw_step_readings_at(readings, index)),
		.end_usec = sw_step_reading_usec(
			sw_step_readings_at(readings, index + 1)),
	};
}

void sw_step_readings_judge(const struct sw_step_readings *readings,
			    size_t index, double page_bytes,
			    struct sw_sight *sight)
{
	const struct sw_step_reading *start =
		sw_step_readings_at(readings, index);
	const struct sw_step_reading *end =
		sw_step_readings_at(readings, index + 1);
	const struct span span = span_of(readings, index);
	const struct sw_step_reading *last;
	struct overlap cpu, proc;

	find_overlap(&cpu, &span, OF(rows.cpu.usec));
	find_overlap(&proc, &span, OF(rows.proc.usec));
	*sight = (struct sw_sight){
		.cores = start->is_by_proc == end->is_by_proc
				 ? cores_of(&cpu, &proc, end->is_by_proc)
				 : NAN,
		.cpu_waits = rate_of(&proc, OF(rows.proc.queued_usec)),
		.throttled = throttled_of(&cpu),
	};
	judge_gpu(sight, &span);
	judge_pressure(sight, &span);
	judge_reads(sight, &span, &proc, page_bytes);
	/* The speed of the link is read only after much traffic. */
	last = sw_step_readings_at(readings, readings->count - 1);
	judge_waits(sight, &span, last->link_bytes_per_sec);
}

double sw_step_readings_ran(const struct sw_step_readings *readings,
			    size_t index)
{
	const struct span span = span_of(readings, index);
	struct overlap runnable;

	find_overlap(&runnable, &span, OF(rows.runnable.usec));
	return level_of(&runnable, OF(rows.runnable.workers_ran));
}
