/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.over_allocated: memory that was requested and never used. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advice/memory_one_run.h"
#include "advice/suggestion.h"
#include "analyzer/rules/rule.h"
#include "analyzer/view/memory_words.h"
#include "common/units.h"

enum { MIN_ELAPSED_SECONDS, MAX_USED_RATIO, MIN_UNUSED_MIB };

static void say(struct sw_finding *finding, const struct sw_view_memory *m,
		uint64_t suggested)
{
	char requested[SW_UNITS_TEXT_SIZE], low[SW_UNITS_TEXT_SIZE];
	char high[SW_UNITS_TEXT_SIZE], option[SW_UNITS_TEXT_SIZE];
	char need[320], gap[160], waste[48];

	sw_size_format(requested, sizeof(requested), m->requested_bytes);
	sw_size_format(low, sizeof(low), m->need_bytes);
	sw_size_format(high, sizeof(high), sw_need_upper_told(m));
	sw_size_format_slurm(option, sizeof(option), suggested);
	if (sw_is_missing(m->need_upper_bytes))
		snprintf(need, sizeof(need), "at least %s of the %s "
			 "requested%s%s", low, requested,
			 *sw_seen_words(gap, sizeof(gap), m) ? ", and " : "",
			 gap);
	else if (!strcmp(low, high))
		snprintf(need, sizeof(need), "%s of the %s requested", low,
			 requested);
	else
		snprintf(need, sizeof(need), "at most %s of the %s requested, "
			 "a number that %s", high, requested,
			 sw_gap_words(gap, sizeof(gap), m));
	sw_finding_sentence(finding,
		"The step needed %s. %s were reserved but unused", need,
		sw_waste_words(waste, sizeof(waste),
			       finding->wasted_gib_hours, "GiB"));
	sw_finding_remedy(finding, SW_RESOURCE_MEMORY,
			  "; --mem=%s would have been enough for this run.",
			  option);
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_memory *memory = &view->memory;
	struct sw_evidence need = {
		"need_bytes", (double)memory->need_bytes, "bytes", NAN,
		SW_MISSING,
	};
	struct sw_finding *finding;
	uint64_t suggested;
	double hours;

	/* Skip runs without a request or with unknown need. */
	if (view->state == SW_STATE_FAILED ||
	    sw_is_missing(memory->requested_bytes) ||
	    sw_is_missing(memory->need_bytes) || memory->need_is_lower_bound ||
	    sw_is_missing(view->elapsed_usec))
		return 0;
	hours = (double)view->elapsed_usec / SW_USEC_PER_SEC / 3600;
	suggested = sw_whole_real(
		sw_memory_of_one_run((double)sw_view_memory_base(memory)));
	need.threshold = (double)memory->requested_bytes *
			 setting[MAX_USED_RATIO];
	if (hours * 3600 < setting[MIN_ELAPSED_SECONDS] ||
	    sw_add_u64(suggested, (uint64_t)setting[MIN_UNUSED_MIB] * SW_MIB) >
		    memory->requested_bytes ||
	    need.value > need.threshold)
		return 0;
	finding = sw_finding_add(findings, "memory.over_allocated", SW_WARNING,
				 0.8, &need);
	if (!finding)
		return -1;
	if (!sw_is_missing(memory->peak_bytes))
		sw_finding_evidence(finding, &(struct sw_evidence){
			sw_memory_peak_counter(memory),
			(double)memory->peak_bytes, "bytes",
			NAN, SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"advised_at_least", (double)sw_view_memory_base(memory),
		"bytes", NAN, SW_MISSING });
	sw_finding_subject(finding, "step");
	finding->wasted_gib_hours =
		(double)(memory->requested_bytes - suggested) / SW_GIB * hours;
	say(finding, memory, suggested);
	return 0;
}

static const char *blind_to(const struct sw_view *view)
{
	return view->state == SW_STATE_FAILED ?
		"the step failed, so that what it would have needed is not "
		"known" : NULL;
}

const struct sw_rule sw_rule_memory_over_allocated = {
	.id = "memory.over_allocated",
	.title = "Memory requested and not used",
	.kind = SW_FINDING_WASTE,
	.basis = SW_BASIS_COUNTERS,
	.meaning =
	"The step was given more memory than it needed; other jobs could have "
	"used it.",
	.what_to_do =
	"Request the amount named. This is one run: another input may need "
	"more. If the history has more runs of the same work, there is advice "
	"from these instead.",
	.computed =
	"The need is an interval. Its low end is the largest sample of what "
	"could not be reclaimed, or the largest high-water mark of one process "
	"less its file pages; its high end is memory.peak less page cache, "
	"including what existed only between two samples and mapped files. The "
	"sentence says which of these the gap is. Without a cgroup of the "
	"step's own there is no high end, only samples. Reported when the low "
	"end is at most max_used_ratio of the request, the suggestion leaves "
	"at least min_unused_mib, and the step ran for min_elapsed_seconds. "
	"The suggestion is the low end, the part of the gap that page cache "
	"does not explain, and a fifth on top. Mapped files are part of it "
	"unless the kernel reclaimed their pages and nobody missed them: no "
	"counter shows whether mapped pages are in use. Withheld when a run "
	"failed, was killed for memory, or was held at its limit, since the "
	"need is then unknown.",
	.needs = { { "series.memory", "anon" },
		   { "series.proc", "rss_anon_low" } },
	.is_any_need = true,
	.is_of_request = true,
	.settings = {
		{ "min_elapsed_seconds", 5, 0, 86400,
		  "shorter steps are not evaluated" },
		{ "max_used_ratio", 0.5, 0.01, 1,
		  "largest ratio of need to request" },
		{ "min_unused_mib", 256, 0, 1048576,
		  "a smaller amount is not reported" },
	},
	.eval = eval,
	.blind_to = blind_to,
};
