/* SPDX-License-Identifier: GPL-2.0-or-later */
/* program.killed: a program inside the step was killed by a signal. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/job/job_record.h"
#include "analyzer/rules/cause_words.h"
#include "analyzer/rules/rule_program.h"
#include "common/delta.h"
#include "common/units.h"

enum { MIN_KILLED };

/* SIGPIPE and SIGTERM end programs in the course of normal pipelines. */
static uint64_t worrying(const struct sw_view_program *program)
{
	uint64_t killed = program->killed;

	if (sw_is_missing(killed))
		return 0;
	if (!sw_is_missing(program->oom_killed))
		killed -= program->oom_killed < killed ? program->oom_killed
						       : killed;
	if (!sw_is_missing(program->signal_term))
		killed -= program->signal_term < killed ? program->signal_term
							: killed;
	if (program->last_signal == SIGPIPE && killed > 0 &&
	    program->signal_other == killed)
		killed = 0;
	return killed;
}

static void signal_text(char *buf, size_t size, uint64_t number)
{
	const char *name = NULL;

	if (number > 0 && number < 65)
		name = sigabbrev_np((int)number);
	if (name)
		snprintf(buf, size, "SIG%s", name);
	else
		snprintf(buf, size, "a signal");
}

static bool is_crash(uint64_t signal)
{
	return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT ||
	       signal == SIGFPE || signal == SIGILL;
}

/*
 * "; it could not open /ref/genome.fa: no such file": a crash may come of
 * that, and what is known is not of one that exited.
 */
static void why_words(char *buf, size_t size,
		      const struct sw_view_program *program)
{
	char why[SW_CAUSE_WORDS_SIZE] = "";

	buf[0] = '\0';
	if (is_crash(program->last_signal) &&
	    sw_zero_if_missing(program->exited_nonzero) == 0)
		sw_cause_words(why, sizeof(why), "it", program);
	if (program->last_signal == SIGABRT && !sw_program_has_cause(program))
		snprintf(buf, size, ", by which a program ends itself after a "
			 "failed assertion or an uncaught exception");
	else if (*why)
		snprintf(buf, size, "; %s", why);
}

/* " once (of 4 processes)"; "" where there was only one process. */
static void format_count(char *buf, size_t size,
			 const struct sw_view_program *program, uint64_t killed)
{
	char times[32] = "once";

	buf[0] = '\0';
	if (killed > 1)
		snprintf(times, sizeof(times), "%llu times",
			 (unsigned long long)killed);
	if (sw_is_missing(program->started))
		snprintf(buf, size, " %s", times);
	else if (program->started > 1)
		snprintf(buf, size, " %s (of %s%llu processes)", times,
			 program->is_complete ? "" : "at least ",
			 (unsigned long long)program->started);
}

static uint64_t first_kill_usec(const struct sw_view *view, const char *program)
{
	size_t i;

	for (i = 0; i < view->event_count; i++) {
		const struct sw_view_event *event = &view->events[i];

		if (!strcmp(event->kind, "killed") && event->program &&
		    !strcmp(event->program, program))
			return event->time_usec;
	}
	return SW_MISSING;
}

/* Nobody sees who has sent it: a script may have, and meant it. */
static const char *advice(const struct sw_view *view,
			  const struct sw_view_program *program)
{
	if (view->state != SW_STATE_COMPLETED)
		return "Read its messages first to find out why the step "
		       "failed.";
	return program->last_signal == SIGKILL
		       ? ": unless the script itself killed it, check that its "
			 "output is complete."
		       : ": check that its output is complete.";
}

static int report(const struct sw_view *view,
		  const struct sw_view_program *program, uint64_t killed,
		  double min_killed, struct sw_findings *findings)
{
	bool is_silent = view->state == SW_STATE_COMPLETED;
	uint64_t when = first_kill_usec(view, program->name);
	char name[SW_FINDING_NAME_SIZE], signal[32], after[SW_UNITS_TEXT_SIZE],
		place[64] = "", count[96], why[SW_CAUSE_WORDS_SIZE + 4];
	struct sw_finding *finding;
	struct sw_evidence evidence = {
		"processes killed by a signal", (double)killed, "count",
		min_killed, when,
	};

	finding = sw_finding_add(findings, "program.killed",
				 is_silent ? SW_CRITICAL : SW_WARNING,
				 1, &evidence);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "program %s", program->name);
	signal_text(signal, sizeof(signal), program->last_signal);
	if (!sw_is_missing(sw_delta_u64(when, view->start_usec)))
		snprintf(place, sizeof(place), "%s %s into the run",
			 killed == 1 ? "," : ", first",
			 sw_duration_format(after, sizeof(after),
					    when - view->start_usec));
	format_count(count, sizeof(count), program, killed);
	why_words(why, sizeof(why), program);
	sw_finding_sentence(finding, "%s was killed by %s%s%s%s. %s%s",
			    sw_finding_name(name, sizeof(name), program->name),
			    signal, count, place, why,
			    is_silent ? sw_record_silence(view) : "",
			    advice(view, program));
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	uint64_t killed;
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		killed = worrying(&view->programs[i]);
		if (killed == 0 || (double)killed < setting[MIN_KILLED])
			continue;
		if (report(view, &view->programs[i], killed,
			   setting[MIN_KILLED], findings) < 0)
			return -1;
	}
	return 0;
}

const struct sw_rule sw_rule_program_killed = {
	.id = "program.killed",
	.title = "A program was killed by a signal",
	.kind = SW_FINDING_RESULT,
	.basis = SW_BASIS_PROGRAMS,
	.explain =
	"A program inside the step did not exit by itself: a signal killed it "
	"(SIGSEGV and SIGABRT are crashes; SIGKILL was sent by someone else). "
	"If the step still reports success, its output may be incomplete.\n\n"
	"Computed from the exit records of the step's processes. SIGTERM and "
	"SIGPIPE, which normal scripts and pipelines use to end programs, do "
	"not count, and victims of the kernel's OOM killer have findings of "
	"their own. It fires from min_killed processes of one program on.\n\n"
	"What to do: read the program's last messages, look for a core file, "
	"and let the script check each command's status.",
	.needs = { { "programs", "killed" } },
	.settings = {
		{ "min_killed", 1, 1, 1e9, "killed processes of one program" },
	},
	.eval = eval,
	.blind_to = sw_program_unseen_ends,
};
