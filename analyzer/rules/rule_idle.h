/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code shared by the rules about idle phases. */
#ifndef SW_ANALYZER_RULE_IDLE_H
#define SW_ANALYZER_RULE_IDLE_H

#include "analyzer/rules/rule.h"
#include "analyzer/rules/worth.h"

/* Position of a phase in the run. */
enum sw_idle_place { SW_IDLE_START, SW_IDLE_MIDDLE, SW_IDLE_TAIL };

/* Texts of a rule for its position. */
struct sw_idle_rule {
	const char *id;
	enum sw_idle_place place;
	const char *when, *part;	/* "For the first", "the first" */
	const char *remedy;
	const char *remedy_of_failed;	/* if the step failed; or NULL */
};

/* Report the longest idle phase at the position.  Return 0, or -1 (errno). */
int sw_idle_eval(const struct sw_idle_rule *rule, const struct sw_view *view,
		 const double *setting, struct sw_findings *findings);

/* NULL-terminated: progress.frozen reports a standstill. */
extern const char *const sw_idle_causes[];

#endif
