/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find what a recording lacks: its end, sources, rows, intervals. */
#include "analyzer/report/missing_data.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/job/job.h"
#include "analyzer/report/words.h"
#include "common/delta.h"
#include "common/text.h"
#include "common/units.h"

enum { CLOCK_SIZE = 64, NAMES_SIZE = 128, PREFIX_SIZE = 160,
       RANK_SIZE = 24 };

struct reporter {
	const struct sw_view *view;
	const char *node, *step;	/* NULL if there is only one */
	void (*notify)(void *context, const struct sw_missing_data *missing);
	void *context;
};

static void report(const struct reporter *reporter, bool is_major,
		   const char *text)
{
	char prefixed[SW_MISSING_DATA_SIZE + PREFIX_SIZE];
	const struct sw_missing_data missing = { prefixed, is_major };

	snprintf(prefixed, sizeof(prefixed), "%s%.64s%s%s%.64s%s%s",
		 reporter->node ? "Node " : "", sw_text(reporter->node),
		 reporter->node && reporter->step ? ", " : "",
		 !reporter->step ? "" : reporter->node ? "step " : "Step ",
		 sw_text(reporter->step),
		 reporter->node || reporter->step ? ": " : "", text);
	reporter->notify(reporter->context, &missing);
}

static char *clock_of(const struct sw_view *view, char *buf, uint64_t usec)
{
	return sw_realtime_words(buf, CLOCK_SIZE,
				 sw_view_realtime_usec(view, usec));
}

/* Report up to when there is data, and what that means. */
static void report_end(const struct reporter *reporter)
{
	static const char *const meanings[] = {
		[SW_WRITER_UNKNOWN] = "The recording has no end; its last row "
				      "is from %s: it is still running, or the "
				      "recorder was killed.",
		[SW_WRITER_ALIVE] = "The recording has not ended; its last row "
				    "is from %s: it is still running.",
		[SW_WRITER_GONE] = "The recording ended at %s, before the "
				   "command did: the recorder was killed, or "
				   "the machine went down. What the command "
				   "did afterwards is not known.",
		[SW_WRITER_DONE] = "The end of the file is missing; its last "
				   "row is from %s: the file was truncated or "
				   "is damaged.",
	};
	const struct sw_view *view = reporter->view;
	const struct sw_reader_health *health = sw_reader_health(view->reader);
	char when[CLOCK_SIZE], text[SW_MISSING_DATA_SIZE];

	if (health->is_finished)
		return;
	/* An ended step gets no more rows; other steps of the job may. */
	if (health->writer == SW_WRITER_ALIVE &&
	    view->state != SW_STATE_UNKNOWN)
		return;
	clock_of(view, when, view->end_usec);
	if (health->writer == SW_WRITER_GONE &&
	    view->state != SW_STATE_UNKNOWN)
		snprintf(text, sizeof(text), "The command's end was recorded, "
			 "but the file could not be finished%s.",
			 health->is_from_tail ? ": its last rows are in the "
			 ".tail file beside it" : "");
	else
		snprintf(text, sizeof(text), meanings[health->writer], when);
	report(reporter, true, text);
}

/* The end was reported by a Slurm hook, not seen by the recorder. */
static bool is_end_from_hook(const struct sw_view *view)
{
	return view->recording.final_source &&
	       !strcmp(view->recording.final_source, "hook");
}

/* Length of the recorder's stall when the command ended, or 0. */
static uint64_t late_end_usec(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->event_count && !is_end_from_hook(view); i++) {
		const struct sw_view_event *event = &view->events[i];

		if (!strcmp(event->kind, "gap") &&
		    !sw_is_missing(event->value) &&
		    event->time_usec >= view->end_usec)
			return event->value;
	}
	return 0;
}

static void report_late_end(const struct reporter *reporter)
{
	uint64_t late_usec = late_end_usec(reporter->view);
	char text[SW_MISSING_DATA_SIZE];

	if (!late_usec)
		return;
	snprintf(text, sizeof(text), "The recorder was not running for the "
		 "last %s: the command may have ended up to that much earlier.",
		 sw_duration_text(late_usec).s);
	report(reporter, late_usec >= SW_USEC_PER_SEC / 2, text);
}

/* A source that ends with the step, like its cgroup, is not missing. */
static bool is_source_loss(const struct sw_view *view,
		    const struct sw_view_event *event)
{
	return event->detail && strchr(event->detail, ':') &&
	       (view->state == SW_STATE_UNKNOWN ||
		event->time_usec < view->end_usec) &&
	       (!strcmp(event->kind, "source_lost") ||
		!strcmp(event->kind, "source_invalid")) &&
	       /* Its process has exited. */
	       !strstr(event->detail, "no longer exists");
}

