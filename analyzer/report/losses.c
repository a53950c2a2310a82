/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a recording lacks: its end, sources, rows, moments. */
#include "analyzer/report/losses.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/job/job.h"
#include "analyzer/report/words.h"
#include "common/delta.h"
#include "common/text.h"
#include "common/units.h"

enum { CLOCK_SIZE = 64, NAMES_SIZE = 128, PREFIX_SIZE = 160,
       RANK_SIZE = 24 };

struct teller {
	const struct sw_view *view;
	const char *node, *step;	/* NULL where there is but one */
	void (*tell)(void *context, const struct sw_loss *loss);
	void *context;
};

static void tell(const struct teller *teller, bool is_major, const char *text)
{
	char prefixed[SW_LOSS_SIZE + PREFIX_SIZE];
	const struct sw_loss loss = { prefixed, is_major };

	snprintf(prefixed, sizeof(prefixed), "%s%.64s%s%s%.64s%s%s",
		 teller->node ? "Node " : "", sw_text(teller->node),
		 teller->node && teller->step ? ", " : "",
		 !teller->step ? "" : teller->node ? "step " : "Step ",
		 sw_text(teller->step),
		 teller->node || teller->step ? ": " : "", text);
	teller->tell(teller->context, &loss);
}

static char *clock_of(const struct sw_view *view, char *buf, uint64_t usec)
{
	return sw_realtime_words(buf, CLOCK_SIZE,
				 sw_view_realtime_usec(view, usec));
}

/* Up to when there is something, and what that means. */
static void tell_end(const struct teller *teller)
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
	const struct sw_view *view = teller->view;
	const struct sw_reader_health *health = sw_reader_health(view->reader);
	char when[CLOCK_SIZE], text[SW_LOSS_SIZE];

	if (health->is_finished)
		return;
	/* Of a step that has ended nothing is to come, but of others. */
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
	tell(teller, true, text);
}

/* Slurm said when it ended, not the recorder. */
static bool is_end_told(const struct sw_view *view)
{
	return view->recording.final_source &&
	       !strcmp(view->recording.final_source, "hook");
}

/* For how long the recorder stood still when the command ended; 0: not. */
static uint64_t late_end_usec(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->event_count && !is_end_told(view); i++) {
		const struct sw_view_event *event = &view->events[i];

		if (!strcmp(event->kind, "gap") &&
		    !sw_is_missing(event->value) &&
		    event->time_usec >= view->end_usec)
			return event->value;
	}
	return 0;
}

static void tell_late_end(const struct teller *teller)
{
	uint64_t late_usec = late_end_usec(teller->view);
	char text[SW_LOSS_SIZE];

	if (!late_usec)
		return;
	snprintf(text, sizeof(text), "The recorder was not running for the "
		 "last %s: the command may have ended up to that much earlier.",
		 sw_duration_text(late_usec).s);
	tell(teller, late_usec >= SW_USEC_PER_SEC / 2, text);
}

/* What goes away after the end, as the cgroup of a step does, is no loss. */
static bool is_loss(const struct sw_view *view,
		    const struct sw_view_event *event)
{
	return event->detail && strchr(event->detail, ':') &&
	       (view->state == SW_STATE_UNKNOWN ||
		event->time_usec < view->end_usec) &&
	       (!strcmp(event->kind, "source_lost") ||
		!strcmp(event->kind, "source_garbage"));
}

static size_t name_length(const struct sw_view_event *loss)
{
	return strcspn(loss->detail, ":");
}

/* When the source could be read again; SW_MISSING if never. */
static uint64_t back_usec(const struct sw_view *view,
			  const struct sw_view_event *loss)
{
	size_t length = name_length(loss), i;

	for (i = 0; i < view->event_count; i++) {
		const struct sw_view_event *event = &view->events[i];

		if (event->time_usec >= loss->time_usec && event->detail &&
		    !strcmp(event->kind, "source_back") &&
		    strlen(event->detail) == length &&
		    !strncmp(event->detail, loss->detail, length))
			return event->time_usec;
	}
	return SW_MISSING;
}

