/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.thrashing: the step stalled on pages that had been evicted. */
#include <math.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/worth.h"
#include "common/units.h"

enum { MIN_REFAULT_RATIO = SW_WORTH_SETTINGS_COUNT };

/* Bytes read back after eviction. */
struct refaults {
	double anon, file;
};

static double known(double value)
{
	return isnan(value) ? 0 : value;
}

/*
 * File pages refaulted at the limit are part of the need, which
 * memory.near_limit reports.
 */
static struct refaults find_refaults(const struct sw_view *view)
{
	const struct sw_view_memory *memory = &view->memory;
	struct refaults found = {
		known(sw_view_pages_bytes(view, memory->refaulted_anon_pages)),
		known(sw_view_pages_bytes(view, memory->refaulted_file_pages)),
	};

	if (found.anon < found.file &&
	    (memory->need_is_lower_bound || sw_view_is_page_cache(memory)))
		return (struct refaults){ 0, 0 };
	return found;
}

static int tell(const struct sw_view *view, const struct refaults *refaults,
		const struct sw_loss *loss, double threshold,
		struct sw_findings *findings)
{
	double ratio = loss->usec / (double)view->elapsed_usec;
	bool is_swap = refaults->anon > refaults->file;
	struct sw_evidence pressure = {
		"memory.pressure full total / elapsed", ratio, "ratio",
		threshold, SW_MISSING,
	};
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "memory.thrashing", SW_WARNING,
				 loss->sure, &pressure);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"workingset_refault_anon", refaults->anon, "bytes", NAN,
		SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"workingset_refault_file", refaults->file, "bytes", NAN,
		SW_MISSING });
	sw_finding_subject(finding, "step");
	if (view->cpu.is_requested)
		finding->wasted_core_hours = view->cpu.allocated_cores *
			loss->usec / SW_USEC_PER_SEC / 3600;
	sw_finding_sentence(
		finding,
		"For %s (%.0f %% of the time) no thread of the step could run "
		"because memory was short: the kernel evicted pages and read "
		"%s of them back %s. The step works on more memory at a time "
		"than it has. Request more, or work on less of the data at a "
		"time.",
		sw_duration_text(sw_whole_real(loss->usec)).s, ratio * 100,
		sw_size_text(sw_whole_real(refaults->anon + refaults->file)).s,
		is_swap ? "from swap" : "from files");
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	/* The account has files read again as well, which do not stop it. */
	struct sw_loss loss = { sw_real_u64(view->pressure.memory_full_usec),
				1, 0.9 };
	struct refaults refaults = find_refaults(view);

	if (!sw_is_worth_telling(view, &loss, setting) ||
	    !(refaults.anon + refaults.file >=
	      setting[MIN_REFAULT_RATIO] *
		      sw_real_u64(view->memory.peak_bytes)))
		return 0;
	return tell(view, &refaults, &loss, sw_worth_ratio(&loss, setting),
		    findings);
}

const struct sw_rule sw_rule_memory_thrashing = {
	.id = "memory.thrashing",
	.title = "Thrashing",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step used more memory in turn than it could hold at a time. The "
	"kernel evicted pages that were soon needed again, and all threads "
	"waited while it read them back from swap or from their files. Such a "
	"step can run many times slower without being killed.",
	.what_to_do =
	"Request more memory, run fewer workers at a time, or let the program "
	"work on smaller pieces.",
	.computed =
	"From memory.pressure of the step's cgroup (full total, the time in "
	"which every thread that had work waited for memory; "
	"Documentation/accounting/psi.rst) and from the pages that were read "
	"back after their eviction (memory.stat workingset_refault_anon and "
	"_file; mm/workingset.c, Documentation/admin-guide/cgroup-v2.rst). "
	"Reported when the first reaches min_lost_ratio and min_lost_seconds, "
	"and the second, in bytes, is min_refault_ratio of the peak. Where "
	"mapped files are missed at the limit, memory.near_limit says so "
	"instead; where files are read again below a limit of which the step "
	"needs less than half, memory.cache_squeezed does. Reclaim of page "
	"cache that is not needed again, as of a file that is copied, stalls "
	"without refaults and is not thrashing. Example: 1.5 GiB that are read "
	"again and again below a limit of 1 GiB with swap stall for 60 % of "
	"the time.",
	.needs = { { "series.pressure", "memory.full.total" },
		   { "series.memory", "workingset_refault_file" } },
	.settings = {
		SW_WORTH_SETTINGS,
		{ "min_refault_ratio", 0.1, 0, 1000,
		  "bytes read back over the peak of memory" },
	},
	.eval = eval,
};
