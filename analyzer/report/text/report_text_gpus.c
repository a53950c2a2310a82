/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text report's GPUs: those allocated, and the use of each. */
#include <string.h>

#include "analyzer/report/text/report_text.h"
#include "analyzer/report/words.h"

/* "4 allocated by Slurm, 1 used"; false if the allocation is not known. */
static bool write_given(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;
	double used = sw_view_used_gpus(view);
	char more[24] = "";

	if (sw_is_missing(view->allocated_gpus))
		return false;
	if (used > 0)
		snprintf(more, sizeof(more), ", %.0f used", used);
	sw_page_line(page, "GPUs", "%llu allocated by Slurm%s",
		     (unsigned long long)view->allocated_gpus, used == 0 ?
		     "; none of them was seen in use" : more);
	return true;
}

void sw_text_report_gpus(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;
	char words[256];
	size_t i, shown = write_given(page);

	for (i = 0; i < view->gpu_count; i++) {
		const struct sw_view_gpu *gpu = &view->gpus[i];
		bool is_amd = !strcmp(gpu->source, "gpu_amd");

		if (!gpu->is_used && !is_amd)
			continue;
		sw_page_line(page, shown++ ? "" : "GPUs",
			     "%.40s%s%.200s%s%s%.64s: %s",
			     gpu->name ? gpu->name : "?",
			     gpu->model[0] ? " (" : "", gpu->model,
			     gpu->model[0] ? ")" : "",
			     gpu->node && !view->node ? " of " : "",
			     gpu->node && !view->node ? gpu->node : "",
			     sw_gpu_words(words, sizeof(words), gpu));
	}
	if (view->gpu_count && !shown)
		sw_page_line(page, "GPUs", "none of the node's %zu was seen in "
			     "use", view->gpu_count);
}
