/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe how a step and its tasks ended. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "analyzer/accounting/record_end.h"
#include "analyzer/job/job_record.h"
#include "analyzer/report/words.h"
#include "common/exit_status.h"
#include "common/text.h"
#include "common/units.h"

const char *sw_unfinished_word(const struct sw_view *view)
{
	const struct sw_reader_health *health = sw_reader_health(view->reader);

	if (health->is_finished)
		return "end not recorded";
	if (health->writer == SW_WRITER_ALIVE)
		return "still running";
	return health->writer == SW_WRITER_DONE ? "end not known" :
						  "end not seen";
}

/* Without an end frame: describe the cause as far as known. */
static void unfinished_words(char *buf, size_t size,
			     const struct sw_view *view)
{
	static const char *const why[] = {
		[SW_WRITER_ALIVE] = "",
		[SW_WRITER_GONE] = ": the recording was cut short",
		[SW_WRITER_DONE] = ": the file is damaged",
		[SW_WRITER_UNKNOWN] = " (still running, or the recorder was "
				      "killed)",
	};
	const struct sw_reader_health *health = sw_reader_health(view->reader);

	snprintf(buf, size, "%s%s", sw_unfinished_word(view),
		 health->is_finished ? "" : why[health->writer]);
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

/* "SIGSEGV" for 139; NULL if a shell returns no such status for a signal */
static const char *shell_signal(char *buf, size_t size, uint64_t status)
{
	const char *name = NULL;

	if (status > SW_STATUS_SIGNAL && status < SW_STATUS_SIGNAL + 65)
		name = sigabbrev_np((int)status - SW_STATUS_SIGNAL);
	if (!name)
		return NULL;
	snprintf(buf, size, "SIG%s", name);
	return buf;
}

/* "139, which a shell returns for SIGSEGV" */
static void status_words(char *buf, size_t size, uint64_t status)
{
	char name[32];

	snprintf(buf, size, "%llu", (unsigned long long)status);
	if (shell_signal(name, sizeof(name), status))
		sw_text_add(buf, size, ", which a shell returns for %s", name);
}

bool sw_slurm_has_no_output(const struct sw_job_record *row)
{
	enum { NO_OUTPUT_FILE = 53 };

	return sw_record_end_signal(&row->end) == NO_OUTPUT_FILE;
}

char *sw_slurm_exit_words(char *buf, size_t size,
			  const struct sw_job_record *row)
{
	uint64_t signal = sw_record_end_signal(&row->end);
	char words[96];

	buf[0] = '\0';
	if (sw_slurm_has_no_output(row)) {
		snprintf(buf, size, "exit code 0:53: its output or error file "
			 "could not be opened");
	} else if (!sw_is_missing(signal)) {
		signal_words(words, sizeof(words), signal);
		snprintf(buf, size, "signal %llu%s%s%s",
			 (unsigned long long)signal,
			 strncmp(words, "SIG", 3) ? "" : " (",
			 strncmp(words, "SIG", 3) ? "" : words,
			 strncmp(words, "SIG", 3) ? "" : ")");
	} else if (!sw_is_missing(row->end.exit_code)) {
		status_words(words, sizeof(words), row->end.exit_code);
		snprintf(buf, size, "exit code %s", words);
	}
	return buf;
}

/* Only what was seen: "exit status 0", "ended by SIGTERM". */
static char *seen_words(char *buf, size_t size, const struct sw_view *view)
{
	char name[32], status[64];

	if (view->state == SW_STATE_UNKNOWN)
		unfinished_words(buf, size, view);
	else if (view->state == SW_STATE_KILLED)
		snprintf(buf, size, "ended by %s",
			 signal_words(name, sizeof(name), view->signal));
	else {
		status_words(status, sizeof(status), view->exit_code);
		snprintf(buf, size, "exit status %s", status);
	}
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

/* Slurm's state, and what was seen. */
static void record_words(char *buf, size_t size, const struct sw_view *view,
			 enum sw_job_state state)
{
	char seen[160], kills[40], at[64] = "";
	uint64_t by = view->slurm.record->end.cancelled_by_uid;

	if (state == SW_JOB_TIMEOUT && !sw_is_missing(view->requested_time_usec))
		snprintf(at, sizeof(at), "limit %s, ",
			 sw_duration_text(view->requested_time_usec).s);
	else if (!sw_is_missing(by))
		snprintf(at, sizeof(at), "by uid %llu, ",
			 (unsigned long long)by);
	snprintf(buf, size, "%s (%s%s%s)", sw_job_state_name(state), at,
		 seen_words(seen, sizeof(seen), view),
		 kill_words(kills, sizeof(kills), view));
}

char *sw_elapsed_source(char *buf, size_t size, const struct sw_view *view)
{
	const struct sw_job_record *row = view->slurm.record;

	buf[0] = '\0';
	if (!row || view->state != SW_STATE_UNKNOWN)
		return buf;
	snprintf(buf, size, " as recorded");
	if (!sw_is_missing(row->elapsed_seconds))
		sw_text_add(buf, size, " (%s in Slurm's record)",
			    sw_duration_text(sw_usec_of_seconds(
				    row->elapsed_seconds)).s);
	return buf;
}

/* For a Slurm job whose record was not read: only the evidence. */
static void evidence_words(char *buf, size_t size, const struct sw_view *view)
{
	char seen[160], kills[40];

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
static bool agrees(const struct sw_view *view, enum sw_job_state state)
{
	return (state == SW_JOB_COMPLETED &&
		view->state == SW_STATE_COMPLETED) ||
	       (state == SW_JOB_FAILED && !view->end_oom_kills &&
		view->state == SW_STATE_FAILED);
}

/* "interrupted by its user (Ctrl-C, exit status 130)" */
static void interrupt_words(char *buf, size_t size, const struct sw_view *view)
{
	snprintf(buf, size, "interrupted by its user (Ctrl-%c",
		 view->interrupt_signal == SIGQUIT ? '\\' : 'C');
	if (!sw_is_missing(view->exit_code))
		sw_text_add(buf, size, ", exit status %llu",
			    (unsigned long long)view->exit_code);
	sw_text_add(buf, size, ")");
}

char *sw_state_words(char *buf, size_t size, const struct sw_view *view)
{
	enum sw_job_state slurms = sw_record_state(view);
	char name[32], status[64];

	if (slurms && !agrees(view, slurms))
		record_words(buf, size, view, slurms);
	else if (!slurms && view->slurm.is_slurm)
		evidence_words(buf, size, view);
	else if (view->state == SW_STATE_COMPLETED)
		snprintf(buf, size, "completed (exit status 0)");
	else if (view->state == SW_STATE_FAILED) {
		status_words(status, sizeof(status), view->exit_code);
		snprintf(buf, size, "failed (exit status %s)", status);
	} else if (view->state == SW_STATE_KILLED)
		snprintf(buf, size, "killed by %s",
			 signal_words(name, sizeof(name), view->signal));
	else if (view->state == SW_STATE_INTERRUPTED)
		interrupt_words(buf, size, view);
	else
		unfinished_words(buf, size, view);
	return buf;
}

/* Slurm's state if it adds something to the exit status. */
static bool put_slurms_state(char *buf, size_t size,
			     const struct sw_view *view)
{
	enum sw_job_state state = sw_record_state(view);

	if (!state || agrees(view, state) ||
	    (state == SW_JOB_FAILED && view->state == SW_STATE_KILLED))
		return false;
	snprintf(buf, size, "%s", sw_job_state_name(state));
	return true;
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
	else if (view->state == SW_STATE_INTERRUPTED)
		snprintf(buf, size, "interrupted");
	else
		snprintf(buf, size, "not seen");
	return buf;
}
