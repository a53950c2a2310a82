/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of rules, and the engine that evaluates them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/compare/fingerprint.h"
#include "analyzer/rules/absence.h"
#include "analyzer/rules/rule.h"

/* One RULE(name) for each file of ANALYZER_RULES (Makefile.inc), sorted. */
#define RULE(name) extern const struct sw_rule sw_rule_##name;
#include "analyzer/rules/rule_list.h"
#undef RULE

#define RULE(name) &sw_rule_##name,
const struct sw_rule *const sw_rules[] = {
#include "analyzer/rules/rule_list.h"
	NULL,
};
#undef RULE

const struct sw_rule *sw_rule_find(const char *id)
{
	const struct sw_rule *const *rule;

	for (rule = sw_rules; *rule; rule++) {
		if (!strcmp((*rule)->id, id))
			return *rule;
	}
	return NULL;
}

/* The first need that the profile lacks; NULL: evaluate the rule. */
static const struct sw_rule_need *missing_need(const struct sw_rule *rule,
					  const struct sw_view *view)
{
	const struct sw_rule_need *missing = NULL, *need = rule->needs;
	size_t i;

	for (i = 0; i < SW_RULE_NEEDS_MAX && need[i].table; i++) {
		if (sw_view_has(view, need[i].table, need[i].column)) {
			if (rule->is_any_need)
				return NULL;
		} else if (!missing) {
			missing = &need[i];
		}
	}
	return missing;
}

/* Why a rule's silence means nothing; "" if it is meaningful. */
struct because {
	char text[sizeof(((struct sw_not_evaluated *)NULL)->because)];
};

/* Needs in words; a row without column stands for all columns of its table. */
static const struct need_words {
	const char *table, *column, *words;
} need_words[] = {
	{ "programs", "spin_usec", "what programs ask the kernel" },
	{ "series.cpu", "nr_throttled", "CPU quotas and their effect" },
	{ "series.cpu", NULL, "the CPU time of the step's cgroup" },
	{ "series.memory", NULL, "the memory of the step's cgroup" },
	{ "series.io", NULL, "the step's I/O on block devices" },
	{ "series.pressure", NULL, "waits for I/O, memory and CPUs" },
	{ "series.waits", NULL, "what threads wait for" },
	{ "series.node", NULL, "the node's CPUs and memory" },
	{ "series.proc", "run_queue_wait_usec", "waits for a CPU" },
	{ "series.proc", "syscr", "the number of reads and writes" },
	{ "series.proc", NULL, "the step's processes" },
	{ "series.binding", NULL, "which CPUs tasks were bound to" },
	{ "series.runnable", NULL, "how threads share the work" },
	{ "series.numa", NULL, "memory by NUMA node" },
	{ "series.pmu", NULL, "hardware counters" },
	{ "series.gpu", NULL, "GPUs" },
	{ "series.gpu_process", NULL, "which processes used GPUs" },
	{ "series.net", NULL, "the step's network traffic" },
	{ "series.interface", NULL, "the node's network interfaces" },
	{ "series.mount", NULL, "network file systems" },
	{ "tasks", NULL, "single tasks or programs" },
	{ "programs", NULL, "programs" },
	{ "programs", "killed", "how programs ended" },
	{ "programs", "exited_nonzero", "how programs ended" },
	{ "programs", "opens", "files that programs opened" },
	{ "programs", "sampled_usec", "what programs ask the kernel" },
	{ "programs", "oom_killed", "which programs were killed for memory" },
	{ "topology", NULL, "the node's cores, sockets and NUMA nodes" },
};

/* Return the column's own words or else its table's; NULL if none. */
static const char *words_of(const struct sw_rule_need *need)
{
	const char *words = NULL;
	size_t i;

	for (i = 0; i < sizeof(need_words) / sizeof(need_words[0]); i++) {
		if (strcmp(need_words[i].table, need->table) != 0)
			continue;
		if (!need_words[i].column)
			words = words ? words : need_words[i].words;
		else if (!strcmp(need_words[i].column, need->column))
			words = need_words[i].words;
	}
	return words;
}

static void note_need(struct because *because, const struct sw_view *view,
		      const struct sw_rule_need *need)
{
	const char *reason = sw_absence_reason(view, need->table);
	const char *words = words_of(need);

	if (reason)
		snprintf(because->text, sizeof(because->text), "%s", reason);
	else if (!words)
		snprintf(because->text, sizeof(because->text),
			 "the recording has no %s (table %s)", need->column,
			 need->table);
	else
		snprintf(because->text, sizeof(because->text),
			 "there is no record of %s", words);
}

/* Return true if a threshold that the site has to set is not set. */
static bool lacks_setting(struct because *because, const struct sw_rule *rule,
			  const double *value)
{
	size_t i;

	for (i = 0; i < SW_RULE_SETTINGS_MAX && rule->settings[i].key; i++) {
		if (!rule->settings[i].is_of_site || value[i] > 0)
			continue;
		snprintf(because->text, sizeof(because->text),
			 "rules.%s.%s is not set", rule->id,
			 rule->settings[i].key);
		return true;
	}
	return false;
}

