/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text report's parts that only jobs of a scheduler have. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/job/job_record.h"
#include "analyzer/job/spread.h"
#include "analyzer/print/paragraph.h"
#include "analyzer/report/text/report_text.h"
#include "analyzer/report/words.h"
#include "common/text.h"
#include "common/units.h"

enum { STEPS_SHOWN = 24, SPREADS_SHOWN = 6, EARLIER_SHOWN = 4 };

static void write_id(const struct sw_page *page)
{
	const struct sw_view *view = &page->result->job->total;
	char text[512];
	struct sw_jobid jobid = sw_job_key_id(&view->job);

	if (sw_is_missing(jobid.job))
		return;
	sw_jobid_format(text, sizeof(text), &jobid);
	if (jobid.job != view->job.job_id || sw_jobid_is_part(&jobid))
		sw_text_add(text, sizeof(text), ", number %llu",
			    (unsigned long long)view->job.job_id);
	if (view->name)
		sw_text_add(text, sizeof(text), ", name %.128s", view->name);
	if (view->cluster)
		sw_text_add(text, sizeof(text), ", cluster %.64s",
			    view->cluster);
	if (sw_zero_if_missing(view->job.restart_count))
		sw_text_add(text, sizeof(text), ", restarted: %llu",
			    (unsigned long long)view->job.restart_count);
	sw_page_line(page, "job", "%s", text);
}

/* "TIMEOUT, exit code 0 (sacct)", or why it is not known. */
static void write_record(const struct sw_page *page)
{
	const struct sw_job *job = page->result->job;
	const struct sw_job_record *row = page->result->view->slurm.record;
	char how[128];

	if (!job->total.slurm.is_slurm || job->record == SW_RECORD_UNASKED)
		return;
	if (row)
		sw_page_line(page, "Slurm", "%s%s%s (sacct)", row->end.text,
			     *sw_slurm_exit_words(how, sizeof(how), row) ?
				     ", " : "", how);
	else if (job->record == SW_RECORD_OPEN)
		sw_page_line(page, "Slurm", "%s (sacct): no final state yet",
			     job->record_state);
	else if (job->record == SW_RECORD_FINAL)
		sw_page_line(page, "Slurm", "sacct has no record of this step");
	else
		sw_page_line(page, "Slurm", "final state not known: %s",
			     job->record_state);
}

/* For nodes with several: "2 recordings of n1, 3 of n2". */
static void write_files(const struct sw_page *page)
{
	const struct sw_job *job = page->result->job;
	size_t i, left_out = 0;
	char text[512] = "";

	for (i = 0; i < job->node_count; i++) {
		const struct sw_node *node = &job->nodes[i];

		if (node->file_count < 2)
			continue;
		if (strlen(text) + 160 > sizeof(text)) {
			left_out++;
			continue;
		}
		sw_text_add(text, sizeof(text), "%s%zu%s of %.64s",
			    *text ? ", " : "", node->file_count,
			    *text ? "" : " recordings",
			    node->total.node ? node->total.node : "?");
	}
	if (left_out)
		sw_text_add(text, sizeof(text), ", and several of another %zu",
			    left_out);
	if (*text)
		sw_page_line(page, "joined", "%s", text);
}

/* "1 run before this one; to see it: stepwell report FILE" */
static void write_earlier(const struct sw_page *page)
{
	const struct sw_job *job = page->result->job;
	size_t i;

	if (!job->earlier_runs)
		return;
	sw_page_line(page, "earlier", "%zu earlier run%s, not part of this "
		     "report; name a file to see %s:", job->earlier_runs,
		     job->earlier_runs == 1 ? "" : "s",
		     job->earlier_runs == 1 ? "it" : "one");
	for (i = 0; i < job->earlier_count && i < EARLIER_SHOWN; i++)
		sw_page_line(page, "", "%s", job->earlier_paths[i]);
	if (i < job->earlier_count)
		sw_page_line(page, "", "and %zu more; --json has them all",
			     job->earlier_count - i);
}

void sw_text_report_job(const struct sw_page *page)
{
	char text[SW_NODES_WORDS_SIZE];

	write_id(page);
	write_record(page);
	sw_page_line(page, "nodes", "%s",
		     sw_nodes_words(text, sizeof(text), page->result->job));
	write_files(page);
	write_earlier(page);
}

