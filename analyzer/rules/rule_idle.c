/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle phases: no thread of the step ran for most of the phase, and it did not
 * wait for a file system.  A phase is idle by its share of idle time, so that a
 * heartbeat does not hide it; only the idle time of a phase counts.
 */
#include "analyzer/rules/rule_idle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/rules/hang.h"
#include "analyzer/rules/hang_words.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/bottleneck_words.h"
#include "analyzer/view/shares.h"
#include "common/delta.h"
#include "common/units.h"

/* With fewer intervals, it is hardly known what ran and when.  Chosen by
 * hand. */
enum { INTERVALS_MIN = 2 };

const char *const sw_idle_causes[] = { "progress.frozen", NULL };

static bool is_idle(const struct sw_phase *phase, struct sw_bottleneck *found)
{
	return sw_bottleneck_find(found, &phase->limits) &&
	       found->resource == SW_LIMITED_BY_WAITING;
}

static enum sw_idle_place place_of(const struct sw_view *view, size_t index)
{
	if (index == 0)
		return SW_IDLE_START;
	return index + 1 == view->phase_count ? SW_IDLE_TAIL : SW_IDLE_MIDDLE;
}

/* A stopped step had work to do: not a tail, but progress.waiting's. */
static bool is_unfinished(enum sw_idle_place place,
			  const struct sw_bottleneck *bottleneck)
{
	return place == SW_IDLE_TAIL && bottleneck->limit == SW_LIMIT_STOPPED;
}

/*
 * A step that only waited for a CPU before did no work of which this could be
 * the tail: progress.waiting reports the whole.
 */
static bool is_after_nothing(const struct sw_view *view, size_t index)
{
	struct sw_bottleneck before;
	size_t i;

	for (i = 0; i < index; i++) {
		if (!sw_bottleneck_find(&before, &view->phases[i].limits) ||
		    before.resource != SW_LIMITED_BY_NODE)
			return false;
	}
	/* Starting up uses no more CPU time. */
	return index && sw_curve_mean(&view->cores, view->start_usec,
				      view->phases[index].start_usec) <
				SW_SOME;
}

/* It may have waited here for the same reason as elsewhere. */
static bool is_in_doubt(const struct sw_view *view,
			const struct sw_bottleneck *bottleneck)
{
	return bottleneck->limit == SW_LIMIT_UNSEEN &&
	       sw_is_idle_explained(view);
}

static uint64_t width(const struct sw_phase *phase)
{
	return phase->end_usec - phase->start_usec;
}

/* Return the microseconds of the phase in which no thread ran. */
static double idle_usec(const struct sw_phase *phase,
			const struct sw_bottleneck *bottleneck)
{
	return (double)width(phase) *
	       (bottleneck->share >= SW_NEARLY_ALL ? 1 : bottleneck->share);
}

static bool has_intervals(const struct sw_view *view,
			  const struct sw_phase *phase)
{
	const struct sw_curve *cores = &view->cores;
	size_t i, within = 0;

	for (i = 0; i < cores->count && within < INTERVALS_MIN; i++)
		within += cores->start_usec[i] >= phase->start_usec &&
			  cores->end_usec[i] <= phase->end_usec;
	return within == INTERVALS_MIN;
}

/* A step that never worked is reported by other rules. */
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
		    is_unfinished(place, &bottleneck) ||
		    is_after_nothing(view, i) ||
		    is_in_doubt(view, &bottleneck) ||
		    (longest && width(phase) <= width(longest)))
			continue;
		longest = phase;
		*found = bottleneck;
	}
	return longest;
}

/* Format "For the first 20.0 s", or "For 8.0 s of the first 10.0 s". */
static const char *when_words(char *buf, size_t size,
			      const struct sw_idle_rule *rule,
			      const struct sw_phase *phase,
			      const struct sw_bottleneck *bottleneck)
{
	struct sw_units_text all = sw_duration_text(width(phase));

	if (bottleneck->share >= SW_NEARLY_ALL)
		snprintf(buf, size, "%s %s", rule->when, all.s);
	else
		snprintf(buf, size, "for %s of %s %s", sw_duration_text(
			 sw_whole_real(idle_usec(phase, bottleneck))).s,
			 rule->part, all.s);
	return buf;
}

/* The remedy.  A failed step's tail does not mean that its work was done. */
static const char *advise(char *buf, size_t size,
			  const struct sw_idle_rule *rule,
			  const struct sw_view *view,
			  const struct sw_phase *phase)
{
	const struct sw_view_hang *hang = sw_hang_open(view, phase->start_usec,
						       phase->end_usec);

	if (hang && sw_hang_is_named(view, hang))
		return sw_hang_when_words(buf, size, view, hang);
	if (rule->remedy_of_failed && view->state != SW_STATE_COMPLETED)
		return rule->remedy_of_failed;
	return rule->remedy;
}

static int tell(const struct sw_idle_rule *rule, const struct sw_view *view,
		const struct sw_phase *phase,
		const struct sw_bottleneck *bottleneck, double threshold,
		struct sw_findings *findings)
{
	double usec = idle_usec(phase, bottleneck);
	double ratio = usec / (double)view->elapsed_usec;
	struct sw_evidence evidence = { "idle time of the phase / elapsed",
					ratio, "ratio", threshold,
					phase->start_usec };
	char held[80] = "", waste[48], clause[80], wait[96] = "", when[128];
	char advice[512];
	struct sw_finding *finding;

	finding = sw_finding_add(findings, rule->id, SW_WARNING, SW_PROBABLE,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	if (!isnan(view->cpu.allocated_cores) && view->cpu.is_requested) {
		finding->wasted_core_hours = view->cpu.allocated_cores *
					     usec / SW_USEC_PER_SEC / 3600;
		snprintf(held, sizeof(held), " %s were reserved but unused.",
			 sw_waste_words(waste, sizeof(waste),
					finding->wasted_core_hours, "core"));
	}
	if (bottleneck->limit != SW_LIMIT_UNSEEN)
		snprintf(wait, sizeof(wait), ": %s",
			 sw_wait_clause(clause, sizeof(clause), NULL,
					bottleneck->limit));
	sw_finding_sentence(finding, "Idle %s, %.0f %% of the time%s.%s %s",
			    when_words(when, sizeof(when), rule, phase,
				       bottleneck), ratio * 100,
			    wait, held,
			    advise(advice, sizeof(advice), rule, view, phase));
	return 0;
}

int sw_idle_eval(const struct sw_idle_rule *rule, const struct sw_view *view,
		 const double *setting, struct sw_findings *findings)
{
	struct sw_bottleneck bottleneck = {
		.resource = SW_LIMITED_BY_NONE };
	const struct sw_phase *phase = find_phase(view, rule->place,
						  &bottleneck);
	struct sw_loss loss = { .cpus = 1, .sure = SW_PROBABLE };

	if (!phase || sw_is_missing(view->elapsed_usec))
		return 0;
	loss.usec = idle_usec(phase, &bottleneck);
	if (!sw_is_worth_telling(view, &loss, setting) ||
	    !has_intervals(view, phase))
		return 0;
	return tell(rule, view, phase, &bottleneck,
		    sw_worth_ratio(&loss, setting), findings);
}