static int ask(struct sw_result *result, const struct sw_rule *rule,
	       const struct sw_view *view, const struct sw_thresholds *thresholds,
	       struct because *because)
{
	double value[SW_RULE_SETTINGS_MAX] = { 0 };
	struct sw_findings *findings = &result->findings;
	size_t i, count = findings->count;
	const struct sw_rule_need *missing = missing_need(rule, view);
	const char *blind;

	because->text[0] = '\0';
	if (missing) {
		note_need(because, view, missing);
		return 0;
	}
	if (rule->is_of_request && view->shares_request) {
		snprintf(because->text, sizeof(because->text),
			 "the request of this step covers all steps");
		return 0;
	}
	for (i = 0; i < SW_RULE_SETTINGS_MAX && rule->settings[i].key; i++)
		value[i] = sw_threshold(thresholds, rule, i);
	if (lacks_setting(because, rule, value))
		return 0;
	if (rule->eval(view, value, findings) < 0)
		return -1;
	blind = rule->blind_to && findings->count == count ?
			rule->blind_to(view) : NULL;
	if (blind)
		snprintf(because->text, sizeof(because->text), "%s", blind);
	for (i = count; i < findings->count; i++) {
		findings->items[i].view = view;
		if (!findings->items[i].kind)
			findings->items[i].kind = rule->kind;
		if (!view->slurm.is_slurm)
			sw_finding_say_run(&findings->items[i]);
		findings->items[i].reason_usec = sw_view_realtime_usec(
			view, findings->items[i].reason_usec);
		sw_confidence_lower(&findings->items[i], view, rule->basis);
	}
	return 0;
}

/* Number of evaluations of a rule, and of those whose silence means nothing. */
struct asked {
	size_t count, silent;
	struct because first;
};

static int ask_one(struct sw_result *result, const struct sw_rule *rule,
		   const struct sw_view *view,
		   const struct sw_thresholds *thresholds, struct asked *asked)
{
	struct because because;

	if (ask(result, rule, view, thresholds, &because) < 0)
		return -1;
	if (!view->slurm.is_slurm)
		sw_say_run(because.text);
	asked->count++;
	if (because.text[0] && asked->silent++ == 0)
		asked->first = because;
	return 0;
}

/* The extern step has no user processes except those of a login. */
static bool is_worth_asking(const struct sw_node *node,
			    const struct sw_view *step)
{
	return node->step_count == 1 || !step->step_id ||
	       strcmp(step->step_id, "extern") != 0;
}

static int ask_node(struct sw_result *result, const struct sw_rule *rule,
		    const struct sw_node *node,
		    const struct sw_thresholds *thresholds, struct asked *asked)
{
	size_t i;

	if (rule->is_of_request)
		return ask_one(result, rule, result->job ? &node->total :
							    node->steps,
			       thresholds, asked);
	for (i = 0; i < node->step_count; i++) {
		if (is_worth_asking(node, &node->steps[i]) &&
		    ask_one(result, rule, &node->steps[i], thresholds,
			    asked) < 0)
			return -1;
	}
	return 0;
}

/*
 * A request is for all nodes: report it as too large only if it was so on each,
 * and by as much as on the node that came closest to it.
 */
static void keep_least(struct sw_findings *findings, size_t first,
		       size_t nodes)
{
	size_t i, fired = findings->count - first;
	struct sw_finding *least;

	if (!fired)
		return;
	least = &findings->items[first];
	for (i = first; i < findings->count; i++) {
		if (sw_finding_waste(&findings->items[i]) <
		    sw_finding_waste(least))
			least = &findings->items[i];
	}
	least->other_occurrences = fired - 1;
	findings->items[first] = *least;
	findings->count = fired == nodes ? first + 1 : first;
}

static int ask_nodes(struct sw_result *result, const struct sw_rule *rule,
		     const struct sw_job *job,
		     const struct sw_thresholds *thresholds, struct asked *asked)
{
	size_t i, first = result->findings.count;

	if (rule->is_of_job)
		return ask_one(result, rule, result->view, thresholds, asked);
	for (i = 0; i < job->node_count; i++) {
		if (ask_node(result, rule, &job->nodes[i], thresholds,
			     asked) < 0)
			return -1;
	}
	if (rule->is_of_request)
		keep_least(&result->findings, first,
			   asked->count - asked->silent);
	return 0;
}

static void add_note(struct sw_result *result, const struct sw_rule *rule,
		     const struct asked *asked)
{
	struct sw_not_evaluated *note;

	if (!asked->silent)
		return;
	note = &result->not_evaluated[result->not_evaluated_count++];
	note->id = rule->id;
	if (asked->silent == asked->count)
		snprintf(note->because, sizeof(note->because), "%s",
			 asked->first.text);
	else
		snprintf(note->because, sizeof(note->because),
			 "in %zu of %zu %s: %.*s", asked->silent, asked->count,
			 rule->is_of_request ? "nodes" : "steps",
			 (int)sizeof(note->because) - 64, asked->first.text);
}

