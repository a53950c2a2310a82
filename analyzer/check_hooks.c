/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do the plugin's hooks get their answers in time?  The recorder counts those
 * that did not, in a file beside its socket.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/doctor.h"
#include "analyzer/plugstack.h"

/* As recorder/node_counts.c writes them; the test holds the two together. */
enum count {
	STEPS, UNARMED, STARTS_LATE, ENDS, ENDS_LATE, ENDS_DROPPED,
	REPORTS, REPORTS_LATE, REPORTS_MISSING, COUNTS,
};

static const char *const names[COUNTS] = {
	"steps", "unarmed", "starts_late", "ends", "ends_late",
	"ends_dropped", "reports", "reports_late", "reports_missing",
};

/* What is worth a warning: more than one in a hundred of these. */
static const struct {
	enum count missed, of;
	const char *words;
} judged[] = {
	{ UNARMED, STEPS, "steps were not fully observed before exec" },
	{ STARTS_LATE, STEPS, "hooks timed out when a step began" },
	{ ENDS_LATE, ENDS, "hooks timed out when a step ended" },
	{ ENDS_DROPPED, ENDS, "hooks found no recorder when a step ended" },
	{ REPORTS_MISSING, REPORTS, "reports at a job's end were not written" },
};

enum { JUDGED = sizeof(judged) / sizeof(judged[0]), OF_HUNDRED = 100 };

/* "name number" a line; false where one of them is not there. */
static bool read_counts(const char *text, uint64_t *counts)
{
	size_t i, length;
	const char *line;

	for (i = 0; i < COUNTS; i++) {
		length = strlen(names[i]);
		for (line = text; line; line = strchr(line, '\n')) {
			line += *line == '\n';
			if (!strncmp(line, names[i], length) &&
			    line[length] == ' ')
				break;
		}
		if (!line)
			return false;
		counts[i] = strtoull(line + length + 1, NULL, 10);
	}
	return true;
}

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

static void judge(struct sw_answer *answer, const uint64_t *counts)
{
	char missed[400];

	if (put_missed(missed, sizeof(missed), counts) == 0) {
		sw_answer_ok(answer, "%" PRIu64 " steps began and %" PRIu64
			     " ended; %" PRIu64 " reports, %" PRIu64
			     " of them written after the hook had timed out",
			     counts[STEPS], counts[ENDS], counts[REPORTS],
			     counts[REPORTS_LATE]);
		return;
	}
	sw_answer_warn(answer, "hooks time out",
		       "%s; raise wait_ms= and end_wait_ms= in plugstack.conf "
		       "if this continues", missed);
}

void sw_check_hooks(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	struct sw_plugstack stack;
	char path[PATH_MAX], text[1024];
	uint64_t counts[COUNTS];
	char *slash;

	sw_plugstack_read(&stack, doctor);
	snprintf(path, sizeof(path), "%s", stack.socket);
	slash = strrchr(path, '/');
	if (slash)
		snprintf(slash, sizeof(path) - (size_t)(slash - path),
			 "/counts");
	if (sw_doctor_read(doctor, path, text, sizeof(text)) <= 0 ||
	    !read_counts(text, counts))
		sw_answer_skip(answer, "no counts",
			       "%s cannot be read: no recorder of this "
			       "version has been started here since boot",
			       path);
	else
		judge(answer, counts);
}
