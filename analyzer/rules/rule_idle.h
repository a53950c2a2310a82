/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules about idle phases have in common. */
#ifndef SW_ANALYZER_RULE_IDLE_H
#define SW_ANALYZER_RULE_IDLE_H

#include "analyzer/rules/rule.h"

/* Of the rules' settings, which are the same. */
enum { SW_IDLE_MIN_RATIO, SW_IDLE_MIN_SECONDS };
#define SW_IDLE_SETTINGS                                                       \
	{                                                                      \
		{ "min_idle_ratio", 0.2, 0.01, 1,                              \
		  "smallest share of the elapsed time that is reported" },     \
		{ "min_idle_seconds", 5, 0, 86400,                             \
		  "less idle time is not reported" },                          \
	}

/* Where in the run a phase is. */
enum sw_idle_place { SW_IDLE_START, SW_IDLE_MIDDLE, SW_IDLE_TAIL };

/* What a rule says of its place. */
struct sw_idle_rule {
	const char *id;
	enum sw_idle_place place;
	const char *when, *part;	/* "For the first", "the first" */
	const char *remedy;
	const char *remedy_of_failed;	/* where the step failed; or NULL */
};

/* Find the longest idle phase at the place and say it.  0 or -1 (errno). */
int sw_idle_eval(const struct sw_idle_rule *rule, const struct sw_view *view,
		 const double *setting, struct sw_findings *findings);

/* NULL-terminated: a standstill is progress.frozen. */
extern const char *const sw_idle_causes[];

#endif