/* Lost for good and for the same reason: one sentence for all of them. */
static bool is_of_one_kind(const struct sw_view *view,
			   const struct sw_view_event *one,
			   const struct sw_view_event *two)
{
	return is_loss(view, one) && is_loss(view, two) &&
	       !strcmp(strchr(one->detail, ':'), strchr(two->detail, ':')) &&
	       sw_is_missing(back_usec(view, one)) &&
	       sw_is_missing(back_usec(view, two));
}

static void tell_source(const struct teller *teller, size_t index)
{
	const struct sw_view *view = teller->view;
	const struct sw_view_event *loss = &view->events[index];
	uint64_t back = back_usec(view, loss);
	char from[CLOCK_SIZE], to[CLOCK_SIZE], text[SW_LOSS_SIZE];
	char names[NAMES_SIZE];
	size_t i;

	snprintf(names, sizeof(names), "%.*s", (int)name_length(loss),
		 loss->detail);
	for (i = index + 1; i < view->event_count; i++) {
		const struct sw_view_event *other = &view->events[i];

		if (is_of_one_kind(view, loss, other))
			sw_text_add(names, sizeof(names), ", %.*s",
				    (int)name_length(other), other->detail);
	}
	clock_of(view, from, loss->time_usec);
	clock_of(view, to, back);
	snprintf(text, sizeof(text), "Not recorded %s %s%s%s: %s (%.200s).",
		 sw_is_missing(back) ? "after" : "from", from,
		 sw_is_missing(back) ? "" : " to ",
		 sw_is_missing(back) ? "" : to, names,
		 strchr(loss->detail, ':') + 1 +
			 strspn(strchr(loss->detail, ':') + 1, " "));
	tell(teller, true, text);
}

static void tell_sources(const struct teller *teller)
{
	const struct sw_view *view = teller->view;
	size_t i, j;

	for (i = 0; i < view->event_count; i++) {
		if (!is_loss(view, &view->events[i]))
			continue;
		for (j = 0; j < i; j++)
			if (is_of_one_kind(view, &view->events[j],
					   &view->events[i]))
				break;
		if (j == i)
			tell_source(teller, i);
	}
}

/* What could not be counted of some tasks, from the beginning. */
static void tell_partial(const struct teller *teller)
{
	const struct sw_view *view = teller->view;
	char text[SW_LOSS_SIZE];
	size_t i;

	for (i = 0; i < view->event_count; i++) {
		const struct sw_view_event *event = &view->events[i];

		if (strcmp(event->kind, "source_partial") || !event->detail)
			continue;
		snprintf(text, sizeof(text), "Recorded in part: %.240s.",
			 event->detail);
		tell(teller, true, text);
	}
}

static void tell_cgroup(const struct teller *teller)
{
	if (teller->view->recording.has_left_cgroup)
		tell(teller, true, "Part of the command ran outside its "
		     "cgroup: values counted by cgroup (memory, I/O, pressure) "
		     "do not include that part.");
}

/* Files of /proc that made no sense; what they hold is not in the sums. */
static void tell_garbled(const struct teller *teller)
{
	uint64_t most = teller->view->recording.not_understood;
	char text[SW_LOSS_SIZE];

	if (sw_is_missing(most) || most == 0)
		return;
	snprintf(text, sizeof(text), "/proc entries of up to %llu process%s at "
		 "a time could not be parsed, so sums over processes are lower "
		 "bounds.", (unsigned long long)most,
		 most == 1 ? "" : "es");
	tell(teller, true, text);
}

/* So much was not sampled that what is said of its course may be wrong. */
static bool is_sparse(const struct sw_view *view)
{
	/* What is missing at the end is said apart. */
	uint64_t gap = sw_excess_u64(view->recording.gap_usec,
				     late_end_usec(view));

	return !sw_is_missing(view->elapsed_usec) &&
	       gap > view->elapsed_usec / 10;
}

