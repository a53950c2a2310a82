/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.cache_squeezed: files were read again for lack of page cache. */
#include <math.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/worth.h"
#include "common/units.h"

enum { MIN_AGAIN_RATIO = SW_WORTH_SETTINGS_COUNT, MIN_AGAIN_BYTES,
       MIN_PEAK_RATIO, MIN_SHARED_RATIO };

static const char *const causes[] = { "memory.thrashing", "memory.near_limit",
				      NULL };

/* Share of storage reads that were read before; NAN if unknown. */
static double again_ratio(const struct sw_view *view, double again_bytes)
{
	double read = sw_real_u64(view->io.read_bytes);

	/* read_bytes does not include network file systems. */
	return fmin(1, again_bytes / fmax(read, again_bytes));
}

/*
 * A shared limit above the step counts its hits there and is full before the
 * step is.  It was the cause if the node had more memory left than it allows.
 */
static bool is_below_shared(const struct sw_view *view, double min_ratio)
{
	const struct sw_view_memory *memory = &view->memory;
	uint64_t left = view->nearby.around.available_bytes;

	return memory->is_limit_above &&
	       sw_ratio_u64(memory->peak_bytes, memory->limit_bytes) >=
		       min_ratio &&
	       !sw_is_missing(left) && left > memory->limit_bytes;
}

/* Return true if the limit evicted pages, not a shortage on the node. */
static bool is_at_limit(const struct sw_view *view, const double *setting)
{
	const struct sw_view_memory *memory = &view->memory;

	return is_below_shared(view, setting[MIN_SHARED_RATIO]) ||
	       (sw_ratio_u64(memory->peak_bytes, memory->limit_bytes) >=
			setting[MIN_PEAK_RATIO] &&
		sw_zero_if_missing(memory->limit_hits) > 0);
}

/*
 * The account counts reading back what was evicted as memory, with the kernel's
 * CPU time for it, which is no wait: pressure has the waits alone.
 */
static struct sw_loss loss_of(const struct sw_view *view)
{
	struct sw_loss loss = sw_loss_by(view, SW_LIMIT_IO, SW_PROBABLE);

	loss.usec = fmax(loss.usec, sw_real_u64(view->io.stalled_usec));
	return loss;
}

static int tell(const struct sw_view *view, double again, double ratio,
		const struct sw_loss *loss, const double *setting,
		struct sw_findings *findings)
{
	double waited = loss->usec / (double)view->elapsed_usec;
	struct sw_evidence evidence = { "workingset_refault_file / bytes read",
					ratio, "ratio",
					setting[MIN_AGAIN_RATIO], SW_MISSING };
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "memory.cache_squeezed",
				 SW_WARNING, loss->sure,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"workingset_refault_file", again, "bytes", NAN, SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"time waiting for I/O / elapsed", waited, "ratio",
		sw_worth_ratio(loss, setting), SW_MISSING });
	sw_finding_subject(finding, "step");
	sw_finding_sentence(
		finding,
		"%s of files, %.0f %% of what was read, had been read before: "
		"the memory limit of %s left no room to keep it in the page "
		"cache, and the step waited for I/O for %.0f %% of the time. "
		"With more memory it would read less; or let it finish with "
		"one file, or part of it, before it reads the next.",
		sw_size_text(sw_whole_real(again)).s, ratio * 100,
		sw_size_text(view->memory.limit_bytes).s,
		waited * 100);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	double again = sw_view_pages_bytes(view,
					   view->memory.refaulted_file_pages);
	double ratio = again_ratio(view, again);
	struct sw_loss loss = loss_of(view);

	if (!(again >= setting[MIN_AGAIN_BYTES]) ||
	    !(ratio >= setting[MIN_AGAIN_RATIO]) ||
	    !sw_is_worth_telling(view, &loss, setting) ||
	    !is_at_limit(view, setting))
		return 0;
	return tell(view, again, ratio, &loss, setting, findings);
}

static const char *blind_to(const struct sw_view *view)
{
	if (isnan(loss_of(view).usec))
		return "how long the step waited for I/O is not known";
	return view->memory.is_limit_above &&
			       sw_is_missing(
				       view->nearby.around.available_bytes) ?
		"how much memory the node had left is not known" : NULL;
}

const struct sw_rule sw_rule_memory_cache_squeezed = {
	.id = "memory.cache_squeezed",
	.title = "Files read again, with too little page cache",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The kernel keeps files that a step reads in otherwise unused memory, "
	"within the step's limit. Here the limit left so little that files "
	"were evicted and read again.",
	.what_to_do =
	"Request additional memory of the size of the files that are read "
	"repeatedly, or change the order of reading.",
	.computed =
	"From memory.stat workingset_refault_file, pages of files that were "
	"needed again after their eviction (mm/workingset.c, "
	"Documentation/admin-guide/cgroup-v2.rst), over the bytes read from "
	"block devices; on network file systems, which these do not include, "
	"the refaults alone. Reported when that is min_again_ratio and "
	"min_again_bytes, the step's waits for I/O (as in the account of what "
	"limited it, or as io.pressure, some total, if that is more) reach "
	"min_lost_ratio and min_lost_seconds, its peak was min_peak_ratio of "
	"the limit, and the limit was hit (memory.events max); or, below a "
	"limit that it shares with others, when its peak was min_shared_ratio "
	"of the limit and the node had more than the limit left "
	"(MemAvailable). A file that is read once, however large, is never "
	"needed again. Where mapped files are part of the need, "
	"memory.near_limit says so instead; where everything stood still "
	"because of it, memory.thrashing. Example: an index of 3 GiB that each "
	"of twenty searches reads below a limit of 2 GiB is read twenty times.",
	.needs = { { "series.memory", "workingset_refault_file" } },
	.settings = {
		SW_WORTH_SETTINGS,
		{ "min_again_ratio", 0.25, 0.01, 1,
		  "share of the bytes read that had been read before" },
		{ "min_again_bytes", 268435456, 0, 1e15, "less is no matter" },
		{ "min_peak_ratio", 0.98, 0, 1,
		  "smallest ratio of peak to limit" },
		{ "min_shared_ratio", 0.5, 0, 1,
		  "the same, of a limit that others share" },
	},
	.yields_to = causes,
	.eval = eval,
	.blind_to = blind_to,
};