static size_t name_length(const struct sw_view_event *lost)
{
	return strcspn(lost->detail, ":");
}

/* Time at which the source was readable again; SW_MISSING if never. */
static uint64_t back_usec(const struct sw_view *view,
			  const struct sw_view_event *lost)
{
	size_t length = name_length(lost), i;

	for (i = 0; i < view->event_count; i++) {
		const struct sw_view_event *event = &view->events[i];

		if (event->time_usec >= lost->time_usec && event->detail &&
		    !strcmp(event->kind, "source_restored") &&
		    strlen(event->detail) == length &&
		    !strncmp(event->detail, lost->detail, length))
			return event->time_usec;
	}
	return SW_MISSING;
}

/* Lost for good for the same reason: one sentence covers all of them. */
static bool is_of_one_kind(const struct sw_view *view,
			   const struct sw_view_event *one,
			   const struct sw_view_event *two)
{
	return is_source_loss(view, one) && is_source_loss(view, two) &&
	       !strcmp(strchr(one->detail, ':'), strchr(two->detail, ':')) &&
	       sw_is_missing(back_usec(view, one)) &&
	       sw_is_missing(back_usec(view, two));
}

static void report_source(const struct reporter *reporter, size_t index)
{
	const struct sw_view *view = reporter->view;
	const struct sw_view_event *lost = &view->events[index];
	uint64_t back = back_usec(view, lost);
	char from[CLOCK_SIZE], to[CLOCK_SIZE], text[SW_MISSING_DATA_SIZE];
	char names[NAMES_SIZE];
	size_t i;

	snprintf(names, sizeof(names), "%.*s", (int)name_length(lost),
		 lost->detail);
	for (i = index + 1; i < view->event_count; i++) {
		const struct sw_view_event *other = &view->events[i];

		if (is_of_one_kind(view, lost, other))
			sw_text_add(names, sizeof(names), ", %.*s",
				    (int)name_length(other), other->detail);
	}
	clock_of(view, from, lost->time_usec);
	clock_of(view, to, back);
	snprintf(text, sizeof(text), "Not recorded %s %s%s%s: %s (%.200s).",
		 sw_is_missing(back) ? "after" : "from", from,
		 sw_is_missing(back) ? "" : " to ",
		 sw_is_missing(back) ? "" : to, names,
		 strchr(lost->detail, ':') + 1 +
			 strspn(strchr(lost->detail, ':') + 1, " "));
	report(reporter, true, text);
}

static void report_sources(const struct reporter *reporter)
{
	const struct sw_view *view = reporter->view;
	size_t i, j;

	for (i = 0; i < view->event_count; i++) {
		if (!is_source_loss(view, &view->events[i]))
			continue;
		for (j = 0; j < i; j++)
			if (is_of_one_kind(view, &view->events[j],
					   &view->events[i]))
				break;
		if (j == i)
			report_source(reporter, i);
	}
}

/*
 * Return why requested counters are missing ("counters: ..."); other sources
 * are absent on most machines.  NULL if none were requested, or all were
 * counted.
 */
static const char *uncounted(const struct sw_view_event *event)
{
	static const char source[] = "counters: ";

	if (strcmp(event->kind, "source_absent") || !event->detail ||
	    strncmp(event->detail, source, strlen(source)))
		return NULL;
	return event->detail + strlen(source);
}

/* recorder/sampler/sampler.c: e.g. after a restart of the recorder. */
static bool is_of_another_backend(const struct sw_view_event *event)
{
	return !strcmp(event->kind, "source_partial") && event->detail &&
	       strstr(event->detail, ": sampled by ");
}

/* Report counters that were missing for some tasks from the start. */
static void report_partial(const struct reporter *reporter)
{
	const struct sw_view *view = reporter->view;
	char text[SW_MISSING_DATA_SIZE];
	bool has_told = false;
	size_t i;

	for (i = 0; i < view->event_count; i++) {
		const struct sw_view_event *event = &view->events[i];

		if (is_of_another_backend(event)) {
			/* Users have no use for the names of the tables. */
			if (has_told)
				continue;
			has_told = true;
			snprintf(text, sizeof(text), "Some values "
				 "come from another kernel interface than in "
				 "the rest of the job.");
		} else if (uncounted(event)) {
			snprintf(text, sizeof(text), "None of the chosen "
				 "counters was counted: %.220s.",
				 uncounted(event));
		} else if (!strcmp(event->kind, "source_partial") &&
			   event->detail) {
			snprintf(text, sizeof(text), "Recorded in part: "
				 "%.240s.", event->detail);
		} else {
			continue;
		}
		report(reporter, true, text);
	}
}

