/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report on a job without a profile: what accounting has, and what it
 * cannot have.
 */
#include "analyzer/report/report_acct.h"

#include <math.h>
#include <string.h>

#include "analyzer/accounting/record_end.h"
#include "analyzer/accounting/record_need.h"
#include "analyzer/accounting/record_run.h"
#include "analyzer/print/json.h"
#include "analyzer/print/paragraph.h"
#include "analyzer/report/page.h"
#include "analyzer/report/words.h"
#include "common/job_state.h"
#include "common/text.h"
#include "common/units.h"

enum { STEPS_SHOWN = 24 };

static const char not_known[] =
	"There is no profile of this job; this is Slurm's record (sacct). It "
	"does not contain how much memory was needed (only sampled sizes of "
	"tasks, in which shared pages count several times), which programs "
	"ran, what they waited for, or what was killed. No finding could be "
	"evaluated.";

/* The recorder delivers when the node is back; waiting was no run time. */
static bool has_node_failed(const struct sw_acct *acct)
{
	return acct->rows[0].end.state == SW_JOB_NODE_FAIL;
}

static const char not_yet[] =
	"A node of the job failed. It delivers what it recorded once it has "
	"started again. The elapsed time is Slurm's, which ends when Slurm saw "
	"that the node was down; the job may have stopped earlier.";

static uint64_t elapsed_usec(const struct sw_job_record *row)
{
	return sw_usec_of_seconds(row->elapsed_seconds);
}

static uint64_t used_usec(const struct sw_job_record *row)
{
	return row->used.is_cpu_impossible ? SW_MISSING : row->used.cpu_usec;
}

/* 0: not sampled. */
static uint64_t task_bytes(const struct sw_job_record *row)
{
	return row->used.task_rss_bytes ? row->used.task_rss_bytes : SW_MISSING;
}

/* NAN: unknown. */
static double cpu_share(const struct sw_job_record *row)
{
	return sw_real_u64(used_usec(row)) /
	       (sw_real_positive(row->allocated.cpus) *
		sw_real_positive(elapsed_usec(row)));
}

static char *end_words(char *buf, size_t size, const struct sw_job_record *row)
{
	char how[128];

	sw_slurm_exit_words(how, sizeof(how), row);
	if (sw_record_end_exit_code(&row->end) == 0)
		how[0] = '\0';
	snprintf(buf, size, "%s%s%s", row->end.text, *how ? ", " : "", how);
	return buf;
}

static char *cpu_words(char *buf, size_t size, const struct sw_job_record *row)
{
	const struct sw_units_text used = sw_duration_text(used_usec(row));
	bool is_part = sw_record_accounted_ratio(row) < 1;
	double share = cpu_share(row);

	if (row->used.is_cpu_impossible)
		snprintf(buf, size, "use not known: Slurm recorded more than "
			 "its CPUs have in that time");
	else if (sw_is_missing(used_usec(row)))
		snprintf(buf, size, "use not recorded by Slurm");
	else if (isnan(share))
		snprintf(buf, size, "%s of CPU time", used.s);
	else
		snprintf(buf, size, "%s of CPU time, %s%.0f %% of %llu CPUs%s",
			 used.s, is_part ? "at least " : "", share * 100,
			 (unsigned long long)row->allocated.cpus,
			 is_part ? "; on some nodes no step was recorded" : "");
	return buf;
}

/* The largest of any step, Slurm's own left out. */
static uint64_t largest_task(const struct sw_acct *acct)
{
	uint64_t most = SW_MISSING;
	size_t i;

	for (i = 0; i < acct->count; i++) {
		if (strcmp(acct->rows[i].id.step, "extern") != 0)
			most = sw_max_u64(most, task_bytes(&acct->rows[i]));
	}
	return most;
}

