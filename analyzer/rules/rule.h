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

/* A column that the rule cannot do without. */
struct sw_rule_need {
	const char *table, *column;
};

enum { SW_RULE_NEEDS_MAX = 4, SW_RULE_SETTINGS_MAX = 8 };

/* A threshold: rules.<id>.<key> in stepwell.yaml. */
struct sw_rule_setting {
	const char *key;	/* snake_case, its unit in the name */
	/* Default: chosen by hand and held against "make ward", unless the
	 * rule's text or a comment has a source. */
	double value;
	double min, max;	/* accepted range */
	const char *help;	/* one sentence */
	/* Only the site can know it: not evaluated while it is 0. */
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
	/* The request is made for the job: evaluate a node's steps as one. */
	bool is_of_request;
	/* Evaluate all nodes and steps as one. */
	bool is_of_job;
	struct sw_rule_setting settings[SW_RULE_SETTINGS_MAX];
	/*
	 * Rules that explain this one's finding, NULL-terminated, or NULL: if
	 * one of them has a finding in the same view, this one's is dropped.
	 */
	const char *const *yields_to;
	/* setting: in the order of settings[].  0, or -1 (errno). */
	int (*eval)(const struct sw_view *view, const double *setting,
		    struct sw_findings *findings);
	/*
	 * Optional.  Return why no finding would mean nothing although the
	 * needs are met, or NULL if no finding means that all is well.
	 */
	const char *(*blind_to)(const struct sw_view *view);
};

/* Return the finding's own title, or else its rule's. */
static inline const char *sw_finding_title(const struct sw_finding *finding,
					   const struct sw_rule *rule)
{
	return finding->title ? finding->title : rule->title;
}

/* A value that replaces a rule's default. */
struct sw_threshold {
	const struct sw_rule *rule;
	size_t index;		/* in the rule's settings */
	double value;
};

/* Zeroed: all defaults. */
struct sw_thresholds {
	struct sw_threshold *items;
	size_t count;
};

/* The last value set is used.  Return 0, or -1 if out of memory. */
int sw_thresholds_set(struct sw_thresholds *thresholds,
		      const struct sw_rule *rule, size_t index, double value);
void sw_thresholds_fini(struct sw_thresholds *thresholds);

/* The value of the index-th setting; thresholds NULL: the default. */
double sw_threshold(const struct sw_thresholds *thresholds,
		    const struct sw_rule *rule, size_t index);

/* A rule that could not be evaluated, and why. */
struct sw_not_evaluated {
	const char *id;
	char because[160];
};

/* The rule that reads the comparison of a run with its past. */
#define SW_RULE_UNLIKE_PAST "run.unlike_past"

/* All rules in the order of their ids, NULL-terminated. */
extern const struct sw_rule *const sw_rules[];
const struct sw_rule *sw_rule_find(const char *id);

struct sw_advice;

/* Findings of all rules for a view, or for all steps of a job. */
struct sw_result {
	const struct sw_view *view;	/* of the whole run */
	const struct sw_job *job;	/* NULL for a run without a scheduler */
	const struct sw_verdict *verdict;	/* trust in the files */
	struct sw_findings findings;	/* sorted */
	struct sw_not_evaluated *not_evaluated;
	size_t not_evaluated_count;
	struct sw_ceilings ceilings;	/* limits of a node's hardware */
	bool is_too_short;	/* for every rule that needs a minimum length */
	/* Request for the next run; NULL without history. */
	const struct sw_advice *advice;
	/* For a whole heterogeneous job: results of its components. */
	const struct sw_result *const *components;
	size_t component_count;
};

/* The job must outlive the result.  Return 0, or -1 with *error. */
int sw_result_init(struct sw_result *result, const struct sw_job *job,
		   const struct sw_thresholds *thresholds,
		   struct sw_error *error);
void sw_result_fini(struct sw_result *result);

struct sw_fingerprint;

/*
 * Note in a run's fingerprint if a finding is certain that its results are
 * incomplete: by itself, or beside its past.  The latter says nothing of its
 * success: its group's ways may have changed.
 */
void sw_result_judge(const struct sw_result *result,
		     struct sw_fingerprint *print);

#endif