static void report_cgroup(const struct reporter *reporter)
{
	if (reporter->view->recording.has_left_cgroup)
		report(reporter, true, "Part of the command ran outside its "
		     "cgroup: values counted by cgroup (memory, I/O, pressure) "
		     "do not include that part.");
}

/* Report unparsable files of /proc; the sums do not include them. */
static void report_garbled(const struct reporter *reporter)
{
	uint64_t most = reporter->view->recording.unparsed_processes;
	char text[SW_MISSING_DATA_SIZE];

	if (sw_is_missing(most) || most == 0)
		return;
	snprintf(text, sizeof(text), "/proc entries of up to %llu process%s at "
		 "a time could not be parsed, so sums over processes are lower "
		 "bounds.", (unsigned long long)most,
		 most == 1 ? "" : "es");
	report(reporter, true, text);
}

/* Too many samples are missing to trust values over time. */
static bool is_sparse(const struct sw_view *view)
{
	/* The gap at the end is reported separately. */
	uint64_t gap = sw_excess_u64(view->recording.gap_usec,
				     late_end_usec(view));

	return !sw_is_missing(view->elapsed_usec) &&
	       gap > view->elapsed_usec / 10;
}

static void report_gaps(const struct reporter *reporter)
{
	const struct sw_view *view = reporter->view;
	uint64_t gap = view->recording.gap_usec;
	uint64_t limited = view->recording.limited_usec;
	char text[SW_MISSING_DATA_SIZE];
	char why[128] = "";

	if (!gap)
		return;
	if (limited)
		snprintf(why, sizeof(why), ", %s of it because the recorder "
			 "stayed within its CPU limit (cpu_limit_percent)",
			 sw_duration_text(limited).s);
	snprintf(text, sizeof(text), "Not sampled for %s in total%s.",
		 sw_duration_text(gap).s, why);
	report(reporter, is_sparse(view), text);
}

/* Failed calls beyond this job's share; the last row has the total. */
static void report_failures(const struct reporter *reporter)
{
	const struct sw_view *view = reporter->view;
	char text[SW_MISSING_DATA_SIZE];
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < view->event_count; i++) {
		const struct sw_view_event *event = &view->events[i];

		if (!strcmp(event->kind, "failures_lost") &&
		    !sw_is_missing(event->value) && event->value > lost)
			lost = event->value;
	}
	if (!lost)
		return;
	snprintf(text, sizeof(text), "The failed system calls of %llu "
		 "process%s were not kept, because the job had too many "
		 "processes at a time; if one of them failed, the cause is "
		 "not known.",
		 (unsigned long long)lost, lost == 1 ? "" : "es");
	report(reporter, false, text);
}

static void report_dropped(const struct reporter *reporter)
{
	const struct sw_reader_health *health;
	char text[SW_MISSING_DATA_SIZE];

	health = sw_reader_health(reporter->view->reader);
	if (!health->rows_dropped)
		return;
	snprintf(text, sizeof(text), "%llu rows could not be written.",
		 (unsigned long long)health->rows_dropped);
	report(reporter, true, text);
}

/* Report tasks without seen end, of an ended step; all if slurmstepd died. */
static void report_tasks(const struct reporter *reporter)
{
	const struct sw_view *view = reporter->view;
	size_t i, unseen = 0, named = 0;
	char ranks[NAMES_SIZE] = "", text[SW_MISSING_DATA_SIZE];

	for (i = 0; i < view->task_count; i++) {
		if (view->tasks[i].final_source)
			continue;
		unseen++;
		if (strlen(ranks) + RANK_SIZE > sizeof(ranks))
			continue;
		sw_text_add(ranks, sizeof(ranks), "%s%llu", named++ ? ", " : "",
			    (unsigned long long)view->tasks[i].rank);
	}
	if (!unseen || !view->recording.final_source)
		return;
	snprintf(text, sizeof(text), "The end of %zu of %zu task%s was not "
		 "seen (rank %s%s): how it ended, and what it used after its "
		 "last sample, is not known.", unseen, view->task_count,
		 view->task_count == 1 ? "" : "s", ranks,
		 named < unseen ? ", ..." : "");
	report(reporter, true, text);
}

