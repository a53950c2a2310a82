/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.near_limit: with a little more input the step would be killed. */
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "common/units.h"

enum { MIN_NEED_RATIO };

static const char *const causes[] = { "memory.thrashing", NULL };

/* The request was not enforced, and the step used more. */
static bool is_above_request(const struct sw_view_memory *memory, double ratio)
{
	return sw_is_missing(memory->limit_bytes) && ratio > 1;
}

static const char *limit_words(const struct sw_view_memory *memory)
{
	if (sw_is_missing(memory->limit_bytes))
		return "requested";
	return memory->is_limit_above ? "that a cgroup above allows" :
					"that are its limit";
}

/* Describe the memory used and the effect of having less. */
static void say(struct sw_finding *finding, const struct sw_view *view,
		const char *share)
{
	const struct sw_view_memory *memory = &view->memory;
	char need[SW_UNITS_TEXT_SIZE], stalled[SW_UNITS_TEXT_SIZE];

	sw_size_format(need, sizeof(need), memory->need_bytes);
	if (memory->has_missed_files && memory->need_is_lower_bound)
		sw_finding_sentence(finding,
			"The step needed more than %s of memory, including "
			"mapped files that it used, %s. The kernel evicted "
			"pages of these files that were needed again, which "
			"stopped the whole step for %s. With more memory it "
			"would be faster.", need, share,
			sw_duration_format(stalled, sizeof(stalled),
					   view->pressure.memory_full_usec));
	else if (memory->has_missed_files)
		sw_finding_sentence(finding,
			"The step needed at least %s of memory, including "
			"mapped files that it used, %s. The kernel evicted "
			"pages of these files that were needed again. A larger "
			"input would be slower; request more before the next "
			"run.", need,
			share);
	else
		sw_finding_sentence(finding,
			"The step needed at least %s of memory that cannot be "
			"reclaimed, %s%s. A slightly larger input would be "
			"killed; request more before the next run.", need,
			share, memory->need_is_lower_bound ?
			", and stood still while the kernel reclaimed pages" :
			"");
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_memory *memory = &view->memory;
	uint64_t limit = memory->limit_bytes;
	char share[96], limit_text[SW_UNITS_TEXT_SIZE];
	struct sw_finding *finding;
	struct sw_evidence evidence;
	double ratio;

	if (sw_is_missing(limit))
		limit = memory->requested_bytes;
	/* OOM kills have their own rules. */
	if (sw_is_missing(limit) || limit == 0 ||
	    sw_is_missing(memory->need_bytes) ||
	    (!sw_is_missing(memory->oom_kills) && memory->oom_kills > 0))
		return 0;
	ratio = (double)memory->need_bytes / (double)limit;
	if (ratio < setting[MIN_NEED_RATIO] &&
	    (!memory->need_is_lower_bound || sw_view_is_page_cache(memory)))
		return 0;
	evidence = (struct sw_evidence){
		"need_bytes / limit", ratio, "ratio", setting[MIN_NEED_RATIO],
		SW_MISSING,
	};
	finding = sw_finding_add(findings, "memory.near_limit", SW_WARNING,
				 0.9, &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	snprintf(share, sizeof(share), "%.0f %% of the %s %s", ratio * 100,
		 sw_size_format(limit_text, sizeof(limit_text), limit),
		 limit_words(memory));
	if (is_above_request(memory, ratio))
		sw_finding_sentence(finding,
			"The step needed at least %s of memory, %s. No limit "
			"was enforced here; where one is, the step would be "
			"killed, and without one it takes memory from other "
			"jobs. Request more before the next run.",
			sw_size_text(memory->need_bytes).s, share);
	else
		say(finding, view, share);
	return 0;
}

const struct sw_rule sw_rule_memory_near_limit = {
	.id = "memory.near_limit",
	.title = "Memory close to its limit, or above it",
	.kind = SW_FINDING_FAILURE,
	.basis = SW_BASIS_COUNTERS,
	.meaning =
	"The memory that the step needed came close to its limit; a somewhat "
	"larger input would run out of memory. Page cache does not count; "
	"mapped files in use do.",
	.what_to_do =
	"Request a margin above the need.",
	.computed =
	"From the low end of the memory need (memory.stat anon, shmem, kernel "
	"less reclaimable slab, sock; and the largest high-water mark of one "
	"process less its file pages) over the smallest memory.max of the "
	"step's cgroup and its ancestors, otherwise over the memory requested. "
	"Reported from min_need_ratio on; or when the peak was at the limit, "
	"the step needed half of it, the kernel counted memory stalls, and "
	"evicted pages were needed again; or, below a limit shared with "
	"others, when the kernel counted such stalls, a tenth of the limit was "
	"mapped files, and evicted file pages were needed again "
	"(workingset_refault_file). A memory.peak at the limit alone is page "
	"cache and is not reported.",
	.needs = { { "series.memory", "anon" },
		   { "series.proc", "rss_anon_low" } },
	.is_any_need = true,
	.settings = {
		{ "min_need_ratio", 0.9, 0.1, 1,
		  "smallest ratio of need to limit" },
	},
	.yields_to = causes,
	.eval = eval,
};
