/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.growth: memory grew steadily until the end. */
#include <math.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "analyzer/view/memory_words.h"
#include "analyzer/view/shares.h"
#include "common/units.h"

enum { MIN_GROWN_RATIO, MIN_GROWN_MIB, MIN_SAMPLES, MIN_FIT };

/* A step killed at its limit needs no report on how fast it got there. */
static const char *const causes[] = { "oom.killed", "oom.silent", "oom.retry",
				      NULL };

/* A straight line fitted to the second half of the run. */
struct line {
	double bytes_per_second, start, end;	/* in bytes */
	double before;	/* bytes per second in the quarter before */
	double fit;		/* r squared */
	size_t samples;
};

/* Growth begins early; one large allocation at the end is simply what the step
 * needs.  Chosen by hand. */
static const double BEFORE_RATIO = 1.0 / 3;

/* A sample this close to the end may see a process being torn down.  Chosen by
 * hand. */
#define EXIT_USEC (SW_USEC_PER_SEC / 5)

/* Return the number of intervals without those at the end that only shrink. */
static size_t count_alive(const struct sw_curve *curve)
{
	size_t count = curve->count;

	while (count > 1 &&
	       curve->end_usec[count - 1] + EXIT_USEC >=
		       curve->end_usec[curve->count - 1] &&
	       curve->value[count - 1] < curve->value[count - 2])
		count--;
	return count;
}

/*
 * The last samples may be taken while the step is being killed: then next to
 * nothing is left, whereas a garbage collector leaves what is in use.
 */

/*
 * Return the number of intervals without those at the very end in which the
 * program had freed its memory or exited; 0 if it was freed earlier.
 */
static size_t count_held(const struct sw_curve *curve)
{
	size_t alive = count_alive(curve), count = alive;
	uint64_t run, freed;

	while (count && !(curve->value[count - 1] >= curve->max / 2))
		count--;
	if (!count)
		return 0;
	run = curve->end_usec[curve->count - 1] - curve->start_usec[0];
	freed = curve->end_usec[alive - 1] - curve->end_usec[count - 1];
	return freed * 20 <= run ||
	       (alive - count <= SW_END_INTERVALS &&
		curve->value[alive - 1] <= SW_SOME * curve->max) ? count : 0;
}

/* Return the growth in the second quarter of the run. */
static double growth_before(const struct sw_curve *curve, uint64_t half)
{
	uint64_t from = curve->start_usec[0], quarter = from + (half - from) / 2;
	double start = NAN, end = NAN;
	size_t i;

	for (i = 0; i < curve->count && curve->end_usec[i] <= half; i++) {
		if (isnan(start) && curve->end_usec[i] >= quarter) {
			start = curve->value[i];
			quarter = curve->end_usec[i];
		}
		end = curve->value[i];
		from = curve->end_usec[i];
	}
	return (end - start) * SW_USEC_PER_SEC / (double)(from - quarter);
}

/* Ordinary least squares over the ends of intervals. */
static struct line fit_line(const struct sw_curve *curve)
{
	double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0, slope, mean;
	struct line line = { .fit = NAN };
	size_t i, count = count_held(curve);
	uint64_t from, half;

	if (count < 2)
		return line;
	from = curve->start_usec[0];
	half = from + (curve->end_usec[count - 1] - from) / 2;
	for (i = 0; i < count; i++) {
		double time = (double)(curve->end_usec[i] - from) /
			      SW_USEC_PER_SEC;
		double bytes = curve->value[i];

		if (isnan(bytes) || curve->end_usec[i] < half)
			continue;
		n++;
		x += time;
		y += bytes;
		xx += time * time;
		xy += time * bytes;
		yy += bytes * bytes;
		if (line.samples++ == 0)
			line.start = bytes;
		line.end = bytes;
	}
	slope = (n * xy - x * y) / (n * xx - x * x);
	mean = y / n;
	line.bytes_per_second = slope;
	line.before = growth_before(curve, half);
	line.fit = slope * slope * (xx - x * x / n) / (yy - n * mean * mean);
	return line;
}

/* A program with most of the memory may have hit its own limit. */
static bool has_failed(const struct sw_view *view, const struct line *line)
{
	size_t i;

	if (view->state == SW_STATE_INTERRUPTED)
		return false;
	if (view->state != SW_STATE_COMPLETED)
		return true;
	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (sw_real_u64(program->peak_bytes) >= line->end / 2 &&
		    (sw_zero_if_missing(program->exited_nonzero) ||
		     sw_zero_if_missing(program->killed)))
			return true;
	}
	return false;
}

