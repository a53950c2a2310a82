/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first line of a report: how it ended and what matters most. */
#include <stdio.h>
#include <string.h>

#include "analyzer/job/job_record.h"
#include "analyzer/report/words.h"
#include "analyzer/rules/failed_weight.h"
#include "analyzer/rules/rule_program.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/bottleneck_words.h"
#include "common/text.h"
#include "common/units.h"

#define STATE_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"

/* The evidence shows why it ended: nothing to add. */
static bool is_proven(const struct sw_view *view)
{
	return view->end_oom_kills > 0 || sw_view_is_past_limit(view);
}

/* " (Slurm's final state: stepwell report 7)"; "" if there is no more */
static const char *where_state_is(char *buf, size_t size,
				  const struct sw_result *result)
{
	const struct sw_job *job = result->job;
	struct sw_jobid jobid;

	buf[0] = '\0';
	if (!job || !result->view->slurm.is_slurm)
		return buf;
	jobid = sw_job_key_id(&job->total.job);
	if (job->record == SW_RECORD_OPEN)
		/* A state name of Slurm only, whatever else sacct printed. */
		snprintf(buf, size, " (still %.*s in Slurm)",
			 (int)strspn(job->record_state, STATE_LETTERS),
			 job->record_state);
	else if (job->record == SW_RECORD_UNREAD)
		snprintf(buf, size, " (Slurm's final state is not known)");
	else if (job->record == SW_RECORD_UNASKED &&
		 !is_proven(result->view) && !sw_is_missing(jobid.job))
		snprintf(buf, size, " (for Slurm's final state: stepwell "
			 "report %s)", sw_jobid_text(&jobid).s);
	return buf;
}

bool sw_has_end_of_some_nodes(const struct sw_result *result)
{
	const struct sw_job *job = result->job;
	const struct sw_view *view = result->view;

	return job && view->slurm.is_slurm && !view->slurm.record &&
	       view->state == SW_STATE_COMPLETED && !view->is_state_of_script &&
	       !sw_is_missing(job->node_expected) &&
	       job->node_count < job->node_expected;
}

/* Findings whose titles only repeat the limit or resource. */
static const struct {
	const char *finding;
	enum sw_limited_by resource;
	enum sw_limit limit;	/* SW_LIMITS: any of the resource */
} echoes[] = {
	{ "cpu.starved", SW_LIMITED_BY_NODE, SW_LIMITS },
	{ "cpu.throttled", SW_LIMITED_BY_CPU, SW_LIMIT_QUOTA },
	{ "io.stalled", SW_LIMITED_BY_IO, SW_LIMITS },
	{ "progress.waiting", SW_LIMITED_BY_WAITING, SW_LIMITS },
	{ "progress.waiting", SW_LIMITED_BY_LOCK, SW_LIMITS },
	{ "lock.contended", SW_LIMITED_BY_LOCK, SW_LIMITS },
	{ "net.bound", SW_LIMITED_BY_NETWORK, SW_LIMITS },
};

static bool is_echo(const struct sw_finding *finding,
		    const struct sw_bottleneck *limit)
{
	size_t i;

	for (i = 0; i < sizeof(echoes) / sizeof(echoes[0]); i++) {
		if (!strcmp(finding->id, echoes[i].finding) &&
		    echoes[i].resource == limit->resource &&
		    (echoes[i].limit == SW_LIMITS ||
		     echoes[i].limit == limit->limit))
			return true;
	}
	return false;
}

/* The program's name in a finding's subject, or NULL. */
static const char *program_of(const struct sw_finding *finding)
{
	static const char of_program[] = "program ";
	const size_t skipped = sizeof(of_program) - 1;

	return strncmp(finding->subject, of_program, skipped) ?
		       NULL : finding->subject + skipped;
}

/* The line already begins with the signal that killed the step. */
static bool is_of_end(const struct sw_finding *finding,
		      const struct sw_view *view)
{
	const char *name = program_of(finding);
	size_t i;

	if (!strcmp(finding->id, "time.limit_hit"))
		return view->slurm.is_slurm;
	if (view->state != SW_STATE_KILLED || !name || view->slurm.is_slurm ||
	    strcmp(finding->id, "program.killed") != 0)
		return false;
	for (i = 0; i < view->program_count; i++) {
		if (view->programs[i].name &&
		    !strcmp(view->programs[i].name, name))
			return view->programs[i].last_signal == view->signal;
	}
	return false;
}

