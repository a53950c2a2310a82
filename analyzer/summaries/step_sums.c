/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sum rows of steps and jobs into runs. */
#include "analyzer/summaries/step_summary.h"

#include <math.h>
#include <string.h>
#include <sys/wait.h>

#include "common/units.h"

enum { OVERLAP_MAX = 1000 };

/* Shares of a step's time: CPU seconds throttled; some task without a CPU. */
#define THROTTLED_MAX 0.01
#define STARVED_MAX 0.10

static enum sw_run_state state_of(uint64_t status)
{
	int value = (int)status;

	if (sw_is_missing(status))
		return SW_RUN_UNKNOWN;
	if (WIFEXITED(value))
		return WEXITSTATUS(value) ? SW_RUN_FAILED : SW_RUN_COMPLETED;
	/* A time limit, scancel or preemption; only sacct knows which. */
	return WIFSIGNALED(value) && (WTERMSIG(value) == 15 ||
				      WTERMSIG(value) == 9) ?
	       SW_RUN_CANCELLED : SW_RUN_FAILED;
}

/* Share of the accounted time of all rows. */
static double waiting_of(const struct sw_step_summary *rows, size_t count)
{
	double waited = 0, all = 0;
	size_t i, j;

	for (i = 0; i < count; i++) {
		const double *limited = rows[i].limited;

		if (isnan(limited[0]) || !strcmp(rows[i].step, "extern"))
			continue;
		for (j = 0; j < SW_LIMITED_BY_RESOURCES; j++)
			all += limited[j];
		waited += limited[SW_LIMITED_BY_WAITING] +
			  limited[SW_LIMITED_BY_LOCK];
	}
	return all > 0 ? waited / all : NAN;
}

/* Sum the rows of one step on its nodes into a run. */
void sw_step_summaries_sum(struct sw_run *run, const struct sw_step_summary *rows,
		   size_t count)
{
	enum sw_run_state state;
	size_t i;

	*run = sw_run_unknown;
	run->nodes = (double)count;
	run->attempt = (unsigned)sw_step_summary_restarts(rows) + 1;
	for (i = 0; i < count; i++) {
		run->start_seconds = fmin(run->start_seconds, rows[i].start);
		run->end_seconds = fmax(run->end_seconds, rows[i].end);
		run->requested_cores = sw_sum_real(run->requested_cores,
					   rows[i].requested_cores);
		run->used_core_seconds = sw_sum_real(run->used_core_seconds,
					     rows[i].used);
		run->tasks = fmax(run->tasks, rows[i].tasks);
		run->input_bytes = fmax(run->input_bytes, rows[i].input);
		run->is_lower_bound |= rows[i].oom_kills > 0;
		if (!(rows[i].need <= run->need_bytes) &&
		    !isnan(rows[i].need)) {
			run->need_bytes = rows[i].need;
			run->requested_bytes = rows[i].requested_bytes;
		}
		if (isnan(run->requested_bytes))
			run->requested_bytes = rows[i].requested_bytes;
		state = state_of(rows[i].wait_status);
		if (run->state == SW_RUN_UNKNOWN ||
		    run->state == SW_RUN_COMPLETED)
			run->state = state != SW_RUN_UNKNOWN ? state :
				     run->state;
	}
	run->elapsed_seconds = run->end_seconds - run->start_seconds;
	run->need_upper_bytes = run->need_bytes;
	run->waiting_share = waiting_of(rows, count);
	if (run->is_lower_bound)
		run->state = SW_RUN_OUT_OF_MEMORY;
}

static double need_of(const struct sw_step_summary *row)
{
	return row->need;
}

static double need_low_of(const struct sw_step_summary *row)
{
	return row->need_low;
}

/* Use is no measure of demand if the step was throttled or waited for a CPU. */
static double peak_of(const struct sw_step_summary *row)
{
	double seconds = row->end - row->start;

	return row->throttled > THROTTLED_MAX * seconds ||
	       row->cpu_some > STARVED_MAX * seconds ? NAN : row->peak_cores;
}