/* "; it would have reached the 1.0 GiB requested 2 min later" */
static void add_reach(char *text, size_t size, const struct sw_view *view,
		      const struct line *line)
{
	const char *name;
	uint64_t bound = sw_memory_reference(&view->memory, &name);
	double seconds;

	text[0] = '\0';
	if (has_failed(view, line)) {
		snprintf(text, size, ", where it failed: if its messages are "
			 "about memory, look for a limit (ulimit -v) as well");
		return;
	}
	if (sw_is_missing(bound) || (double)bound <= line->end)
		return;
	seconds = ((double)bound - line->end) / line->bytes_per_second;
	snprintf(text, size, "; at this rate it reaches the %s %s after %s "
		 "more", sw_size_text(bound).s, name,
		 sw_duration_text(sw_whole_real(seconds * SW_USEC_PER_SEC)).s);
}

static int tell(const struct sw_view *view, const struct line *line,
		double grown, double threshold, struct sw_findings *findings)
{
	struct sw_evidence evidence = { "growth in the later half / memory",
					grown, "ratio", threshold,
					SW_MISSING };
	struct sw_finding *finding;
	char reach[160], rate[SW_UNITS_TEXT_SIZE];

	finding = sw_finding_add(findings, "memory.growth", SW_WARNING, 0.6,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"growth", line->bytes_per_second, "bytes per second", NAN,
		SW_MISSING });
	sw_finding_evidence(finding, &(struct sw_evidence){
		"r squared of a line", line->fit, "ratio", NAN, SW_MISSING });
	sw_finding_subject(finding, "step");
	add_reach(reach, sizeof(reach), view, line);
	sw_size_format(rate, sizeof(rate),
		       sw_whole_real(line->bytes_per_second * 60));
	sw_finding_sentence(
		finding,
		"Memory grew steadily to the end of the run, by %s a minute, "
		"to %s%s. A longer run, or a larger input, needs more. If "
		"the program should not keep what it has done, look for a "
		"leak, or a list that is never emptied.",
		rate, sw_size_text(sw_whole_real(line->end)).s, reach);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	struct line line = fit_line(&view->memory_bytes);
	double grown = line.end - line.start;

	if ((double)line.samples < setting[MIN_SAMPLES] || isnan(line.fit) ||
	    line.fit < setting[MIN_FIT] || line.bytes_per_second <= 0 ||
	    !(line.before >= BEFORE_RATIO * line.bytes_per_second) ||
	    grown < setting[MIN_GROWN_MIB] * SW_MIB ||
	    grown < setting[MIN_GROWN_RATIO] * line.end)
		return 0;
	return tell(view, &line, grown / line.end, setting[MIN_GROWN_RATIO],
		    findings);
}

const struct sw_rule sw_rule_memory_growth = {
	.id = "memory.growth",
	.title = "Memory that grows to the end",
	.kind = SW_FINDING_FAILURE,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The step's memory grew steadily until it ended. The need of this run "
	"says little about a longer one.",
	.what_to_do =
	"Watch a longer run. A program that works through its input piece by "
	"piece should not grow: look for what it keeps.",
	.computed =
	"From the samples of memory that cannot be reclaimed: a least-squares "
	"line through the later half of the run, of at least min_samples. "
	"Reported when memory grew there by min_grown_ratio of its last value "
	"and min_grown_mib, the line explains min_fit of the variance (r "
	"squared), and the growth in the quarter before was at least a third "
	"as fast: a program that loads its data and then computes is flat in "
	"the later half, one that does a single large thing at its end is flat "
	"before it. The time until a limit is reached is left out if a program "
	"failed.",
	.needs = { { "series.memory", "anon" },
		   { "series.proc", "rss_anon_low" } },
	.is_any_need = true,
	.settings = {
		{ "min_grown_ratio", 0.2, 0.01, 1,
		  "growth in the later half, of the memory at the end" },
		{ "min_grown_mib", 64, 0, 1048576,
		  "a smaller amount is not reported" },
		{ "min_samples", 4, 3, 1e6, "fewer are not evaluated" },
		{ "min_fit", 0.9, 0.1, 1, "r squared of the line" },
	},
	.yields_to = causes,
	.eval = eval,
};