/* Findings to mention besides the step's end and its limit. */
struct told {
	const struct sw_finding *worst;	/* adds something new; or NULL */
	size_t warnings;	/* including critical ones */
	bool has_echo;
};

static void find_told(struct told *told, const struct sw_result *result)
{
	const struct sw_findings *findings = &result->findings;
	const struct sw_finding *finding, *unlike = NULL;
	struct sw_bottleneck limit;
	bool is_limit_told, is_new;
	size_t i;

	*told = (struct told){ NULL };
	is_limit_told = sw_bottleneck_find(&limit, &result->view->limits) &&
			sw_bottleneck_is_sampled(&limit);
	for (i = 0; i < findings->count; i++) {
		finding = &findings->items[i];
		if (!strcmp(finding->id, SW_RULE_UNLIKE_PAST))
			unlike = finding;
		if (finding->severity == SW_INFO)
			continue;
		told->warnings++;
		is_new = !is_of_end(finding, result->view) &&
			 (!is_limit_told || !is_echo(finding, &limit));
		if (is_new && !told->worst)
			told->worst = finding;
		told->has_echo |= !is_new;
	}
	/* What is new in this run is news, even as information. */
	if (!told->worst)
		told->worst = unlike;
}

static void capitalize(char *text)
{
	if (text[0] >= 'a' && text[0] <= 'z')
		text[0] = (char)(text[0] - 'a' + 'A');
}

/*
 * Format "A program failed (bwa)".  Only the finding's sentence says that an
 * OOM victim may be a guess.
 */
static const char *title_of(char *buf, size_t size,
			    const struct sw_finding *finding)
{
	const struct sw_rule *rule = sw_rule_find(finding->id);
	const char *program = program_of(finding);
	char name[64];

	if (finding->reason != SW_REASON_NONE) {
		snprintf(buf, size, "%s", finding->reason_words);
		/* Names of programs keep their case. */
		if (!strncmp(finding->id, "oom.", strlen("oom.")) ||
		    !strcmp(finding->id, SW_RULE_UNLIKE_PAST))
			capitalize(buf);
		return buf;
	}
	snprintf(buf, size, "%s",
		 rule ? sw_finding_title(finding, rule) : finding->id);
	if (program && !strncmp(finding->id, "program.", strlen("program.")))
		sw_text_add(buf, size, " (%s)",
			    sw_finding_name(name, sizeof(name), program));
	return buf;
}

/*
 * Return true for findings that come before the limit: those that put the
 * results of a successful step in doubt, or explain a failure.
 */
static bool is_told_first(const struct sw_finding *worst,
			  const struct sw_view *view)
{
	if (!worst)
		return false;
	if (sw_has_no_success(view))
		return worst->kind <= SW_FINDING_STALL;
	return worst->severity == SW_CRITICAL ||
	       (worst->kind == SW_FINDING_RESULT &&
		view->state == SW_STATE_COMPLETED);
}

/* A failed program may be the reason for the short run. */
static void too_short_words(char *buf, size_t size, const struct sw_view *view)
{
	char name[SW_FINDING_NAME_SIZE];
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];

		if (sw_zero_if_missing(sw_program_failures(program)) == 0 ||
		    sw_program_is_shell(program->name) ||
		    sw_program_is_answer(program) ||
		    sw_failed_is_of_past(view, program))
			continue;
		snprintf(buf, size, "Too short to judge; %s failed.",
			 sw_finding_name(name, sizeof(name), program->name));
		return;
	}
	snprintf(buf, size, "Too short to judge.");
}

/*
 * Format the worst finding and the number of others; return true if that comes
 * first.  A limit that was named is a verdict already.
 */
