/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * template.example: copy this file to add a rule.
 *
 * 1. Copy it to rule_<id with underscores>.c and rename the struct at its end.
 *    If the view lacks a number: analyzer/view/README.md.
 * 2. Add the file to ANALYZER_RULES in analyzer/Makefile.inc.
 * 3. Write test/rules/<id>/fires.txt, quiet.txt and missing.txt.
 * 4. Write a case of the ward, or a line in test/ward/no-case.
 * 5. "make golden", and read the difference.
 *
 * HACKING.md, "How to add a finding", has the rest.
 *
 * This one is compiled by the tests only.  It reports a recorder that cost more
 * than a share of one CPU.
 */
#include <math.h>

#include "analyzer/rules/rule.h"

/* In the order of .settings below. */
enum { MIN_COST_RATIO };

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	uint64_t cost_usec = view->recording.recorder_cpu_usec;
	struct sw_finding *finding;
	struct sw_evidence evidence;
	double ratio;

	/* The column exists, but this step may have no value in it. */
	if (sw_is_missing(cost_usec) || sw_is_missing(view->elapsed_usec) ||
	    view->elapsed_usec == 0)
		return 0;
	ratio = (double)cost_usec / (double)view->elapsed_usec;
	if (ratio < setting[MIN_COST_RATIO])
		return 0;
	evidence = (struct sw_evidence){
		.counter = "recorder cpu_usec / elapsed",
		.value = ratio,
		.unit = "ratio",
		.threshold = setting[MIN_COST_RATIO],
		.when_usec = SW_MISSING,	/* the whole run */
	};
	finding = sw_finding_add(findings, "template.example", SW_INFO, 0.9,
				 &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "step");
	/* A number, its consequence and the remedy. */
	sw_finding_sentence(finding,
		"The recorder used %.1f %% of one CPU, which the step could "
		"have had. Record with a longer --period.", ratio * 100);
	return 0;
}

extern const struct sw_rule sw_rule_template;

const struct sw_rule sw_rule_template = {
	.id = "template.example",
	.title = "Recording was expensive",
	.kind = SW_FINDING_HINT,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"What it means, in the terms of the reader's field.",
	.what_to_do =
	"What to do about it, in the imperative.",
	.computed =
	"From which counters, by the kernel's names, when it is reported "
	"(min_cost_ratio), and where it is known to be wrong.",
	.needs = { { "series.recorder", "cpu_usec" } },
	.settings = {
		{ "min_cost_ratio", 0.05, 0, 1,
		  "share of one CPU at which it fires" },
	},
	.eval = eval,
};
