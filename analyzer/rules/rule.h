/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract for finding rules.
 *
 * A rule is one file (rule_*.c) and its name in ANALYZER_RULES of Makefile.inc.
 * It is a pure function of a view and its settings: no I/O, no state.  The
 * engine skips a rule whose needs the profile does not have and says so in the
 * report.  Copy rule_template.c to add one.
 */
#ifndef SW_ANALYZER_RULE_H
#define SW_ANALYZER_RULE_H

#include "analyzer/job/job.h"
#include "analyzer/rules/confidence.h"
#include "analyzer/rules/finding.h"
#include "analyzer/view/roofline.h"
#include "analyzer/view/view.h"

/* A column the rule cannot do without. */
struct sw_rule_need {
	const char *table, *column;
};

enum { SW_RULE_NEEDS_MAX = 4, SW_RULE_SETTINGS_MAX = 8 };

/* A threshold: rules.<id>.<key> in stepwell.yaml. */
struct sw_rule_setting {
	const char *key;	/* snake_case, its unit in the name */
	double value;		/* default */
	double min, max;	/* what is accepted */
	const char *help;	/* one sentence */
	/* Only the site can know it: while it is 0, nothing is evaluated. */
	bool is_of_site;
};

struct sw_rule {
	const char *id;
	const char *title;	/* a few words: "Memory requested and not used" */
	enum sw_finding_kind kind;	/* its place in a report */
	enum sw_basis basis;	/* what its findings rest on */
	/* "stepwell explain"; "\n\n" separates paragraphs. */
	const char *meaning, *what_to_do;	/* together 120 words at most */
	const char *computed;	/* from which counters, and when it fires */
	struct sw_rule_need needs[SW_RULE_NEEDS_MAX];	/* any one suffices if
							 * is_any_need */
	bool is_any_need;
	/* What was requested is the job's: asked of a node's steps as one. */
	bool is_of_request;
	struct sw_rule_setting settings[SW_RULE_SETTINGS_MAX];
	/*
	 * Rules, NULL-terminated or NULL, that say why: where one of them has a
	 * finding in the same view, this one's is left out.
	 */
	const char *const *yields_to;
	/* setting: the values in the order of settings[].  0, or -1 (errno). */
	int (*eval)(const struct sw_view *view, const double *setting,
		    struct sw_findings *findings);
	/*
	 * Optional: why eval()'s silence would mean nothing, although the
	 * needs are there; NULL when it means that all is well.
	 */
	const char *(*blind_to)(const struct sw_view *view);
};

/* Its own, or its rule's. */
static inline const char *sw_finding_title(const struct sw_finding *finding,
					   const struct sw_rule *rule)
{
	return finding->title ? finding->title : rule->title;
}

/* One that is in force in place of a rule's default. */
struct sw_threshold {
	const struct sw_rule *rule;
	size_t index;		/* of the rule's settings */
	double value;
};

/* A zeroed one has the defaults. */
struct sw_thresholds {
	struct sw_threshold *items;
	size_t count;
};

/* The last one that is set is in force.  0, or -1 without memory. */
int sw_thresholds_set(struct sw_thresholds *thresholds,
		      const struct sw_rule *rule, size_t index, double value);
void sw_thresholds_fini(struct sw_thresholds *thresholds);

/* The value of a rule's index-th setting; thresholds NULL: the default. */
double sw_threshold(const struct sw_thresholds *thresholds,
		    const struct sw_rule *rule, size_t index);

/* A rule that could not be evaluated, and why. */
struct sw_not_evaluated {
	const char *id;
	char because[160];
};

/* All rules in the order of their ids, NULL-terminated. */
extern const struct sw_rule *const sw_rules[];
const struct sw_rule *sw_rule_find(const char *id);

struct sw_advice;

/* What all rules say about a view, or about all steps of a job. */
struct sw_result {
	const struct sw_view *view;	/* of the whole */
	const struct sw_job *job;	/* NULL: a run without a scheduler */
	const struct sw_verdict *verdict;	/* on the files */
	struct sw_findings findings;	/* sorted */
	struct sw_not_evaluated *not_evaluated;
	size_t not_evaluated_count;
	struct sw_ceilings ceilings;	/* what a node can do */
	bool is_too_short;	/* for all rules that ask for a length */
	/* What to request next time; NULL: there is no history of it. */
	const struct sw_advice *advice;
	/* Of a whole heterogeneous job: those of its components. */
	const struct sw_result *const *components;
	size_t component_count;
};

/* The job must outlive the result.  0, or -1 with *error. */
int sw_result_init(struct sw_result *result, const struct sw_job *job,
		   const struct sw_thresholds *thresholds,
		   struct sw_error *error);
void sw_result_fini(struct sw_result *result);

#endif