/* SW_MISSING if equal to the request. */
static uint64_t other_than_requested(const struct sw_job_record *job)
{
	struct sw_job_record as_requested = *job;
	double had = sw_record_had_bytes(job);

	as_requested.allocated.memory_bytes = SW_MISSING;
	return fabs(had - sw_record_had_bytes(&as_requested)) < SW_MIB ?
		       SW_MISSING : job->allocated.memory_bytes;
}

static char *memory_words(char *buf, size_t size, const struct sw_acct *acct)
{
	const struct sw_job_record *job = &acct->rows[0];
	uint64_t most = largest_task(acct);
	uint64_t allocated = other_than_requested(job);

	if (sw_is_missing(most))
		snprintf(buf, size, "use not recorded by Slurm");
	else
		snprintf(buf, size, "largest sampled size of a task %s",
			 sw_size_text(most).s);
	if (!sw_is_missing(job->requested_bytes))
		sw_text_add(buf, size, "; requested %s%s",
			    sw_size_text(job->requested_bytes).s,
			    job->requested_of == SW_ACCT_OF_CPU ? " per CPU" :
								  "");
	if (!sw_is_missing(allocated))
		sw_text_add(buf, size, "; allocated %s",
			    sw_size_text(allocated).s);
	return buf;
}

/* As far as samples tell, and what they do not; "": nothing. */
static char *need_words(char *buf, size_t size, const struct sw_job_record *job)
{
	const struct sw_record_need need = sw_record_need(job);
	const struct sw_units_text low =
		sw_size_text(sw_whole_real(need.low_bytes));

	buf[0] = '\0';
	if (isnan(need.low_bytes))
		return buf;
	if (isnan(need.high_bytes))
		snprintf(buf, size, "at least %s; how many tasks a node had is "
			 "not known", low.s);
	else if (need.high_bytes <= need.low_bytes)
		snprintf(buf, size, "%s on the fullest node, by samples", low.s);
	else
		snprintf(buf, size, "between %s and %s on the fullest node, by "
			 "samples", low.s, sw_size_text(sw_whole_real(need.high_bytes)).s);
	return buf;
}

static void write_head(const struct sw_page *page, const struct sw_acct *acct)
{
	const struct sw_job_record *job = &acct->rows[0];
	char first[SW_JOBID_TEXT_SIZE + 8], text[512];

	end_words(text, sizeof(text), job);
	snprintf(first, sizeof(first), "job %s: ", sw_jobid_text(&job->id).s);
	if (page->html) {
		sw_html_lead(page->html, text);
	} else {
		sw_page_text(page, first, "", text);
		fputc('\n', page->out);
	}
	sw_page_line(page, "started", "%s",
		     sw_realtime_words(text, sizeof(text),
				       sw_usec_of_seconds(job->start_seconds)));
	sw_page_line(page, "elapsed", "%s",
		     sw_elapsed_format(text, sizeof(text), elapsed_usec(job)));
	sw_page_line(page, "nodes", "%s", *job->node_list ? job->node_list : "?");
	sw_page_line(page, "CPU", "%s", cpu_words(text, sizeof(text), job));
	sw_page_line(page, "memory", "%s",
		     memory_words(text, sizeof(text), acct));
	if (*need_words(text, sizeof(text), job))
		sw_page_line(page, "need", "%s", text);
	if (sw_zero_if_missing(job->used.energy_joules))
		sw_page_line(page, "energy", "%s, of whole nodes, as Slurm "
			     "measured it",
			     sw_energy_format(text, sizeof(text), (double)
					      job->used.energy_joules));
}

/* Short form for a column, which its heading explains. */
static char *short_end_words(char *buf, size_t size,
			     const struct sw_job_record *row)
{
	uint64_t signal = sw_record_end_signal(&row->end);

	snprintf(buf, size, "%s", row->end.text);
	if (!sw_is_missing(signal))
		sw_text_add(buf, size, ", signal %llu",
			    (unsigned long long)signal);
	else if (sw_zero_if_missing(row->end.exit_code))
		sw_text_add(buf, size, ", exit %llu",
			    (unsigned long long)row->end.exit_code);
	return buf;
}

