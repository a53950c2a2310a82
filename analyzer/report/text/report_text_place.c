/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report's line about the placement of tasks. */
#include "analyzer/report/text/placement_words.h"
#include "analyzer/report/text/report_text.h"
#include "common/text.h"

/* For a job, the step and node with tasks that used most CPU time. */
static const struct sw_view *find_placed(const struct sw_result *result)
{
	const struct sw_view *most = NULL, *view;
	const struct sw_job *job = result->job;
	size_t i, j;

	if (!job)
		return result->view;
	for (i = 0; i < job->step_count; i++) {
		for (j = 0; j < job->steps[i].node_count; j++) {
			view = job->steps[i].on_nodes[j];
			if (view->placement.task_count &&
			    (!most || sw_zero_if_missing(view->cpu.used_usec) >
			     sw_zero_if_missing(most->cpu.used_usec)))
				most = view;
		}
	}
	return most;
}

/* A single task that may run anywhere is not reported. */
static bool is_plain(const struct sw_placement *placement)
{
	return placement->task_count == 1 && placement->pu_count &&
	       sw_cpus_count(&placement->tasks[0].cpus) ==
		       placement->pu_count;
}

/* "Package L#0; NUMANode P#0; L3Cache L#0-3", for all tasks together */
static void write_names(const struct sw_page *page,
			const struct sw_placement *placement)
{
	struct sw_cpus cpus = { { 0 } };
	char name[512], text[1024] = "";
	size_t i;

	for (i = 0; i < placement->task_count; i++)
		sw_cpus_add(&cpus, &placement->tasks[i].cpus);
	for (i = 0; i < SW_PLACE_NAMES; i++) {
		sw_place_name(name, sizeof(name), placement, &cpus, i);
		if (name[0])
			sw_text_add(text, sizeof(text), "%s%s",
				    text[0] ? "; " : "", name);
	}
	if (text[0])
		sw_page_line(page, "", "hwloc: %s", text);
}

void sw_text_report_placement(const struct sw_page *page)
{
	const struct sw_view *view = find_placed(page->result);
	char where[320] = "", words[512], sharing[128];

	if (!view || is_plain(&view->placement))
		return;
	sw_placement_words(words, sizeof(words), &view->placement);
	if (!words[0])
		return;
	sw_sharing_words(sharing, sizeof(sharing), &view->placement);
	if (page->result->job && view->node)
		snprintf(where, sizeof(where), "step %.32s on %.255s: ",
			 view->step_id ? view->step_id : "?", view->node);
	sw_page_line(page, "placement", "%s%s%s%s", where, words,
		     sharing[0] ? "; " : "", sharing);
	write_names(page, &view->placement);
}
