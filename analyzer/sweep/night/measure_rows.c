/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Convert the recorders' rows of a job's steps to integers. */
#include "analyzer/sweep/night/measure_rows.h"

#include <math.h>
#include <string.h>

#include "analyzer/sweep/night/measure.h"
#include "common/missing.h"
#include "common/units.h"

/* Tolerance for clocks and sampling. */
#define OBSERVED_MAX 1.05

/* A smaller share of the time is not representative. */
#define GPU_SEEN_MIN 0.5

bool sw_measure_is_numbered(const char *step)
{
	return step[0] >= '0' && step[0] <= '9';
}

/* The script waits while steps run, so its waits are not the job's. */
static bool is_work(const struct sw_step_summary *row, bool has_steps)
{
	return has_steps ? sw_measure_is_numbered(row->step)
			 : strcmp(row->step, "extern") != 0;
}

static void add_usec(uint64_t *to, double seconds)
{
	*to = sw_tally_plus(*to, sw_count_of(seconds *
					     (double)SW_USEC_PER_SEC));
}

/* Ignore rows whose shares exceed their time. */
static void put_limited(uint64_t *n, const struct sw_step_summary *row,
			double wall)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		sum += row->limited[i];
	if (!(sum <= wall * OBSERVED_MAX))
		return;
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		add_usec(&n[SW_TALLY_LIMITED_CPU_USEC + i], row->limited[i]);
	add_usec(&n[SW_TALLY_OBSERVED_USEC], sum);
}

/* Many kernels lack PSI: missing is not zero. */
static void put_pressure(uint64_t *n, const struct sw_step_summary *row,
			 double wall)
{
	if (isnan(row->io_full) || isnan(row->memory_full))
		return;
	add_usec(&n[SW_TALLY_PRESSURE_USEC], wall);
	add_usec(&n[SW_TALLY_IO_FULL_USEC], fmin(row->io_full, wall));
	add_usec(&n[SW_TALLY_MEMORY_FULL_USEC], fmin(row->memory_full, wall));
	if (!isnan(row->cpu_some))
		add_usec(&n[SW_TALLY_CPU_SOME_USEC], fmin(row->cpu_some, wall));
}

static void put_row(uint64_t *n, const struct sw_step_summary *row)
{
	double wall = row->end - row->start;

	if (!(wall > 0))
		return;
	add_usec(&n[SW_TALLY_STEP_USEC], wall);
	add_usec(&n[SW_TALLY_STEP_CORE_USEC], wall * row->requested_cores);
	put_pressure(n, row, wall);
	add_usec(&n[SW_TALLY_THROTTLED_USEC], row->throttled);
	put_limited(n, row, wall);
}

void sw_measure_rows(uint64_t *n, const struct sw_step_summary *rows,
		     size_t count)
{
	bool has_steps = false;
	size_t i;

	for (i = 0; i < count; i++)
		has_steps |= sw_measure_is_numbered(rows[i].step);
	for (i = 0; i < count; i++) {
		n[SW_TALLY_READ_BYTES] = sw_tally_plus(
			n[SW_TALLY_READ_BYTES],
			sw_count_of(rows[i].read_bytes));
		n[SW_TALLY_WRITTEN_BYTES] =
			sw_tally_plus(n[SW_TALLY_WRITTEN_BYTES],
				      sw_count_of(rows[i].written_bytes));
		n[SW_TALLY_OOM_KILLS] = sw_tally_plus(
			n[SW_TALLY_OOM_KILLS], sw_count_of(rows[i].oom_kills));
		if (is_work(&rows[i], has_steps))
			put_row(n, &rows[i]);
	}
}

/*
 * The batch step has all GPUs of the job on its node for its whole time: its
 * row already includes those of steps on that node.
 */
static bool is_in_another(const struct sw_step_summary *rows, size_t count,
			  const struct sw_step_summary *row)
{
	size_t i;

	for (i = 0; i < count && strcmp(row->step, "batch") != 0; i++) {
		if (!strcmp(rows[i].step, "batch") && rows[i].gpu_seen > 0 &&
		    !strcmp(rows[i].node, row->node))
			return true;
	}
	return false;
}

/* Add GPU use if GPUs were sampled for most of the job's time. */
void sw_measure_gpus(uint64_t *n, const struct sw_step_summary *rows,
		     size_t count, bool is_failed)
{
	double seen = 0, busy = 0, all = (double)n[SW_TALLY_GPU_SECONDS];
	size_t i;

	for (i = 0; i < count; i++) {
		if (!(rows[i].gpu_seen > 0) || isnan(rows[i].gpu_busy) ||
		    is_in_another(rows, count, &rows[i]))
			continue;
		seen += rows[i].gpu_seen;
		busy += fmin(rows[i].gpu_busy, rows[i].gpu_seen);
	}
	if (!(all > 0) || !(seen >= all * GPU_SEEN_MIN))
		return;
	n[SW_TALLY_GPU_KNOWN_SECONDS] = n[SW_TALLY_GPU_SECONDS];
	n[SW_TALLY_GPU_BUSY_SECONDS] = sw_count_of(all * busy / seen);
	if (!is_failed)
		n[SW_TALLY_GPU_IDLE_SECONDS] =
			sw_less(n[SW_TALLY_GPU_KNOWN_SECONDS],
			     n[SW_TALLY_GPU_BUSY_SECONDS]);
}

const char *sw_measure_stall(const struct sw_step_summary *rows, size_t count,
			     const struct sw_step_summary *row)
{
	const char *mount = row->stall_mount;
	bool has_steps = false;
	size_t i;

	for (i = 0; i < count; i++)
		has_steps |= sw_measure_is_numbered(rows[i].step);
	if (!is_work(row, has_steps) || !(row->stall_idle > 0) ||
	    row->stall_idle > row->end - row->start)
		return NULL;
	return *sw_text(mount) ? mount : row->stall_fs;
}
