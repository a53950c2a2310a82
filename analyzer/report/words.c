/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and numbers that every report for people uses. */
#include "analyzer/report/words.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "analyzer/job/job_record.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/bottleneck_words.h"
#include "common/delta.h"
#include "common/text.h"
#include "common/units.h"

#define STATE_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"

/* No end frame: what is known of why. */
static void unfinished_words(char *buf, size_t size,
			     const struct sw_view *view)
{
	const struct sw_reader_health *health;

	health = sw_reader_health(view->reader);
	if (health->is_finished) {
		snprintf(buf, size, "end not recorded");
		return;
	}
	switch (health->writer) {
	case SW_WRITER_ALIVE:
		snprintf(buf, size, "still running");
		break;
	case SW_WRITER_GONE:
		snprintf(buf, size,
			 "end not seen: the recording was cut short");
		break;
	case SW_WRITER_DONE:
		snprintf(buf, size, "end not known: the file is damaged");
		break;
	case SW_WRITER_UNKNOWN:
		snprintf(buf, size, "end not seen (still running, or the "
			 "recorder was killed)");
		break;
	}
}

static const char *signal_words(char *buf, size_t size, uint64_t signal)
{
	const char *name = signal < 65 ? sigabbrev_np((int)signal) : NULL;

	if (name)
		snprintf(buf, size, "SIG%s", name);
	else
		snprintf(buf, size, "signal %llu", (unsigned long long)signal);
	return buf;
}

/* What was seen, and no more: "exit status 0", "ended by SIGTERM". */
static char *seen_words(char *buf, size_t size, const struct sw_view *view)
{
	char name[32];

	if (view->state == SW_STATE_UNKNOWN)
		unfinished_words(buf, size, view);
	else if (view->state == SW_STATE_KILLED)
		snprintf(buf, size, "ended by %s",
			 signal_words(name, sizeof(name), view->signal));
	else
		snprintf(buf, size, "exit status %llu",
			 (unsigned long long)view->exit_code);
	return buf;
}

/* ", 2 OOM kills" */
static const char *kill_words(char *buf, size_t size,
			      const struct sw_view *view)
{
	buf[0] = '\0';
	if (view->end_oom_kills)
		snprintf(buf, size, ", %llu OOM kill%s",
			 (unsigned long long)view->end_oom_kills,
			 view->end_oom_kills == 1 ? "" : "s");
	return buf;
}

/* Slurm's state, and beside it what was seen. */
static void record_words(char *buf, size_t size, const struct sw_view *view,
			 const char *state)
{
	char seen[96], kills[40], at[64] = "";
	bool is_timeout = !strcmp(state, "TIMEOUT");
	unsigned by;

	if (is_timeout && !sw_is_missing(view->requested_time_usec))
		snprintf(at, sizeof(at), "limit %s, ",
			 sw_duration_text(view->requested_time_usec).s);
	else if (sscanf(view->slurm.record->state, "CANCELLED by %9u",
			&by) == 1)
		snprintf(at, sizeof(at), "by uid %u, ", by);
	snprintf(buf, size, "%s (%s%s%s)", state, at,
		 seen_words(seen, sizeof(seen), view),
		 kill_words(kills, sizeof(kills), view));
}

/* A Slurm job of which no record was read: only what the evidence shows. */
static void evidence_words(char *buf, size_t size, const struct sw_view *view)
{
	char seen[96], kills[40];

	seen_words(seen, sizeof(seen), view);
	if (view->end_oom_kills)
		snprintf(buf, size, "out of memory (%s%s)", seen,
			 kill_words(kills, sizeof(kills), view));
	else if (sw_view_is_past_limit(view))
		snprintf(buf, size, "reached its time limit of %s (%s)",
			 sw_duration_text(view->requested_time_usec).s, seen);
	else
		snprintf(buf, size, "%s", seen);
}

/* Slurm says no more than the exit status. */
static bool agrees(const struct sw_view *view, const char *state)
{
	return (!strcmp(state, "COMPLETED") &&
		view->state == SW_STATE_COMPLETED) ||
	       (!strcmp(state, "FAILED") && !view->end_oom_kills &&
		view->state == SW_STATE_FAILED);
}

