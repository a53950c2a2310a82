/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Confidence of a finding, by the kind and the completeness of its sources. */
#include "analyzer/rules/confidence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/view/shares.h"
#include "common/text.h"

/* With fewer intervals, a single odd sample decides.  Chosen by hand. */
enum { INTERVALS_MIN = 10 };

static const struct {
	const char *words, *limits;
} bases[] = {
	[SW_BASIS_SAMPLES] = { "samples over the run",
			       "gaps and few samples lower it" },
	[SW_BASIS_COUNTERS] = { "the kernel's counters", NULL },
	[SW_BASIS_PROGRAMS] = { "starts and ends of programs",
				"those that were not seen lower it" },
	[SW_BASIS_RECORD] = { "how runs ended and what they requested", NULL },
};

const char *sw_basis_words(enum sw_basis basis)
{
	return bases[basis].words;
}

const char *sw_basis_limits(enum sw_basis basis)
{
	return bases[basis].limits;
}

static void lower(struct sw_finding *finding, double factor)
{
	finding->confidence *= factor;
	if (!finding->lowered_at)
		finding->lowered_at = strlen(finding->because) + 2;
}

static void lower_by_samples(struct sw_finding *finding,
			     const struct sw_view *view)
{
	double gap = sw_ratio_u64(view->recording.gap_usec, view->elapsed_usec);
	size_t count = view->cores.count;

	if (gap > 0)
		finding->confidence *= 1 - fmin(gap, 0.9);
	if (gap >= SW_PERCENT_MIN) {
		lower(finding, 1);
		sw_text_add(finding->because, sizeof(finding->because),
			    "; %.0f %% of the run was not sampled",
			    fmin(gap, 1) * 100);
	}
	if (count >= INTERVALS_MIN)
		return;
	lower(finding, SW_LESS_SURE);
	sw_text_add(finding->because, sizeof(finding->because),
		    "; only %zu interval%s between samples", count,
		    count == 1 ? "" : "s");
}

static void lower_by_programs(struct sw_finding *finding,
			      const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		if (view->programs[i].is_complete)
			continue;
		lower(finding, SW_LESS_SURE);
		sw_text_add(finding->because, sizeof(finding->because),
			    "; some programs were not seen from start to end");
		return;
	}
}

void sw_confidence_lower(struct sw_finding *finding, const struct sw_view *view,
			 enum sw_basis basis)
{
	snprintf(finding->because, sizeof(finding->because), "%s",
		 bases[basis].words);
	if (basis == SW_BASIS_SAMPLES)
		lower_by_samples(finding, view);
	else if (basis == SW_BASIS_PROGRAMS)
		lower_by_programs(finding, view);
}