static const struct sw_text_table_column step_columns[] = {
	{ "step", 12, false },	  { "tasks", 6, true }, { "elapsed", 11, true },
	{ "CPU time", 11, true }, { "task", 9, true },	{ "end", 0, false },
};

enum { STEP_COLUMNS = sizeof(step_columns) / sizeof(step_columns[0]) };

static void write_step(const struct sw_page_table *table,
		       const struct sw_job_record *row)
{
	char end[96], tasks[24] = "?";

	if (!sw_is_missing(row->task_count))
		snprintf(tasks, sizeof(tasks), "%llu",
			 (unsigned long long)row->task_count);
	sw_page_table_row(table, (const char *const[STEP_COLUMNS]){
		row->id.step, tasks, sw_duration_text(elapsed_usec(row)).s,
		sw_duration_text(used_usec(row)).s,
		sw_size_text(task_bytes(row)).s,
		short_end_words(end, sizeof(end), row),
	});
}

static void write_steps(const struct sw_page *page, const struct sw_acct *acct)
{
	struct sw_page_table table;
	size_t i;

	sw_page_heading(page, "Steps");
	sw_page_table_init(&table, page, "steps of the job, as Slurm "
			   "recorded them", step_columns, STEP_COLUMNS);
	for (i = 1; i < acct->count && i <= STEPS_SHOWN; i++)
		write_step(&table, &acct->rows[i]);
	if (acct->count > STEPS_SHOWN + 1)
		sw_page_paragraph(page, "  ", "and %zu more; --json has them "
				  "all", acct->count - STEPS_SHOWN - 1);
}

static void write_page(const struct sw_page *page, const struct sw_acct *acct)
{
	write_head(page, acct);
	if (acct->count > 1)
		write_steps(page, acct);
	sw_page_heading(page, "Not known");
	sw_page_paragraph(page, "  ", "%s", not_known);
	if (has_node_failed(acct))
		sw_page_paragraph(page, "  ", "%s", not_yet);
}

static int write_text(FILE *out, const struct sw_acct *acct,
		      const struct sw_report_style *style)
{
	const struct sw_page page = { out, NULL, style, NULL };

	write_page(&page, acct);
	return ferror(out) ? -1 : 0;
}

static int write_html(FILE *out, const struct sw_acct *acct)
{
	const struct sw_report_style style = { .width = 80,
					       .is_utf8 = true };
	struct sw_page page = { out, NULL, &style, NULL };
	char title[SW_JOBID_TEXT_SIZE + 8];

	snprintf(title, sizeof(title), "job %s",
		 sw_jobid_text(&acct->rows[0].id).s);
	page.html = sw_html_begin(out, title);
	if (!page.html)
		return -1;
	sw_html_heading(page.html, 1, title);
	write_page(&page, acct);
	return sw_html_end(page.html);
}

static int write_brief(FILE *out, const struct sw_acct *acct,
		       const struct sw_report_style *style)
{
	const struct sw_job_record *job = &acct->rows[0];
	bool has_begun = !sw_is_missing(job->start_seconds);
	char text[512], shown[512];

	sw_text_escape(shown, sizeof(shown),
		       end_words(text, sizeof(text), job), style);
	fprintf(out,
		"stepwell: job %s: %s%s%s (from sacct; there is no "
		"profile%s)\n",
		sw_jobid_text(&job->id).s, shown, has_begun ? " after " : "",
		has_begun ? sw_duration_text(elapsed_usec(job)).s : "",
		has_node_failed(acct) ? " until the node is back; the job may "
					"have stopped earlier"
				      : "");
	fprintf(out, "stepwell: CPU: %s\n",
		cpu_words(text, sizeof(text), job));
	fprintf(out, "stepwell: memory: %s\n",
		memory_words(text, sizeof(text), acct));
	return ferror(out) ? -1 : 0;
}