/*
 * "completed (exit status 0)", "TIMEOUT (limit 1 min 00 s, exit status 0)",
 * "killed by SIGKILL".  Of a Slurm job of which Slurm's record was not read no
 * more than what was seen: "exit status 0", "ended by SIGTERM".
 */
static void state_words(char *buf, size_t size, const struct sw_view *view)
{
	char slurms[40], name[32];
	bool is_known = sw_record_state(view, slurms, sizeof(slurms));

	if (is_known && !agrees(view, slurms))
		record_words(buf, size, view, slurms);
	else if (!is_known && view->slurm.is_slurm)
		evidence_words(buf, size, view);
	else if (view->state == SW_STATE_COMPLETED)
		snprintf(buf, size, "completed (exit status 0)");
	else if (view->state == SW_STATE_FAILED)
		snprintf(buf, size, "failed (exit status %llu)",
			 (unsigned long long)view->exit_code);
	else if (view->state == SW_STATE_KILLED)
		snprintf(buf, size, "killed by %s",
			 signal_words(name, sizeof(name), view->signal));
	else
		unfinished_words(buf, size, view);
}

/* Where evidence shows why it ended there is nothing to add. */
static bool is_proven(const struct sw_view *view)
{
	return view->end_oom_kills > 0 || sw_view_is_past_limit(view);
}

/* " (Slurm's final state: stepwell report 7)"; "" where there is no more. */
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
		/* A word of Slurm's, and nothing else that sacct may print. */
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

/*
 * "A program failed (bwa)"; "" where there is none.  Whom the kernel killed for
 * memory may be a guess, which only the finding's sentence says.
 */
static const char *of_worst(char *buf, size_t size,
			    const struct sw_findings *findings)
{
	static const char of_program[] = "program ";
	const size_t skipped = sizeof(of_program) - 1;
	const struct sw_finding *first = sw_findings_first(findings);
	const struct sw_rule *rule = first ? sw_rule_find(first->id) : NULL;
	char name[64];

	snprintf(buf, size, "%s", rule ? sw_finding_title(first, rule) : "");
	if (rule && !strncmp(rule->id, "program.", strlen("program.")) &&
	    !strncmp(first->subject, of_program, skipped))
		sw_text_add(buf, size, " (%s)",
			    sw_finding_name(name, sizeof(name),
					    first->subject + skipped));
	return buf;
}

/*
 * Before what limited the step: what puts the results of one that reports
 * success in doubt.
 */
static bool is_told_first(const struct sw_finding *first,
			  enum sw_state state)
{
	return first && (first->severity == SW_CRITICAL ||
			 (first->severity == SW_WARNING &&
			  first->kind == SW_FINDING_RESULT &&
			  state == SW_STATE_COMPLETED));
}

/* The worst finding, and how many more; whether that comes first. */
static bool found_words(char *buf, size_t size, const struct sw_result *result)
{
	const struct sw_findings *findings = &result->findings;
	const struct sw_finding *first = sw_findings_first(findings);
	char worst[128];
	size_t more = 0, i;

	of_worst(worst, sizeof(worst), findings);
	for (i = 1; i < findings->count; i++)
		more += findings->items[i].severity != SW_INFO;
	if (!*worst)
		snprintf(buf, size, "No %s%s.",
			 findings->count ? "warnings" : "findings",
			 result->not_evaluated_count ?
			 " in what was recorded" : "");
	else if (more)
		snprintf(buf, size, "%s, and %zu more finding%s.", worst, more,
			 more == 1 ? "" : "s");
	else
		snprintf(buf, size, "%s.", worst);
	return is_told_first(first, result->view->state);
}

