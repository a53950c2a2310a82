/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time lines of programs in the HTML report. */
#include "analyzer/html/svg.h"
#include "analyzer/report/html/report_html.h"
#include "analyzer/report/words.h"
#include "common/delta.h"
#include "common/missing.h"
#include "common/units.h"

static double share_at(const struct sw_view *view, uint64_t usec)
{
	return (double)sw_excess_u64(usec, view->start_usec) /
	       (double)view->elapsed_usec;
}

/* Return false if the times are not known. */
static bool fill_lane(struct sw_svg_lane *lane, const struct sw_view *view,
		      const struct sw_view_program *program)
{
	if (sw_is_missing(program->first_start_usec) ||
	    sw_is_missing(program->last_end_usec))
		return false;
	*lane = (struct sw_svg_lane){
		.name = program->name,
		.from = share_at(view, program->first_start_usec),
		.to = share_at(view, program->last_end_usec),
		.is_bad = sw_zero_if_missing(program->exited_nonzero) >
				  sw_answers(program) ||
			  sw_zero_if_missing(program->killed) ||
			  sw_zero_if_missing(program->oom_killed),
	};
	return true;
}

void sw_report_html_programs(const struct sw_page *page)
{
	static const struct sw_svg_words words = {
		"Which programs ran when?",
		"From the first start to the last end of each, most CPU time "
		"first; red where a process of it failed or was killed",
	};
	const struct sw_view *view = page->result->view;
	struct sw_svg_lane lane[SW_SVG_LANES_MAX];
	struct sw_svg_lanes lanes = { .lane = lane };
	size_t i;

	/* Each node has its own clock. */
	if (sw_is_missing(view->start_usec) ||
	    !sw_zero_if_missing(view->elapsed_usec) ||
	    (page->result->job && page->result->job->node_count > 1))
		return;
	for (i = 0; i < view->program_count && lanes.count < SW_SVG_LANES_MAX;
	     i++)
		lanes.count += fill_lane(&lane[lanes.count], view,
					 &view->programs[i]);
	if (lanes.count < 2)
		return;
	lanes.time = (struct sw_svg_time){
		"0", sw_duration_text(view->elapsed_usec).s,
		(double)view->elapsed_usec / SW_USEC_PER_SEC,
	};
	sw_svg_lanes(page->html, &words, &lanes);
}
