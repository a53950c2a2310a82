/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check that the plugin's hooks get their answers in time.  The recorder counts
 * those that did not, in a file next to its socket.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "analyzer/doctor/doctor.h"
#include "analyzer/doctor/node_counted.h"

/* Warn from more than one in a hundred of these on. */
static const struct {
	enum sw_recorder_count missed, of;
	const char *words;
} judged[] = {
	{ SW_COUNT_UNARMED, SW_COUNT_STEPS,
	  "steps were observed only in part before exec" },
	{ SW_COUNT_STEPDS_UNKNOWN, SW_COUNT_STEPS,
	  "steps have a slurmstepd that the recorder does not find, as in a "
	  "pid namespace that is not below its own" },
	{ SW_COUNT_STARTS_LATE, SW_COUNT_STEPS,
	  "hooks timed out at the start of a step" },
	{ SW_COUNT_ENDS_LATE, SW_COUNT_ENDS,
	  "hooks timed out at the end of a step" },
	{ SW_COUNT_ENDS_DROPPED, SW_COUNT_ENDS,
	  "hooks found no recorder at the end of a step" },
	{ SW_COUNT_REPORTS_MISSING, SW_COUNT_REPORTS,
	  "reports at the end of a job were not written" },
};

enum { JUDGED = sizeof(judged) / sizeof(judged[0]), OF_HUNDRED = 100 };

static size_t put_missed(char *text, size_t size, const uint64_t *counts)
{
	size_t length = 0, i;

	text[0] = '\0';
	for (i = 0; i < JUDGED && length < size; i++) {
		uint64_t missed = counts[judged[i].missed];
		uint64_t of = counts[judged[i].of];

		if (missed * OF_HUNDRED > of)
			length += (size_t)snprintf(
				text + length, size - length,
				"%s%" PRIu64 " of %" PRIu64 " %s",
				length ? ", " : "", missed, of,
				judged[i].words);
	}
	return length;
}

/* Harmless reasons for batch scripts without a report. */
static const struct {
	enum sw_recorder_count count;
	const char *words;
} left_out[] = {
	{ SW_COUNT_REPORTS_QUIET, "switched off" },
	{ SW_COUNT_REPORTS_NO_FILE, "no regular error file" },
	{ SW_COUNT_REPORTS_FOREIGN, "another user's error file" },
	{ SW_COUNT_REPORTS_UNWRITABLE, "error file takes no more" },
};

static void put_left_out(char *text, size_t size, const uint64_t *counts)
{
	const char *between = "; jobs without a report: ";
	size_t length = 0, i;

	text[0] = '\0';
	for (i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++) {
		if (!counts[left_out[i].count] || length >= size)
			continue;
		length += (size_t)snprintf(text + length, size - length,
					   "%s%" PRIu64 " (%s)", between,
					   counts[left_out[i].count],
					   left_out[i].words);
		between = ", ";
	}
}

static void judge(struct sw_answer *answer, const uint64_t *counts)
{
	char missed[400], none[240];

	if (put_missed(missed, sizeof(missed), counts) == 0) {
		put_left_out(none, sizeof(none), counts);
		sw_answer_ok(answer, "%" PRIu64 " steps began and %" PRIu64 " "
			     "ended; %" PRIu64 " reports, %" PRIu64 " of them "
			     "written after the hook timed out%s",
			     counts[SW_COUNT_STEPS], counts[SW_COUNT_ENDS],
			     counts[SW_COUNT_REPORTS],
			     counts[SW_COUNT_REPORTS_LATE], none);
		return;
	}
	sw_answer_warn(answer, "hooks time out",
		       "%s; raise wait_ms= and end_wait_ms= in plugstack.conf "
		       "if this continues", missed);
}

void sw_check_hooks(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	struct sw_counted counts;
	char path[PATH_MAX];

	if (sw_node_counted_read(doctor, &counts, path, sizeof(path)) < 0)
		sw_answer_skip(answer, "no counts",
			       "%s cannot be read: no recorder of this version "
			       "has run since boot",
			       path);
	else
		judge(answer, counts.number);
}