/* Largest simultaneous sum over a job's steps on one node. */
static double most_on(const struct sw_step_summary *rows, size_t count,
		      const char *node,
		      double (*of)(const struct sw_step_summary *row))
{
	double most = NAN, here;
	size_t i, j;

	for (i = 0; i < count; i++) {
		if (strcmp(rows[i].node, node) != 0 || isnan(of(&rows[i])))
			continue;
		here = 0;
		/* The maximum is reached when one of them starts. */
		for (j = 0; j < count && count <= OVERLAP_MAX; j++) {
			if (!strcmp(rows[j].node, node) &&
			    rows[j].start <= rows[i].start &&
			    !(rows[j].end <= rows[i].start) &&
			    !isnan(of(&rows[j])))
				here += of(&rows[j]);
		}
		most = fmax(most, fmax(here, of(&rows[i])));
	}
	return most;
}

/* True if known for all rows. */
static bool has_peaks(const struct sw_step_summary *rows, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (isnan(peak_of(&rows[i])) &&
		    strcmp(rows[i].step, "extern") != 0)
			return false;
	}
	return count <= OVERLAP_MAX;
}

static double cores_on(const struct sw_step_summary *rows, size_t count,
		       const char *node, double *bytes)
{
	double cores = NAN;
	size_t i;

	*bytes = NAN;
	for (i = 0; i < count; i++) {
		if (strcmp(rows[i].node, node) != 0)
			continue;
		/* batch and extern have the request of all steps. */
		cores = fmax(cores, rows[i].requested_cores);
		*bytes = fmax(*bytes, rows[i].requested_bytes);
	}
	return cores;
}

static bool is_first_of_node(const struct sw_step_summary *rows, size_t at)
{
	size_t i;

	for (i = 0; i < at; i++) {
		if (!strcmp(rows[i].node, rows[at].node))
			return false;
	}
	return true;
}

double sw_step_summaries_need_low(const struct sw_step_summary *rows,
				  size_t count)
{
	double most = NAN;
	size_t i;

	for (i = 0; i < count; i++) {
		if (is_first_of_node(rows, i))
			most = fmax(most, most_on(rows, count, rows[i].node,
						  need_low_of));
	}
	return most;
}

/* The script's end is the job's, as in sw_view_sum(). */
static void put_state(struct sw_run *run,
		      const struct sw_step_summary *rows, size_t count)
{
	enum sw_run_state worst = SW_RUN_UNKNOWN, state;
	size_t i;

	for (i = 0; i < count; i++) {
		state = state_of(rows[i].wait_status);
		if (!strcmp(rows[i].step, "batch") ||
		    !strcmp(rows[i].step, "interactive")) {
			worst = state;
			break;
		}
		if (strcmp(rows[i].step, "extern") != 0 && state > worst)
			worst = state;
	}
	run->state = run->is_lower_bound ? SW_RUN_OUT_OF_MEMORY : worst;
}

/* The value set at submission is the job's, as in sw_view_sum(). */
static void put_input(struct sw_run *run,
		      const struct sw_step_summary *rows, size_t count)
{
	for (; count > 0; count--, rows++) {
		if (!strcmp(rows->step, "batch") && !isnan(rows->input))
			run->input_bytes = rows->input;
	}
}

/* Sum all steps of a job, by node. */
void sw_step_summaries_sum_job(struct sw_run *run,
		       const struct sw_step_summary *rows, size_t count)
{
	bool is_peak_known = has_peaks(rows, count);
	double need, cores, bytes;
	size_t i;

	sw_step_summaries_sum(run, rows, count);
	run->nodes = 0;
	run->need_bytes = run->requested_cores = run->requested_bytes = NAN;
	for (i = 0; i < count; i++) {
		if (!is_first_of_node(rows, i))
			continue;
		run->nodes++;
		need = most_on(rows, count, rows[i].node, need_of);
		/* Nodes may peak at different times: an upper bound. */
		if (is_peak_known)
			run->peak_cores = sw_sum_real(run->peak_cores,
				most_on(rows, count, rows[i].node, peak_of));
		cores = cores_on(rows, count, rows[i].node, &bytes);
		run->requested_cores = sw_sum_real(run->requested_cores, cores);
		if (isnan(run->need_bytes) || need > run->need_bytes) {
			run->need_bytes = need;
			run->requested_bytes = bytes;
		}
	}
	run->need_upper_bytes = run->need_bytes;
	put_state(run, rows, count);
	put_input(run, rows, count);
}