/* What storage that limited the step gave it; "" where that is not known. */
static const char *ceiling_words(char *buf, size_t size,
				 const struct sw_result *result)
{
	const struct sw_findings *findings = &result->findings;
	struct sw_bottleneck bottleneck;
	char rate[SW_UNITS_TEXT_SIZE];
	size_t i, k;

	buf[0] = '\0';
	if (!sw_bottleneck_find(&bottleneck, &result->view->limits) ||
	    strcmp(bottleneck.resource, "io") != 0)
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

char *sw_verdict_words(char *buf, size_t size, const struct sw_result *result)
{
	char state[192], after[SW_UNITS_TEXT_SIZE + 8] = "", slurms[128];
	char limit[768], found[192], ceiling[128], nodes[384];
	bool is_found_first;

	state_words(state, sizeof(state), result->view);
	if (!sw_is_missing(result->view->elapsed_usec))
		snprintf(after, sizeof(after), " after %s",
			 sw_duration_text(result->view->elapsed_usec).s);
	where_state_is(slurms, sizeof(slurms), result);
	is_found_first = found_words(found, sizeof(found), result);
	if (*sw_bottleneck_words(limit, sizeof(limit), result->view))
		sw_text_add(limit, sizeof(limit), "%s",
			    ceiling_words(ceiling, sizeof(ceiling), result));
	if (*limit)
		sw_text_add(limit, sizeof(limit), "%s",
			    sw_nodes_differ_words(nodes, sizeof(nodes),
						  result->job));
	snprintf(buf, size, "%s%s%s. %s%s%s", state, after, slurms,
		 is_found_first || !*limit ? found : limit, *limit ? " " : "",
		 !*limit ? "" : is_found_first ? limit : found);
	if (buf[0] >= 'a' && buf[0] <= 'z')
		buf[0] = (char)(buf[0] - 'a' + 'A');
	return buf;
}

char *sw_realtime_words(char *buf, size_t size, uint64_t usec)
{
	time_t seconds = (time_t)(usec / SW_USEC_PER_SEC);
	struct tm local;

	if (sw_is_missing(usec) || !localtime_r(&seconds, &local) ||
	    strftime(buf, size, "%Y-%m-%d %H:%M:%S", &local) == 0)
		snprintf(buf, size, "?");
	return buf;
}

const char *sw_name_of(const struct sw_view *view)
{
	if (view->name)
		return view->name;
	return view->program ? view->program : "(no name)";
}

char *sw_cpu_words(char *buf, size_t size, const struct sw_view_cpu *cpu)
{
	if (sw_is_missing(cpu->used_usec)) {
		snprintf(buf, size, "not recorded");
		return buf;
	}
	snprintf(buf, size, "%s of CPU time",
		 sw_duration_text(cpu->used_usec).s);
	if (!isnan(cpu->mean_cores) && !isnan(cpu->allocated_cores))
		sw_text_add(buf, size,
			    "; %.2f of %.4g %s CPUs busy on average",
			    cpu->mean_cores, cpu->allocated_cores,
			    cpu->is_requested ? "requested" : "available");
	else if (!isnan(cpu->mean_cores))
		sw_text_add(buf, size, "; %.2f CPUs busy on average",
			    cpu->mean_cores);
	if (!isnan(cpu->peak_cores))
		sw_text_add(buf, size, ", %.1f at the peak", cpu->peak_cores);
	/* A quota or a neighbour may be known by other signs than waits. */
	if (cpu->is_constrained && !sw_is_missing(cpu->run_queue_wait_usec) &&
	    cpu->run_queue_wait_usec >= cpu->used_usec / 10)
		sw_text_add(buf, size, "; its threads waited %s%s for a CPU",
			    sw_duration_text(cpu->run_queue_wait_usec).s,
			    cpu->is_wait_complete ? "" : " or more");
	return buf;
}

const char *sw_title_of(char *buf, size_t size, const struct sw_result *result)
{
	struct sw_jobid jobid;

	if (!result->job)
		return sw_name_of(result->view);
	jobid = sw_job_key_id(&result->view->job);
	if (sw_is_missing(jobid.job))
		return sw_name_of(result->view);
	if (result->job->is_one_step && result->view->step_id)
		snprintf(jobid.step, sizeof(jobid.step), "%.*s",
			 (int)sizeof(jobid.step) - 1, result->view->step_id);
	snprintf(buf, size, "job %s",
		 sw_jobid_text(&jobid).s);
	return buf;
}

/* The recorder of a Slurm job is on each of its nodes. */
static bool is_of_lsf(const struct sw_job *job)
{
	return !job->total.slurm.is_slurm &&
	       !sw_is_missing(job->total.job.job_id);
}

char *sw_nodes_words(char *buf, size_t size, const struct sw_job *job)
{
	enum { NAMED = 8 };
	size_t i;

	snprintf(buf, size, "%zu", job->node_count);
	if (!sw_is_missing(job->node_expected))
		sw_text_add(buf, size, " of %llu%s",
			    (unsigned long long)job->node_expected,
			    is_of_lsf(job) ? " hosts" : "");
	for (i = 0; i < job->node_count && i < NAMED; i++)
		sw_text_add(buf, size, "%s%.64s", i ? ", " : ": ",
			    job->nodes[i].total.node ?
			    job->nodes[i].total.node : "?");
	if (job->node_count > NAMED)
		sw_text_add(buf, size, " and %zu more",
			    job->node_count - NAMED);
	if (!sw_is_missing(job->node_expected) &&
	    job->node_expected > job->node_count)
		sw_text_add(buf, size,
			    "; no recording of the others was found%s",
			    is_of_lsf(job) ? " (HOST_PRE_EXEC makes them: "
					     "stepwell-lsf(8))" : "");
	return buf;
}

/* Slurm's state where it says more than the exit status. */
static bool put_slurms_state(char *buf, size_t size,
			     const struct sw_view *view)
{
	char state[40];

	if (!sw_record_state(view, state, sizeof(state)) ||
	    agrees(view, state) ||
	    (!strcmp(state, "FAILED") && view->state == SW_STATE_KILLED))
		return false;
	snprintf(buf, size, "%s", state);
	return true;
}

char *sw_cores_words(char *buf, size_t size, double cores)
{
	snprintf(buf, size, "%.1f", cores);
	return buf;
}

/* More than 64 bits hold is a counter that was forged. */
char *sw_bytes_words(char *buf, size_t size, double bytes)
{
	return sw_size_format(buf, size, (uint64_t)fmin(bytes, 1e19));
}

char *sw_bytes_rate_words(char *buf, size_t size, double bytes_per_sec)
{
	sw_bytes_words(buf, size, bytes_per_sec);
	sw_text_add(buf, size, "/s");
	return buf;
}

char *sw_task_end_words(char *buf, size_t size, uint64_t wait_status)
{
	if (sw_is_missing(wait_status))
		snprintf(buf, size, "not seen");
	else if (WIFSIGNALED((int)wait_status))
		signal_words(buf, size, (uint64_t)WTERMSIG((int)wait_status));
	else if (WEXITSTATUS((int)wait_status))
		snprintf(buf, size, "exit %d", WEXITSTATUS((int)wait_status));
	else
		snprintf(buf, size, "ok");
	return buf;
}

char *sw_end_words(char *buf, size_t size, const struct sw_view *view)
{
	bool is_unread = view->slurm.is_slurm && !view->slurm.record;

	if (put_slurms_state(buf, size, view))
		return buf;
	if (view->state == SW_STATE_COMPLETED && !is_unread)
		snprintf(buf, size, "ok");
	else if (view->state == SW_STATE_COMPLETED ||
		 view->state == SW_STATE_FAILED)
		snprintf(buf, size, "exit %llu",
			 (unsigned long long)view->exit_code);
	else if (view->state == SW_STATE_KILLED)
		signal_words(buf, size, view->signal);
	else
		snprintf(buf, size, "not seen");
	return buf;
}

char *sw_where_words(char *buf, size_t size, const struct sw_result *result,
		     const struct sw_finding *finding)
{
	const char *step, *node;

	buf[0] = '\0';
	if (!result->job || !finding->view)
		return buf;
	step = finding->view->step_id;
	node = finding->view->node;
	snprintf(buf, size, "%s%.64s%s%.255s", step ? "step " : "all steps",
		 step ? step : "", node ? " on " : "", node ? node : "");
	if (finding->other_occurrences)
		sw_text_add(buf, size, ", and %zu more",
			    finding->other_occurrences);
	return buf;
}

const char *sw_severity_word(enum sw_severity severity)
{
	static const char *const words[] = {
		[SW_INFO] = "info",
		[SW_WARNING] = "warning",
		[SW_CRITICAL] = "critical",
	};

	return words[severity];
}
