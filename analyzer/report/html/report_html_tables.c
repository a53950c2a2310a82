/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the usage of each node and each task of a job. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/report/html/report_html.h"
#include "analyzer/report/words.h"
#include "analyzer/view/bottleneck_words.h"
#include "analyzer/view/memory_words.h"
#include "common/text.h"
#include "common/units.h"

/* More would make the page large; the JSON report has all of them. */
enum { NODES_SHOWN = 64, TASKS_SHOWN = 64, OPEN_MAX = 16 };

static const char *share_words(char *buf, size_t size, double share)
{
	if (isnan(share))
		return "?";
	snprintf(buf, size, "%.0f %%", share * 100);
	return buf;
}

static void write_node(const struct sw_page *page, const struct sw_view *view)
{
	char share[16], need[96], limit[192];

	sw_html_row(page->html, (const char *const[]){
		view->node ? view->node : "?",
		sw_duration_text(view->cpu.used_usec).s,
		share_words(share, sizeof(share), view->cpu.efficiency),
		sw_need_words(need, sizeof(need), &view->memory),
		sw_bottleneck_brief(limit, sizeof(limit), view),
	});
}

void sw_report_html_nodes(const struct sw_page *page)
{
	static const struct sw_html_column columns[] = {
		{ "node", SW_HTML_HEAD }, { "CPU time", SW_HTML_NUMBER },
		{ "CPU", SW_HTML_NUMBER }, { "memory needed", SW_HTML_NUMBER },
		{ "limited by", SW_HTML_TEXT },
	};
	const struct sw_job *job = page->result->job;
	size_t i;

	if (!job || job->node_count < 2)
		return;
	sw_html_details(page->html, "Each node", job->node_count <= OPEN_MAX);
	sw_html_table(page->html, "what was used on each node; CPU: of "
		      "those it had there", columns,
		      sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < job->node_count && i < NODES_SHOWN; i++)
		write_node(page, &job->nodes[i].total);
	if (i < job->node_count)
		sw_page_paragraph(page, "", "and %zu more; --json has them "
				  "all", job->node_count - i);
	sw_html_close(page->html);
}

static void write_task(const struct sw_page *page,
		       const struct sw_job_task *task)
{
	char rank[24], end[40];

	snprintf(rank, sizeof(rank), "%llu",
		 (unsigned long long)task->task->rank);
	sw_html_row(page->html, (const char *const[]){
		task->step->step_id ? task->step->step_id : "?", rank,
		task->step->node ? task->step->node : "?",
		sw_duration_text(task->task->cpu_usec).s,
		sw_size_text(task->task->memory_peak_bytes).s,
		sw_task_end_words(end, sizeof(end), task->task->wait_status),
	});
}

/* Return how many of a step's tasks were written; *seen: all of them. */
static size_t write_tasks(const struct sw_page *page,
			  const struct sw_job_step *step, size_t room,
			  size_t *seen)
{
	struct sw_job_task *tasks;
	size_t i, count = 0;

	tasks = sw_job_tasks(step, &count);
	for (i = 0; tasks && i < count && i < room; i++)
		write_task(page, &tasks[i]);
	free(tasks);
	*seen += count;
	return i;
}

static size_t count_tasks(const struct sw_job *job)
{
	size_t i, j, count = 0;

	for (i = 0; i < job->step_count; i++) {
		for (j = 0; j < job->steps[i].node_count; j++)
			count += job->steps[i].on_nodes[j]->task_count;
	}
	return count;
}

void sw_report_html_tasks(const struct sw_page *page)
{
	static const struct sw_html_column columns[] = {
		{ "step", SW_HTML_HEAD }, { "rank", SW_HTML_NUMBER },
		{ "node", SW_HTML_TEXT }, { "CPU time", SW_HTML_NUMBER },
		{ "peak", SW_HTML_NUMBER }, { "end", SW_HTML_TEXT },
	};
	const struct sw_job *job = page->result->job;
	size_t i, seen = 0, shown = 0, count = job ? count_tasks(job) : 0;

	if (count < 2)
		return;
	sw_html_details(page->html, "Each task", count <= OPEN_MAX);
	sw_html_table(page->html, "what each task used", columns,
		      sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < job->step_count; i++)
		shown += write_tasks(page, &job->steps[i], TASKS_SHOWN - shown,
				     &seen);
	if (shown < seen)
		sw_page_paragraph(page, "", "and %zu more; --json has them "
				  "all", seen - shown);
	sw_html_close(page->html);
}
