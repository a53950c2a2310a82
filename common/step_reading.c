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

/*
 * Return the mean over the span of a source's rows: the growth of a counter per
 * microsecond, or a level as of the later of two rows.  NAN if unknown.
 */
static inline double mean(const struct span *span, size_t time, size_t value,
			  bool is_level)
{
	double sum = 0, width = 0, part;
	uint64_t start, end, from, to, found;
	const struct sw_step_reading *before, *now;
	size_t i;

	for (i = 1; i < span->readings->count; i++) {
		before = sw_step_readings_at(span->readings, i - 1);
		now = sw_step_readings_at(span->readings, i);
		start = value_at(before, time);
		end = value_at(now, time);
		if (sw_is_missing(start) || end <= start)
			continue;
		if (start >= span->end_usec)
			break;
		from = start > span->start_usec ? start : span->start_usec;
		to = end < span->end_usec ? end : span->end_usec;
		found = is_level ? value_at(now, value) :
			sw_delta_u64(value_at(now, value),
				     value_at(before, value));
		if (from >= to || sw_is_missing(found))
			continue;
		part = (double)(to - from);
		sum += is_level ? (double)found * part :
			(double)found * (part / (double)(end - start));
		width += part;
	}
	return width > 0 ? sum / width : NAN;
}

#define OF(member) offsetof(struct sw_step_reading, member)

/* Growth of a source's member per microsecond. */
#define RATE(span, source, member) \
	mean(span, OF(source.usec), OF(source.member), false)

static double cores_of(const struct span *span, bool is_by_proc)
{
	return is_by_proc ? RATE(span, rows.proc, user_usec) +
				    RATE(span, rows.proc, system_usec)
			  : RATE(span, rows.cpu, usage_usec);
}

/*
 * Return the share of a quota's periods that were throttled.  Each cgroup has
 * periods of its own; the one that held the step back longer counts.
 */
static double throttled_of(const struct span *span)
{
	return fmax(RATE(span, rows.cpu, throttled) /
			    RATE(span, rows.cpu, periods),
		    RATE(span, rows.cpu, above_throttled) /
			    RATE(span, rows.cpu, above_periods));
}

/* Check if the step's own traffic filled the link in either direction. */
static bool fills_link(const struct span *span, uint64_t bytes_per_sec)
{
	double rate = fmax(RATE(span, rows.net, received_bytes),
			   RATE(span, rows.net, sent_bytes));

	return bytes_per_sec && rate * SW_USEC_PER_SEC >=
					SW_LINK_FULL_RATIO *
						(double)bytes_per_sec;
}

static void judge_waits(struct sw_sight *sight, const struct span *span,
			uint64_t link_bytes_per_sec)
{
	size_t i;

	sight->io_threads = RATE(span, waits, io_thread_usec);
	sight->has_waits = !isnan(sight->io_threads);
	if (!sight->has_waits)
		return;
	sight->lock_threads = RATE(span, waits, lock_thread_usec);
	for (i = 0; i < SW_LIMIT_WAITS; i++)
		sight->idle[i] = mean(span, OF(waits.usec),
				      OF(waits.idle_usec) +
					      i * sizeof(uint64_t),
				      false);
	if (fills_link(span, link_bytes_per_sec))
		sw_limits_blame_link(sight->idle);
}

static void judge_reads(struct sw_sight *sight, const struct span *span,
			double page_bytes)
{
	double refaults = RATE(span, rows.memory, refaults_file) +
			  RATE(span, rows.memory, refaults_anon);
	double read = RATE(span, rows.io, read_bytes);

	if (isnan(read))
		read = RATE(span, rows.proc, read_bytes);
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

	*sight = (struct sw_sight){
		.cores = start->is_by_proc == end->is_by_proc
				 ? cores_of(&span, end->is_by_proc)
				 : NAN,
		.cpu_waits = RATE(&span, rows.proc, queued_usec),
		.throttled = throttled_of(&span),
		.gpu = RATE(&span, gpu, busy_usec) /
		       RATE(&span, gpu, seen_usec),
		.io_full = RATE(&span, rows.pressure, io_full_usec),
		.memory_full = RATE(&span, rows.pressure, memory_full_usec),
	};
	judge_reads(sight, &span, page_bytes);
	/* The speed of the link is read only after much traffic. */
	last = sw_step_readings_at(readings, readings->count - 1);
	judge_waits(sight, &span, last->link_bytes_per_sec);
}

double sw_step_readings_ran(const struct sw_step_readings *readings,
			    size_t index)
{
	const struct span span = span_of(readings, index);

	return mean(&span, OF(rows.runnable.usec), OF(rows.runnable.workers_ran),
		    true);
}
