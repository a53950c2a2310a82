/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a line of sacct's says of a run. */
#include "analyzer/import/sacct_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/sacct/run_state.h"
#include "analyzer/sacct/sacct_text.h"
#include "common/exit_status.h"
#include "common/local_time.h"

/* With fewer than two samples the largest of them says little. */
#define SAMPLED_SECONDS 60.0

static double positive(double value)
{
	return value > 0 ? value : NAN;
}

static double elapsed_of(const struct sw_sacct_line *line)
{
	double value = sw_acct_text_number(line->field[SW_SACCT_ELAPSED_RAW]);

	return isnan(value) ?
	       sw_acct_text_duration(line->field[SW_SACCT_ELAPSED]) : value;
}

static double limit_of(const struct sw_sacct_line *line)
{
	double minutes = sw_acct_text_number(line->field[SW_SACCT_LIMIT_RAW]);

	return positive(isnan(minutes) ?
			sw_acct_text_duration(line->field[SW_SACCT_LIMIT]) :
			minutes * 60);
}

static double cores_of(const struct sw_sacct_line *line)
{
	double value = sw_acct_text_number(line->field[SW_SACCT_CPUS]);

	if (!(value > 0))
		value = sw_acct_text_number(line->field[SW_SACCT_REQ_CPUS]);
	return positive(value);
}

static double nodes_of(const struct sw_sacct_line *line)
{
	return positive(sw_acct_text_number(line->field[SW_SACCT_NODES]));
}

/* On one node; without a count of nodes there is one. */
static void put_memory(struct sw_run *run, const struct sw_sacct_line *line)
{
	double nodes = nodes_of(line), value;
	enum sw_acct_memory_of of;

	value = sw_acct_text_request(line->field[SW_SACCT_REQ_MEM], &of);
	run->memory_per = sw_acct_memory_per(of);
	if (isnan(nodes))
		nodes = 1;
	if (of == SW_ACCT_OF_CPU)
		value *= cores_of(line);
	run->requested_bytes = of == SW_ACCT_OF_NODE ? value : value / nodes;
}

void sw_sacct_put_need(struct sw_run *run, const struct sw_sacct_line *step)
{
	double max =
		positive(sw_acct_text_bytes(step->field[SW_SACCT_MAX_RSS]));
	double average = sw_acct_text_bytes(step->field[SW_SACCT_AVE_RSS]);
	double tasks = sw_acct_text_number(step->field[SW_SACCT_TASKS]);
	double nodes = nodes_of(step), on_node = 1, low;

	if (tasks > 1)
		on_node = ceil(tasks / (nodes >= 1 ? nodes : 1));
	low = fmax(max, average * on_node);
	/* Steps beside each other are not known to be so. */
	if (isnan(run->need_bytes) || low > run->need_bytes)
		run->need_bytes = low;
	if (isnan(run->need_upper_bytes) ||
	    max * on_node > run->need_upper_bytes)
		run->need_upper_bytes = max * on_node;
	if (tasks > run->tasks || isnan(run->tasks))
		run->tasks = positive(tasks);
}

/*
 * What ended well within its request cannot have needed more: what Slurm has
 * above that is page cache (23.11 on), huge pages counted twice (22.05), or
 * pages that processes share.
 */
static bool is_above_what_was_enough(const struct sw_run *run)
{
	return run->state == SW_RUN_COMPLETED &&
	       run->need_bytes > run->requested_bytes;
}

void sw_sacct_bound_need(struct sw_run *run)
{
	if (is_above_what_was_enough(run)) {
		run->need_bytes = run->requested_bytes;
		run->is_lower_bound = false;
		return;
	}
	if (run->state == SW_RUN_OUT_OF_MEMORY &&
	    !(run->need_bytes >= run->requested_bytes)) {
		run->need_bytes = fmax(run->need_bytes, run->requested_bytes);
		run->need_upper_bytes = run->need_bytes;
	}
	run->is_lower_bound = run->state == SW_RUN_OUT_OF_MEMORY ||
		run->elapsed_seconds < SAMPLED_SECONDS;
}

/* "1:0" is an exit code and a signal; 125 is Slurm's mark of an OOM kill. */
static double exit_code_of(const struct sw_sacct_line *line)
{
	enum { SIGNALS = 64 };
	unsigned code, signal;
	char more;

	if (sscanf(line->field[SW_SACCT_EXIT], "%3u:%3u%c", &code, &signal,
		   &more) != 2)
		return NAN;
	return signal > 0 && signal <= SIGNALS ? SW_STATUS_SIGNAL + signal :
						  code;
}

void sw_sacct_put_line(struct sw_run *run, const struct sw_sacct_line *line)
{
	double restarts = sw_acct_text_number(line->field[SW_SACCT_RESTARTS]);

	run->state = sw_run_state_of_job(
		sw_job_state_read(line->field[SW_SACCT_STATE]));
	run->start_seconds = sw_acct_text_time(line->field[SW_SACCT_START]);
	run->end_seconds = sw_acct_text_time(line->field[SW_SACCT_END]);
	run->elapsed_seconds = elapsed_of(line);
	run->submit_seconds = sw_acct_text_time(line->field[SW_SACCT_SUBMIT]);
	run->exit_code = exit_code_of(line);
	if (strchr(line->field[SW_SACCT_START], 'T'))
		sw_local_times_settle(run->submit_seconds, &run->start_seconds,
				      &run->end_seconds, run->elapsed_seconds);
	if (isnan(run->end_seconds))
		run->end_seconds = run->start_seconds + run->elapsed_seconds;
	run->requested_cores = cores_of(line);
	run->nodes = nodes_of(line);
	run->used_core_seconds =
		sw_acct_text_duration(line->field[SW_SACCT_TOTAL_CPU]);
	if (restarts >= 0 && restarts < 10000)
		run->attempt = (unsigned)restarts + 1;
}

static double gpus_of(const struct sw_sacct_line *line)
{
	double given = sw_acct_text_tres(line->field[SW_SACCT_ALLOC_TRES],
					 "gres/gpu");

	return positive(isnan(given) ?
			sw_acct_text_tres(line->field[SW_SACCT_REQ_TRES],
					  "gres/gpu") : given);
}

/* "stepwell:input=3.5G" among what a user says of the job. */
static double input_of(const char *comment)
{
	static const char mark[] = "stepwell:input=";
	const char *at = strstr(comment, mark);
	char text[32];

	if (!at)
		return NAN;
	at += sizeof(mark) - 1;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(at, " ,;"), at);
	return sw_acct_text_bytes(text);
}

void sw_sacct_put_request(struct sw_run *run, const struct sw_sacct_line *line)
{
	run->requested_seconds = limit_of(line);
	put_memory(run, line);
	run->requested_gpus = gpus_of(line);
	run->input_bytes = input_of(line->field[SW_SACCT_COMMENT]);
}