static size_t failed_tasks(const struct sw_job_task *tasks, size_t count)
{
	size_t i, failed = 0;

	for (i = 0; i < count; i++)
		failed += !sw_is_missing(tasks[i].task->wait_status) &&
			  tasks[i].task->wait_status != 0;
	return failed;
}

/* "ok", "exit 1 (1 of 8 tasks)", "SIGKILL", "not seen" */
static void end_words(char *buf, size_t size, const struct sw_job_step *step)
{
	const struct sw_view *view = &step->view;
	size_t count, failed;
	struct sw_job_task *tasks;

	sw_end_words(buf, size, view);
	if (view->state != SW_STATE_FAILED && view->state != SW_STATE_KILLED)
		return;
	tasks = sw_job_tasks(step, &count);
	failed = tasks ? failed_tasks(tasks, count) : 0;
	if (count > 1 && failed)
		sw_text_add(buf, size, " (%zu of %zu tasks)", failed, count);
	free(tasks);
}

static const struct sw_text_table_column step_columns[] = {
	{ "step", 12, false },    { "tasks", 6, true },
	{ "nodes", 5, true },	  { "elapsed", 11, true },
	{ "CPU time", 11, true }, { "peak", 9, true },
	{ "end", 0, false },
};

enum { STEP_COLUMNS = sizeof(step_columns) / sizeof(step_columns[0]) };

static void write_step(const struct sw_page *page,
		       const struct sw_page_table *table,
		       const struct sw_job_step *step)
{
	const struct sw_view *view = &step->view;
	/* Without an upper bound of the need, the peak is from samples. */
	bool is_sampled = !sw_is_missing(view->memory.peak_bytes) &&
			  sw_is_missing(view->memory.need_upper_bytes);
	char peak[SW_UNITS_TEXT_SIZE + 4], end[96], tasks[24] = "?", nodes[24];

	end_words(end, sizeof(end), step);
	snprintf(peak, sizeof(peak), "%s%s",
		 is_sampled ? sw_text_at_least(page->style) : "",
		 sw_size_text(view->memory.peak_bytes).s);
	snprintf(nodes, sizeof(nodes), "%zu", step->node_count);
	if (!sw_is_missing(view->slurm.task_count))
		snprintf(tasks, sizeof(tasks), "%llu",
			 (unsigned long long)view->slurm.task_count);
	sw_page_table_row(table, (const char *const[STEP_COLUMNS]){
		view->step_id ? view->step_id : "?", tasks, nodes,
		sw_duration_text(view->elapsed_usec).s,
		sw_duration_text(view->cpu.used_usec).s, peak, end,
	});
}

void sw_text_report_steps(const struct sw_page *page)
{
	const struct sw_job *job = page->result->job;
	struct sw_page_table table;
	size_t i;

	sw_page_heading(page, "Steps");
	sw_page_table_init(&table, page, "steps of the job, on all nodes",
			   step_columns, STEP_COLUMNS);
	for (i = 0; i < job->step_count && i < STEPS_SHOWN; i++)
		write_step(page, &table, &job->steps[i]);
	if (job->step_count > STEPS_SHOWN)
		sw_page_paragraph(page, "  ", "and %zu more; --json has them "
				  "all", job->step_count - STEPS_SHOWN);
}

static struct sw_units_text value_text(uint64_t value, enum sw_measure measure)
{
	return measure == SW_CPU_USED ? sw_duration_text(value) :
					sw_size_text(value);
}

/* "CPU time 1.0 s (rank 3, n2), 2.0 s, 9.0 s (rank 0, n1)" */
static void write_spread(const struct sw_page *page, const char *label,
			 const struct sw_spread *spread,
			 enum sw_measure measure, const char *least,
			 const char *most)
{
	static const char *const names[] = {
		[SW_CPU_USED] = "CPU time", [SW_MEMORY_PEAK] = "memory peak",
	};

	sw_page_line(page, label, "%s %s (%s), %s, %s (%s)", names[measure],
		     value_text(spread->min, measure).s, least,
		     value_text(spread->median, measure).s,
		     value_text(spread->max, measure).s, most);
}

