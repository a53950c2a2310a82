/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's job states: their texts and the ends that they stand for. */
#include "common/job_state.h"

#include <string.h>

#include "common/text.h"

/* A flag can replace the state in accounting. */
static const struct {
	const char *name, *letters;
	enum sw_job_end end;
	bool is_open, is_flag;
} states[SW_JOB_STATES] = {
	[SW_JOB_COMPLETED] = { "COMPLETED", "CD", SW_JOB_END_COMPLETED,
			       false, false },
	[SW_JOB_FAILED] = { "FAILED", "F", SW_JOB_END_FAILED, false, false },
	[SW_JOB_CANCELLED] = { "CANCELLED", "CA", SW_JOB_END_CANCELLED,
			       false, false },
	[SW_JOB_TIMEOUT] = { "TIMEOUT", "TO", SW_JOB_END_TIME, false, false },
	[SW_JOB_OUT_OF_MEMORY] = { "OUT_OF_MEMORY", "OOM",
				   SW_JOB_END_OUT_OF_MEMORY, false, false },
	[SW_JOB_NODE_FAIL] = { "NODE_FAIL", "NF", SW_JOB_END_NODE, false,
			       false },
	[SW_JOB_BOOT_FAIL] = { "BOOT_FAIL", "BF", SW_JOB_END_NODE, false,
			       false },
	[SW_JOB_PREEMPTED] = { "PREEMPTED", "PR", SW_JOB_END_REQUEUED, false,
			       false },
	[SW_JOB_REQUEUED] = { "REQUEUED", "RQ", SW_JOB_END_REQUEUED, false,
			      true },
	[SW_JOB_DEADLINE] = { "DEADLINE", "DL", SW_JOB_END_DEADLINE, false,
			      false },
	[SW_JOB_RESIZING] = { "RESIZING", "RS", SW_JOB_END_OTHER, true, true },
	[SW_JOB_REVOKED] = { "REVOKED", "RV", SW_JOB_END_CANCELLED, false,
			     true },
	[SW_JOB_PENDING] = { "PENDING", "PD", SW_JOB_END_OTHER, true, false },
	[SW_JOB_RUNNING] = { "RUNNING", "R", SW_JOB_END_OTHER, true, false },
	[SW_JOB_SUSPENDED] = { "SUSPENDED", "S", SW_JOB_END_OTHER, true,
			       false },
};

/* Flags of jobs that will run again */
static const char *const requeued[] = {
	"REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT",
};

/* sacct truncates words at the column width and ends them with "+". */
enum { CUT_LENGTH = 9 };

static bool is_word(const char *text, size_t length, const char *word)
{
	return !strncmp(text, word, length) &&
	       (!word[length] || (length >= CUT_LENGTH && text[length] == '+'));
}

static enum sw_job_state state_of(const char *word, size_t length, bool is_flag)
{
	enum sw_job_state i;
	size_t j;

	for (i = SW_JOB_UNKNOWN + 1; i < SW_JOB_STATES; i++) {
		if (states[i].is_flag == is_flag &&
		    is_word(word, length, states[i].name))
			return i;
	}
	for (j = 0; is_flag && j < sizeof(requeued) / sizeof(*requeued); j++) {
		if (is_word(word, length, requeued[j]))
			return SW_JOB_REQUEUED;
	}
	return SW_JOB_UNKNOWN;
}

/* Return the state of the first word that is one, either of flags or not. */
static enum sw_job_state find(const char *text, bool is_flag)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	enum sw_job_state state = SW_JOB_UNKNOWN;
	size_t length;

	for (; *text && !state; text += length) {
		text += strcspn(text, letters);
		length = strspn(text, letters);
		if (length)
			state = state_of(text, length, is_flag);
	}
	return state;
}

static enum sw_job_state find_letters(const char *text)
{
	enum sw_job_state i;

	for (i = SW_JOB_UNKNOWN + 1; i < SW_JOB_STATES; i++) {
		if (!strcmp(text, states[i].letters))
			return i;
	}
	return SW_JOB_UNKNOWN;
}

/* sacct prints a flag in the place of the state, but keeps the uid of a
 * cancelled job. */
enum sw_job_state sw_job_state_read(const char *text)
{
	enum sw_job_state state = find(text, false);

	if (!state)
		state = find(text, true);
	if (!state)
		state = find_letters(text);
	if (!state && sw_job_state_by(text))
		state = SW_JOB_CANCELLED;
	return state;
}

const char *sw_job_state_by(const char *text)
{
	static const char by[] = " by ";
	const char *at = strstr(text, by);

	return at ? at + strlen(by) : NULL;
}

/* Numbers may come from files. */
static enum sw_job_state known(enum sw_job_state state)
{
	return state < SW_JOB_STATES ? state : SW_JOB_UNKNOWN;
}

const char *sw_job_state_name(enum sw_job_state state)
{
	return states[known(state)].name;
}

enum sw_job_end sw_job_state_end(enum sw_job_state state)
{
	return states[known(state)].end;
}

bool sw_job_state_is_final(enum sw_job_state state)
{
	state = known(state);
	return state != SW_JOB_UNKNOWN && !states[state].is_open;
}

bool sw_job_state_is_failed(enum sw_job_state state)
{
	enum sw_job_end end = sw_job_state_end(state);

	return end == SW_JOB_END_FAILED || end == SW_JOB_END_OUT_OF_MEMORY ||
	       end == SW_JOB_END_TIME || end == SW_JOB_END_DEADLINE ||
	       end == SW_JOB_END_NODE;
}

bool sw_job_state_is_ended_from_outside(enum sw_job_state state)
{
	enum sw_job_end end = sw_job_state_end(state);

	return end == SW_JOB_END_TIME || end == SW_JOB_END_DEADLINE ||
	       end == SW_JOB_END_NODE ||
	       end == SW_JOB_END_CANCELLED || end == SW_JOB_END_REQUEUED;
}

/* The record of a job before its change of size has an end, too. */
char *sw_job_state_letters(char buf[SW_JOB_STATE_LETTERS_SIZE])
{
	enum sw_job_state i;

	buf[0] = '\0';
	for (i = SW_JOB_UNKNOWN + 1; i < SW_JOB_STATES; i++) {
		if (sw_job_state_is_final(i) || i == SW_JOB_RESIZING)
			sw_text_add(buf, SW_JOB_STATE_LETTERS_SIZE, "%s%s",
				    *buf ? "," : "", states[i].letters);
	}
	return buf;
}