static void tell_gaps(const struct teller *teller)
{
	const struct sw_view *view = teller->view;
	uint64_t gap = view->recording.gap_usec;
	uint64_t limited = view->recording.limited_usec;
	char text[SW_LOSS_SIZE];
	char why[128] = "";

	if (!gap)
		return;
	if (limited)
		snprintf(why, sizeof(why), ", %s of it because the recorder "
			 "stayed within its CPU limit (cpu_limit_percent)",
			 sw_duration_text(limited).s);
	snprintf(text, sizeof(text), "Not sampled for %s in total%s.",
		 sw_duration_text(gap).s, why);
	tell(teller, is_sparse(view), text);
}

static void tell_dropped(const struct teller *teller)
{
	const struct sw_reader_health *health;
	char text[SW_LOSS_SIZE];

	health = sw_reader_health(teller->view->reader);
	if (!health->rows_dropped)
		return;
	snprintf(text, sizeof(text), "%llu rows could not be written.",
		 (unsigned long long)health->rows_dropped);
	tell(teller, true, text);
}

/* Of a step that has ended; of one whose slurmstepd died all of them. */
static void tell_tasks(const struct teller *teller)
{
	const struct sw_view *view = teller->view;
	size_t i, unseen = 0, named = 0;
	char ranks[NAMES_SIZE] = "", text[SW_LOSS_SIZE];

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
	tell(teller, true, text);
}

/* Said by the user, and of no use: once, not of each step. */
static void tell_input(const struct teller *teller)
{
	char text[SW_LOSS_SIZE];

	if (!teller->view->input_reason)
		return;
	snprintf(text, sizeof(text), "The size of the input is not known for "
		 "advice: %.200s.", teller->view->input_reason);
	tell(teller, true, text);
}

/* What others can write is no evidence. */
static void tell_claim(const struct teller *teller,
		       const struct sw_verdict *verdict)
{
	char text[SW_LOSS_SIZE];

	if (verdict->trust == SW_TRUST_CLAIM)
		snprintf(text, sizeof(text), "This is what user %llu claims: "
			 "no digest of the file was available to check it.",
			 (unsigned long long)verdict->owner);
	else if (verdict->trust == SW_TRUST_NONE)
		snprintf(text, sizeof(text), "The file is altered or foreign: "
			 "%s.", verdict->because);
	else
		return;
	tell(teller, true, text);
}

static void tell_of_file(const struct teller *teller)
{
	tell_end(teller);
	tell_gaps(teller);
	tell_dropped(teller);
}

static void tell_of_step(const struct teller *teller)
{
	tell_late_end(teller);
	tell_tasks(teller);
	tell_sources(teller);
	tell_partial(teller);
	tell_cgroup(teller);
	tell_garbled(teller);
}

void sw_losses_visit(const struct sw_result *result,
		     void (*told)(void *context, const struct sw_loss *loss),
		     void *context)
{
	const struct sw_job *job = result->job;
	struct teller teller = { result->view, NULL, NULL, told, context };
	size_t i, j;

	tell_input(&teller);
	if (result->verdict)
		tell_claim(&teller, result->verdict);
	if (!job) {
		tell_of_file(&teller);
		tell_of_step(&teller);
	}
	for (i = 0; job && i < job->node_count; i++) {
		const struct sw_node *node = &job->nodes[i];

		if (job->node_count > 1)
			teller.node = node->total.node ? node->total.node : "?";
		teller.step = NULL;
		for (j = 0; j < node->file_count; j++) {
			teller.view = &node->files[j].total;
			tell_of_file(&teller);
		}
		for (j = 0; j < node->step_count; j++) {
			teller.view = &node->steps[j];
			teller.step = node->step_count > 1 ?
					      teller.view->step_id : NULL;
			tell_of_step(&teller);
		}
	}
}
