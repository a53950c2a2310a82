/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu.slow_start: the step read its input before it computed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/worth.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/bottleneck_words.h"
#include "analyzer/view/shares.h"
#include "common/units.h"

static double io_of(const struct sw_view_limits *limits)
{
	uint64_t usec = limits->usec[SW_LIMIT_IO];

	return sw_is_missing(usec) ? 0 : (double)usec;
}

/* Rules that explain the waits. */
static const char *const causes[] = { "memory.cache_squeezed", "io.saturated",
				      "io.many_files", NULL };

/* Count the I/O-limited phases from the first one on. */
static size_t phases_at_start(const struct sw_view *view)
{
	struct sw_bottleneck found;
	size_t count = 0;

	while (count < view->phase_count &&
	       sw_bottleneck_find(&found, &view->phases[count].limits) &&
	       found.resource == SW_LIMITED_BY_IO)
		count++;
	return count;
}

/* A phase limited by others on its CPUs has work to do as well. */
static bool computes(const struct sw_phase *phase)
{
	struct sw_bottleneck found;

	return sw_bottleneck_find(&found, &phase->limits) &&
	       (found.resource == SW_LIMITED_BY_CPU ||
		found.resource == SW_LIMITED_BY_NODE);
}

/* Time waited at the start, if the step computed from then on; or 0. */
static double slow_usec(const struct sw_view *view, double *length_usec)
{
	const struct sw_phase *phases = view->phases;
	size_t i, count = phases_at_start(view);
	double usec = 0;

	if (count == 0 || count == view->phase_count ||
	    !computes(&phases[count]))
		return 0;
	for (i = 0; i < count; i++)
		usec += io_of(&phases[i].limits);
	*length_usec = (double)(phases[count - 1].end_usec -
				phases[0].start_usec);
	if (usec < SW_MAINLY * io_of(&view->limits) ||
	    *length_usec > SW_MOST * (double)view->elapsed_usec)
		return 0;
	return usec;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	double length = 0, usec = slow_usec(view, &length), ratio;
	struct sw_loss loss = { usec, 1, SW_PROBABLE };
	struct sw_evidence evidence = { "waits for I/O in the first phases / "
					"elapsed", NAN, "ratio",
					sw_worth_ratio(&loss, setting),
					SW_MISSING };
	struct sw_finding *finding;
	char place[96];

	if (sw_is_missing(view->elapsed_usec) || view->elapsed_usec == 0)
		return 0;
	evidence.value = ratio = usec / (double)view->elapsed_usec;
	if (!sw_is_worth_telling(view, &loss, setting))
		return 0;
	evidence.when_usec = view->phases[0].start_usec;
	finding = sw_finding_add(findings, "cpu.slow_start", SW_WARNING,
				 loss.sure, &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	if (!isnan(view->cpu.allocated_cores) && view->cpu.is_requested)
		finding->wasted_core_hours = view->cpu.allocated_cores * usec /
					     SW_USEC_PER_SEC / 3600;
	sw_finding_sentence(
		finding,
		"In the first %s the step hardly computed: for %s, %.0f %% of "
		"the run, it waited for I/O%s; later it hardly waited for any. "
		"Copy what it reads first to the node's local disk in one "
		"piece (an archive; of a Python or R environment a container "
		"image or a packed copy), or let one job load it and do the "
		"work of several.",
		sw_duration_text(sw_whole_real(length)).s,
		sw_duration_text(sw_whole_real(usec)).s, ratio * 100,
		sw_io_place_words(place, sizeof(place), &view->io));
	return 0;
}

const struct sw_rule sw_rule_cpu_slow_start = {
	.id = "cpu.slow_start",
	.title = "Slow start",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step held its CPUs while it read what it needs: a reference, a "
	"model, the many files of a software environment. Only then did it "
	"compute. Every such job pays for this again.",
	.what_to_do =
	"Stage the input as one large file, use packed environments, and "
	"combine several short jobs into one.",
	.computed =
	"From the phases of the run: parts in which one resource limited the "
	"step for most of the time, by samples of what threads wait for, "
	"pressure and CPU time. The phases limited by I/O at the beginning are "
	"the start. The next phase must be limited by CPU, or by other "
	"programs on its CPUs; the start must hold four fifths of all waits "
	"for I/O and be at most half of the run. Reported when these waits "
	"reach min_lost_ratio and min_lost_seconds, in place of io.stalled. "
	"Example: a job of 10 minutes imports Python packages from /home for 2 "
	"minutes.",
	.needs = { { "series.waits", "idle_usec" } },
	.settings = { SW_WORTH_SETTINGS },
	.yields_to = causes,
	.eval = eval,
};
