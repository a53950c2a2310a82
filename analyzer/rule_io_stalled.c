/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io.stalled: time lost waiting for storage. */
#include <math.h>

#include "analyzer/rule.h"
#include "common/units.h"

enum { MIN_STALLED_RATIO, MIN_STALLED_SECONDS };

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_io *io = &view->io;
	char stalled[SW_UNITS_TEXT_SIZE], elapsed[SW_UNITS_TEXT_SIZE];
	struct sw_finding *finding;
	struct sw_evidence share;
	double ratio;

	if (sw_is_missing(io->stalled_usec) ||
	    sw_is_missing(view->elapsed_usec) || view->elapsed_usec == 0)
		return 0;
	ratio = (double)io->stalled_usec / (double)view->elapsed_usec;
	if (ratio < setting[MIN_STALLED_RATIO] ||
	    (double)io->stalled_usec / SW_USEC_PER_SEC <
		    setting[MIN_STALLED_SECONDS])
		return 0;
	share = (struct sw_evidence){
		"io.pressure some total / elapsed", ratio, "ratio",
		setting[MIN_STALLED_RATIO], SW_MISSING,
	};
	finding = sw_finding_add(findings, "io.stalled", SW_WARNING, 0.8,
				 &share);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	sw_duration_format(stalled, sizeof(stalled), io->stalled_usec);
	sw_duration_format(elapsed, sizeof(elapsed), view->elapsed_usec);
	sw_finding_sentence(finding,
		"The kernel counted %s of stalls on storage (%s) in a run of "
		"%s, %.0f %%; it is a mean weighted by CPU, so single "
		"processes may have waited longer. Keep small and temporary "
		"files on the node's local disk, read in larger pieces, and "
		"ask for fewer CPUs while the data comes in.",
		stalled, io->stalled_source, elapsed, ratio * 100);
	return 0;
}

const struct sw_rule sw_rule_io_stalled = {
	.id = "io.stalled",
	.title = "Waiting for storage",
	.explain =
	"The step's threads stood still because a read or a write had not "
	"come back from storage.\n\n"
	"Computed from pressure stall information (io.pressure, some total) "
	"of the step's own cgroup over the elapsed time; it fires at "
	"min_stalled_ratio and min_stalled_seconds. The kernel weighs this "
	"number by the CPUs in use: one blocked process beside a busy one "
	"counts half. FUSE and direct NFS I/O do not show in it at all, so "
	"its absence proves nothing there.\n\n"
	"What to do: stage input to local disk, read in larger pieces, do "
	"not share one directory between many tasks.",
	.needs = { { "series.pressure", "io.some.total" } },
	.settings = {
		{ "min_stalled_ratio", 0.10, 0, 1,
		  "share of the elapsed time" },
		{ "min_stalled_seconds", 1, 0, 86400,
		  "shorter stalls are not worth a word" },
	},
	.eval = eval,
};