static const char *node_name(const struct sw_view *view)
{
	return view->node ? view->node : "?";
}

/* Return the number of lines that there were to write. */
static size_t write_nodes(const struct sw_page *page)
{
	const struct sw_job *job = page->result->job;
	struct sw_spread spread;
	const char *label = "nodes";
	size_t lines = 0;
	int measure;

	for (measure = 0; measure < SW_MEASURES; measure++) {
		if (sw_spread_of_nodes(&spread, job,
				       (enum sw_measure)measure) < 0 ||
		    spread.count < 2)
			continue;
		write_spread(page, label, &spread, (enum sw_measure)measure,
			     node_name(&job->nodes[spread.min_at].total),
			     node_name(&job->nodes[spread.max_at].total));
		label = "";
		lines++;
	}
	return lines;
}

static size_t write_ranks(const struct sw_page *page,
			  const struct sw_view *step,
			  const struct sw_job_task *tasks, size_t count)
{
	struct sw_spread spread;
	char label[64], least[320], most[320];
	size_t lines = 0;
	int measure;

	snprintf(label, sizeof(label), "step %.*s", SW_STEPID_SIZE,
		 step->step_id ? step->step_id : "?");
	for (measure = 0; measure < SW_MEASURES; measure++) {
		const struct sw_job_task *low, *high;

		if (sw_spread_of_tasks(&spread, tasks, count,
				       (enum sw_measure)measure) < 0 ||
		    spread.count < 2)
			continue;
		low = &tasks[spread.min_at];
		high = &tasks[spread.max_at];
		snprintf(least, sizeof(least), "rank %llu, %.255s",
			 (unsigned long long)low->task->rank,
			 node_name(low->step));
		snprintf(most, sizeof(most), "rank %llu, %.255s",
			 (unsigned long long)high->task->rank,
			 node_name(high->step));
		write_spread(page, label, &spread, (enum sw_measure)measure,
			     least, most);
		label[0] = '\0';
		lines++;
	}
	return lines;
}

/* Sort steps with several tasks by CPU time, largest first. */
static int compare_dearest(const void *a, const void *b)
{
	const struct sw_job_step *const *one = a, *const *two = b;
	uint64_t cpu_one = (*one)->view.cpu.used_usec;
	uint64_t cpu_two = (*two)->view.cpu.used_usec;

	/* Adding one turns a missing value into 0, the smallest. */
	if (cpu_one + 1 != cpu_two + 1)
		return cpu_one + 1 < cpu_two + 1 ? 1 : -1;
	return *one < *two ? -1 : *one > *two;
}

static size_t write_dearest(const struct sw_page *page)
{
	const struct sw_job *job = page->result->job;
	const struct sw_job_step **steps;
	size_t i, count, shown = 0, lines = 0;

	steps = calloc(job->step_count, sizeof(const struct sw_job_step *));
	for (i = 0; steps && i < job->step_count; i++)
		steps[i] = &job->steps[i];
	if (steps)
		qsort(steps, job->step_count, sizeof(*steps),
		      compare_dearest);
	for (i = 0; steps && i < job->step_count && shown < SPREADS_SHOWN;
	     i++) {
		struct sw_job_task *tasks;

		tasks = sw_job_tasks(steps[i], &count);
		if (tasks && count > 1) {
			lines += write_ranks(page, &steps[i]->view, tasks,
					     count);
			shown++;
		}
		free(tasks);
	}
	free(steps);
	return lines;
}

/* Uses the ranks seen; those of other nodes may be missing. */
static bool has_several(const struct sw_job *job)
{
	bool has_nodes = job->node_count > 1, has_ranks = false;
	size_t i, count;

	for (i = 0; i < job->step_count && !has_nodes && !has_ranks; i++) {
		struct sw_job_task *tasks;

		tasks = sw_job_tasks(&job->steps[i], &count);
		has_ranks = tasks && count > 1;
		free(tasks);
	}
	return has_nodes || has_ranks;
}

void sw_text_report_balance(const struct sw_page *page)
{
	if (!has_several(page->result->job))
		return;
	sw_page_heading(page, "Balance (least, median, most)");
	if (write_nodes(page) + write_dearest(page) == 0)
		sw_page_line(page, "tasks",
			     "what each of them used is not known");
}