static bool is_covered(const struct sw_findings *findings,
		       const struct sw_finding *finding)
{
	size_t i;

	for (i = 0; i < findings->count; i++) {
		const struct sw_finding *other = &findings->items[i];

		if (other->view == finding->view && other->covers &&
		    !strcmp(other->covers, finding->id))
			return true;
	}
	return false;
}

static bool yields(const struct sw_findings *findings,
		   const struct sw_finding *finding)
{
	const struct sw_rule *rule = sw_rule_find(finding->id);
	const char *const *id = rule ? rule->yields_to : NULL;
	size_t i;

	for (; id && *id; id++) {
		for (i = 0; i < findings->count; i++) {
			if (findings->items[i].view == finding->view &&
			    !strcmp(findings->items[i].id, *id))
				return true;
		}
	}
	return false;
}

/* Report each problem once, by the finding that explains it. */
static void drop_symptoms(struct sw_findings *findings)
{
	size_t i, kept = 0;
	bool *is_symptom = calloc(findings->count + 1, sizeof(*is_symptom));

	for (i = 0; is_symptom && i < findings->count; i++)
		is_symptom[i] = yields(findings, &findings->items[i]) ||
				is_covered(findings, &findings->items[i]);
	for (i = 0; is_symptom && i < findings->count; i++) {
		if (!is_symptom[i])
			findings->items[kept++] = findings->items[i];
	}
	findings->count = is_symptom ? kept : findings->count;
	free(is_symptom);
}

/* Return a setting that is 0 until the site sets it, in units of its own. */
static double ceiling(const struct sw_thresholds *thresholds, const char *key)
{
	const struct sw_rule *rule = &sw_rule_hw_memory_bandwidth;
	double value = 0;
	size_t i;

	for (i = 0; i < SW_RULE_SETTINGS_MAX && rule->settings[i].key; i++) {
		if (!strcmp(rule->settings[i].key, key))
			value = sw_threshold(thresholds, rule, i);
	}
	return value > 0 ? value * 1e9 : NAN;
}

/* Return true if shorter than the shortest minimum length of any rule. */
static bool is_too_short(const struct sw_view *view,
			 const struct sw_thresholds *thresholds)
{
	double least = INFINITY;
	size_t i, k;

	for (i = 0; sw_rules[i]; i++) {
		const struct sw_rule *rule = sw_rules[i];

		for (k = 0; k < SW_RULE_SETTINGS_MAX && rule->settings[k].key;
		     k++) {
			if (!strcmp(rule->settings[k].key,
				    "min_elapsed_seconds"))
				least = fmin(least, sw_threshold(thresholds,
								 rule, k));
		}
	}
	return !sw_is_missing(view->elapsed_usec) &&
	       sw_view_is_shorter(view, least);
}

int sw_result_init(struct sw_result *result, const struct sw_job *job,
		   const struct sw_thresholds *thresholds, struct sw_error *error)
{
	enum { RULES = sizeof(sw_rules) / sizeof(sw_rules[0]) };
	bool is_plain = sw_job_is_plain(job);
	size_t i;

	memset(result, 0, sizeof(*result));
	result->view = is_plain ? &job->nodes[0].steps[0] : &job->total;
	result->job = is_plain ? NULL : job;
	result->verdict = &job->verdict;
	result->is_too_short = is_too_short(result->view, thresholds);
	result->ceilings = (struct sw_ceilings){
		.flops_per_sec = ceiling(thresholds, "node_gflop_per_sec"),
		.bytes_per_sec = ceiling(thresholds, "node_gb_per_sec"),
	};
	result->not_evaluated = calloc(RULES, sizeof(*result->not_evaluated));
	if (!result->not_evaluated)
		return sw_error_set(error, "out of memory while collecting "
				    "findings");
	for (i = 0; sw_rules[i]; i++) {
		struct asked asked = { 0 };

		if (ask_nodes(result, sw_rules[i], job, thresholds,
			      &asked) < 0) {
			sw_error_errno(error, "rule %s failed, so there is no "
				       "report", sw_rules[i]->id);
			sw_result_fini(result);
			return -1;
		}
		add_note(result, sw_rules[i], &asked);
	}
	drop_symptoms(&result->findings);
	sw_findings_sort(&result->findings);
	if (result->job)
		sw_findings_merge(&result->findings);
	return 0;
}

void sw_result_judge(const struct sw_result *result,
		     struct sw_fingerprint *print)
{
	size_t i;

	for (i = 0; i < result->findings.count; i++) {
		const struct sw_finding *finding = &result->findings.items[i];

		if (finding->kind != SW_FINDING_RESULT)
			continue;
		if (!strcmp(finding->id, SW_RULE_UNLIKE_PAST))
			print->was_unlike = true;
		else if (finding->severity == SW_CRITICAL)
			print->has_failure = true;
	}
}

void sw_result_fini(struct sw_result *result)
{
	sw_findings_fini(&result->findings);
	free(result->not_evaluated);
	memset(result, 0, sizeof(*result));
}