static void add_usage(struct json_object *item, const struct sw_job_record *row)
{
	struct json_object *object = sw_json_object(item, "cpu");
	const struct sw_record_need need = sw_record_need(row);

	sw_json_number(object, "allocated_cores", row->allocated.cpus);
	sw_json_seconds(object, "used_core_seconds", used_usec(row));
	sw_json_double(object, need.accounted_ratio < 1 ?
			       "efficiency_at_least" : "efficiency",
		       cpu_share(row));
	sw_json_text(object, "source", "sacct");
	object = sw_json_object(item, "memory");
	/* A step has no request of its own in accounting. */
	if (!row->id.step[0])
		sw_json_number(object, row->requested_of == SW_ACCT_OF_CPU ?
			       "requested_bytes_per_cpu" : "requested_bytes",
			       row->requested_bytes);
	sw_json_number(object, "task_rss_bytes", task_bytes(row));
	sw_json_number(object, "need_low_bytes",
		       sw_whole_real(need.low_bytes));
	sw_json_number(object, "need_high_bytes",
		       sw_whole_real(need.high_bytes));
	sw_json_text(object, "source", "sacct");
	if (sw_zero_if_missing(row->used.energy_joules))
		sw_json_number(item, "node_energy_joules",
			       row->used.energy_joules);
}

static void add_end(struct json_object *item, const struct sw_job_record *row)
{
	if (*row->end.text)
		sw_json_text(item, "state", row->end.text);
	sw_json_number(item, "exit_code", sw_record_end_exit_code(&row->end));
	sw_json_number(item, "signal", sw_record_end_signal(&row->end));
	sw_json_number(item, "start", row->start_seconds);
	sw_json_number(item, "end", row->end_seconds);
	sw_json_seconds(item, "elapsed_seconds", elapsed_usec(row));
}

static void add_job(struct json_object *root, const struct sw_job_record *row)
{
	struct json_object *job = sw_json_object(root, "job");

	sw_json_text(job, "id", sw_jobid_text(&row->id).s);
	if (*row->cluster)
		sw_json_text(job, "cluster", row->cluster);
	if (*row->user)
		sw_json_text(job, "user", row->user);
	add_end(job, row);
	sw_json_seconds(job, "requested_seconds",
			sw_usec_of_seconds(row->limit_seconds));
	sw_json_number(job, "node_count", row->node_count);
	sw_json_number(job, "nodes_recorded", 0);
	if (*row->node_list)
		sw_json_text(job, "node_list", row->node_list);
	add_usage(job, row);
}

static int write_json(FILE *out, const struct sw_acct *acct)
{
	struct json_object *root = sw_json_new(), *array, *item;
	size_t i;

	if (!root)
		return -1;
	sw_json_text(root, "schema", "stepwell.report/1");
	add_job(root, &acct->rows[0]);
	array = sw_json_array(root, "steps");
	for (i = 1; i < acct->count; i++) {
		item = sw_json_item(array);
		sw_json_text(item, "id", acct->rows[i].id.step);
		sw_json_number(item, "tasks", acct->rows[i].task_count);
		sw_json_number(item, "node_count", acct->rows[i].node_count);
		add_end(item, &acct->rows[i]);
		add_usage(item, &acct->rows[i]);
	}
	sw_json_array(root, "findings");
	array = sw_json_array(root, "not_evaluated");
	for (i = 0; sw_rules[i]; i++) {
		item = sw_json_item(array);
		sw_json_text(item, "id", sw_rules[i]->id);
		sw_json_text(item, "because", "there is no profile");
	}
	item = sw_json_object(root, "recording");
	sw_json_text(item, "final_source", "sacct");
	sw_json_print(out, root);
	return ferror(out) ? -1 : 0;
}

int sw_report_acct(FILE *out, const struct sw_acct *acct, const char *format,
		   const struct sw_report_style *style)
{
	if (!strcmp(format, "json"))
		return write_json(out, acct);
	if (!strcmp(format, "brief"))
		return write_brief(out, acct, style);
	if (!strcmp(format, "html"))
		return write_html(out, acct);
	return write_text(out, acct, style);
}
