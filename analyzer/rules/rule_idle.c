/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle phases: nothing of the step ran for most of the phase, and it waited
 * for no file system.  A phase is idle by its share of time, so that a
 * heartbeat in it does not hide it.
 */
#include "analyzer/rules/rule_idle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/view/bottleneck.h"
#include "analyzer/view/bottleneck_words.h"
#include "common/delta.h"
#include "common/units.h"

const char *const sw_idle_causes[] = { "progress.frozen", NULL };

static bool is_idle(const struct sw_phase *phase, struct sw_bottleneck *found)
{
	return sw_bottleneck_find(found, &phase->limits) &&
	       !strcmp(found->resource, "waiting");
}

static enum sw_idle_place place_of(const struct sw_view *view, size_t index)
{
	if (index == 0)
		return SW_IDLE_START;
	return index + 1 == view->phase_count ? SW_IDLE_TAIL : SW_IDLE_MIDDLE;
}

static uint64_t width(const struct sw_phase *phase)
{
	return phase->end_usec - phase->start_usec;
}

/* A step that never worked is told so by other rules. */
static const struct sw_phase *find_phase(const struct sw_view *view,
					 enum sw_idle_place place,
					 struct sw_bottleneck *found)
{
	const struct sw_phase *longest = NULL;
	struct sw_bottleneck bottleneck;
	size_t i;

	for (i = 0; view->phase_count > 1 && i < view->phase_count; i++) {
		const struct sw_phase *phase = &view->phases[i];

		if (place_of(view, i) != place ||
		    !is_idle(phase, &bottleneck) ||
		    (longest && width(phase) <= width(longest)))
			continue;
		longest = phase;
		*found = bottleneck;
	}
	return longest;
}

static int tell(const struct sw_idle_rule *rule, const struct sw_view *view,
		const struct sw_phase *phase,
		const struct sw_bottleneck *bottleneck, double threshold,
		struct sw_findings *findings)
{
	double seconds = (double)width(phase) / SW_USEC_PER_SEC;
	double ratio = (double)width(phase) / (double)view->elapsed_usec;
	struct sw_evidence evidence = { "idle phase / elapsed", ratio, "ratio",
					threshold, phase->start_usec };
	char held[80] = "", waste[48], wait[96] = "";
	struct sw_finding *finding;

	finding = sw_finding_add(findings, rule->id, SW_WARNING, 0.8,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	if (!isnan(view->cpu.allocated_cores) && view->cpu.is_requested) {
		finding->wasted_core_hours =
			view->cpu.allocated_cores * seconds / 3600;
		snprintf(held, sizeof(held), " %s were held for nothing.",
			 sw_waste_words(waste, sizeof(waste),
					finding->wasted_core_hours, "core"));
	}
	if (bottleneck->limit != SW_LIMIT_UNSEEN)
		snprintf(wait, sizeof(wait), ": it waited for %s",
			 sw_limit_words(bottleneck->limit));
	sw_finding_sentence(finding, "%s %s, %.0f %% of the time, nothing of "
			    "the step ran%s.%s %s", rule->when,
			    sw_duration_text(width(phase)).s, ratio * 100,
			    wait, held, rule->remedy);
	return 0;
}

int sw_idle_eval(const struct sw_idle_rule *rule, const struct sw_view *view,
		 const double *setting, struct sw_findings *findings)
{
	struct sw_bottleneck bottleneck = { .resource = "" };
	const struct sw_phase *phase = find_phase(view, rule->place,
						  &bottleneck);

	if (!phase || sw_is_missing(view->elapsed_usec) ||
	    (double)width(phase) < setting[SW_IDLE_MIN_RATIO] *
					   (double)view->elapsed_usec ||
	    (double)width(phase) <
		    setting[SW_IDLE_MIN_SECONDS] * SW_USEC_PER_SEC)
		return 0;
	return tell(rule, view, phase, &bottleneck,
		    setting[SW_IDLE_MIN_RATIO], findings);
}