/* The recorder is not the parent, and was slower than the process that is. */
static void report_unseen_end(const struct reporter *reporter)
{
	const struct sw_view *view = reporter->view;

	if (view->slurm.is_slurm || sw_is_missing(view->job.job_id) ||
	    !view->recording.final_source ||
	    strcmp(view->recording.final_source, "none") != 0)
		return;
	report(reporter, true, "The end of the job was not seen: what it used "
	       "after its last sample is not known.");
}

/* List programs; the start of the report has their number. */
static void report_ends(const struct reporter *reporter)
{
	const struct sw_view *view = reporter->view;
	char words[NAMES_SIZE], names[NAMES_SIZE] = "";
	char text[SW_MISSING_DATA_SIZE];
	size_t i;

	if (!*sw_unseen_ends_words(words, sizeof(words), view))
		return;
	for (i = 0; i < view->program_count; i++) {
		const struct sw_view_program *program = &view->programs[i];
		uint64_t unseen = sw_zero_if_missing(sw_unseen_ends(program));

		if (!unseen)
			continue;
		if (strlen(names) + strlen(sw_text(program->name)) + RANK_SIZE >
		    sizeof(names)) {
			sw_text_add(names, sizeof(names), ", ...");
			break;
		}
		sw_text_add(names, sizeof(names), "%s%llu of %s",
			    *names ? ", " : "", (unsigned long long)unseen,
			    sw_text(program->name));
	}
	snprintf(text, sizeof(text), "H%s. Not seen: %s.", words + 1, names);
	report(reporter, false, text);
}

/* Report a useless STEPWELL_INPUT_BYTES once, not for each step. */
static void report_input(const struct reporter *reporter)
{
	char text[SW_MISSING_DATA_SIZE];

	if (!reporter->view->input_reason)
		return;
	snprintf(text, sizeof(text), "The size of the input is not known for "
		 "advice: %.200s.", reporter->view->input_reason);
	report(reporter, true, text);
}

/* LSF's request lacks the unit of a number and what the number refers to. */
static void report_limits(const struct reporter *reporter)
{
	if (reporter->view->limits_note)
		report(reporter, false, reporter->view->limits_note);
}

/* Files that others can write are no evidence. */
static void report_claim(const struct reporter *reporter,
		       const struct sw_verdict *verdict)
{
	char text[SW_MISSING_DATA_SIZE];

	if (verdict->trust == SW_TRUST_CLAIM)
		snprintf(text, sizeof(text), "This is what user %llu claims: "
			 "no digest of the file was available to check it.",
			 (unsigned long long)verdict->owner);
	else if (verdict->trust == SW_TRUST_NONE)
		snprintf(text, sizeof(text), "The file is altered or foreign: "
			 "%s.", verdict->because);
	else
		return;
	report(reporter, true, text);
}

static void report_of_file(const struct reporter *reporter)
{
	report_end(reporter);
	report_gaps(reporter);
	report_failures(reporter);
	report_dropped(reporter);
}

static void report_of_step(const struct reporter *reporter)
{
	report_late_end(reporter);
	report_tasks(reporter);
	report_unseen_end(reporter);
	report_ends(reporter);
	report_sources(reporter);
	report_partial(reporter);
	report_cgroup(reporter);
	report_garbled(reporter);
}

void sw_missing_data_visit(
	const struct sw_result *result,
	void (*notify)(void *context, const struct sw_missing_data *missing),
	void *context)
{
	const struct sw_job *job = result->job;
	struct reporter reporter = { result->view, NULL, NULL, notify, context };
	size_t i, j;

	report_input(&reporter);
	report_limits(&reporter);
	if (result->verdict)
		report_claim(&reporter, result->verdict);
	if (!job) {
		report_of_file(&reporter);
		report_of_step(&reporter);
	}
	for (i = 0; job && i < job->node_count; i++) {
		const struct sw_node *node = &job->nodes[i];

		if (job->node_count > 1)
			reporter.node =
				node->total.node ? node->total.node : "?";
		reporter.step = NULL;
		for (j = 0; j < node->file_count; j++) {
			reporter.view = &node->files[j].total;
			report_of_file(&reporter);
		}
		for (j = 0; j < node->step_count; j++) {
			reporter.view = &node->steps[j];
			reporter.step = node->step_count > 1 ?
					      reporter.view->step_id : NULL;
			report_of_step(&reporter);
		}
	}
}