static bool found_words(char *buf, size_t size, const struct sw_result *result,
			bool is_limit_told)
{
	struct told told;
	char worst[SW_REASON_SIZE];
	size_t more;

	find_told(&told, result);
	if (!told.worst && result->findings.count == 0 &&
	    result->is_too_short) {
		buf[0] = '\0';
		if (!is_limit_told)
			too_short_words(buf, size, result->view);
		return false;
	}
	if (!told.worst) {
		snprintf(buf, size, "No %s%s%s.",
			 told.has_echo ? "other " : "",
			 result->findings.count > told.warnings ? "warnings" :
								  "findings",
			 result->not_evaluated_count ?
			 " in what was recorded" : "");
		return false;
	}
	/* All listed findings count, also those that are no warning. */
	more = result->findings.count - 1;
	snprintf(buf, size, "%s", title_of(worst, sizeof(worst), told.worst));
	if (more)
		sw_text_add(buf, size, ", and %zu more finding%s", more,
			    more == 1 ? "" : "s");
	sw_text_add(buf, size, ".");
	return is_told_first(told.worst, result->view);
}

/* Rate of the storage that limited the step; "" if not known. */
static const char *ceiling_words(char *buf, size_t size,
				 const struct sw_result *result)
{
	const struct sw_findings *findings = &result->findings;
	struct sw_bottleneck bottleneck;
	char rate[SW_UNITS_TEXT_SIZE];
	size_t i, k;

	buf[0] = '\0';
	if (!sw_bottleneck_find(&bottleneck, &result->view->limits) ||
	    bottleneck.resource != SW_LIMITED_BY_IO)
		return buf;
	for (i = 0; i < findings->count; i++) {
		const struct sw_finding *finding = &findings->items[i];

		if (strcmp(finding->id, "io.saturated") != 0)
			continue;
		for (k = 0; k < finding->evidence_count; k++) {
			if (!strcmp(finding->evidence[k].counter,
				    "steady rate"))
				snprintf(buf, size, " Storage gave it a steady "
					 "%s; faster storage would help, "
					 "or less data.",
					 sw_rate_format(rate, sizeof(rate),
						 finding->evidence[k].value));
		}
		break;
	}
	return buf;
}

/* Why it did not succeed, and the number of further findings. */
static void failure_words(char *buf, size_t size,
			  const struct sw_result *result)
{
	const struct sw_finding *reason = sw_find_reason(result);
	size_t more = result->findings.count - (reason != NULL);

	sw_reason_words(buf, size, result, reason);
	if (!*buf)
		return;
	if (more)
		sw_text_add(buf, size, "; and %zu %sfinding%s", more,
			    reason ? "more " : "", more == 1 ? "" : "s");
}

/* " after 1 min 31 s"; with its source if the end was not seen. */
static void after_words(char *buf, size_t size, const struct sw_view *view)
{
	char by[96];

	buf[0] = '\0';
	if (!sw_is_missing(view->elapsed_usec))
		snprintf(buf, size, " after %s%s",
			 sw_duration_text(view->elapsed_usec).s,
			 sw_elapsed_source(by, sizeof(by), view));
}

char *sw_verdict_words(char *buf, size_t size, const struct sw_result *result)
{
	char state[256], after[128], slurms[128];
	char limit[768], found[SW_REASON_SIZE + 640], ceiling[128], nodes[384];
	bool is_found_first, has_reason = false;

	if (sw_has_end_of_some_nodes(result))
		snprintf(state, sizeof(state),
			 "end not seen on the script's "
			 "node (exit status 0 on %zu of %llu nodes)",
			 result->job->node_count,
			 (unsigned long long)result->job->node_expected);
	else
		sw_state_words(state, sizeof(state), result->view);
	after_words(after, sizeof(after), result->view);
	where_state_is(slurms, sizeof(slurms), result);
	if (sw_has_no_success(result->view)) {
		failure_words(found, sizeof(found), result);
		has_reason = *found;
	}
	if (has_reason) {
		snprintf(buf, size, "%s%s%s: %s.", state, after, slurms, found);
		capitalize(buf);
		return buf;
	}
	if (*sw_bottleneck_words(limit, sizeof(limit), result->view))
		sw_text_add(limit, sizeof(limit), "%s",
			    ceiling_words(ceiling, sizeof(ceiling), result));
	if (*limit)
		sw_text_add(limit, sizeof(limit), "%s",
			    sw_nodes_differ_words(nodes, sizeof(nodes),
						  result->job));
	is_found_first = found_words(found, sizeof(found), result, *limit);
	snprintf(buf, size, "%s%s%s. %s%s%s", state, after, slurms,
		 is_found_first || !*limit ? found : limit,
		 *limit && *found ? " " : "",
		 !*limit ? "" : is_found_first ? limit : found);
	capitalize(buf);
	return buf;
}
