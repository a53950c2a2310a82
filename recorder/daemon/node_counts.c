/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often hooks and reports came too late. */
#include "recorder/daemon/node_counts.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/text.h"
#include "common/units.h"
#include "recorder/log/node_log.h"

/* Beside the folder of steps. */
#define FILE_NAME "../counts"
#define LOG_USEC (3600 * SW_USEC_PER_SEC)

/* The last line of a recorder that was not killed. */
#define ENDED "ended 1\n"

/* The line behind the numbers, of a cgroup that was not understood. */
static const char form_name[] = "cgroup_form";

enum { TEXT_SIZE = 64 * (SW_NODE_COUNTS + 1) + 2 * SW_CGROUP_FORM_SIZE };

/* analyzer/doctor/node_counted.c reads these. */
static const char *const names[SW_NODE_COUNTS] = {
	[SW_COUNT_STEPS] = "steps",
	[SW_COUNT_UNARMED] = "unarmed",
	[SW_COUNT_STEPDS_UNKNOWN] = "stepds_unknown",
	[SW_COUNT_STARTS_LATE] = "starts_late",
	[SW_COUNT_ENDS] = "ends",
	[SW_COUNT_ENDS_LATE] = "ends_late",
	[SW_COUNT_ENDS_DROPPED] = "ends_dropped",
	[SW_COUNT_REPORTS] = "reports",
	[SW_COUNT_REPORTS_LATE] = "reports_late",
	[SW_COUNT_REPORTS_MISSING] = "reports_missing",
	[SW_COUNT_REPORTS_QUIET] = "reports_quiet",
	[SW_COUNT_REPORTS_NO_FILE] = "reports_no_file",
	[SW_COUNT_REPORTS_FOREIGN] = "reports_foreign",
	[SW_COUNT_REPORTS_UNWRITABLE] = "reports_unwritable",
	[SW_COUNT_REMOVED] = "removed",
	[SW_COUNT_CGROUPS_UNKNOWN] = "cgroups_unknown",
	[SW_COUNT_LAST_START_USEC] = "last_start_usec",
};

void sw_node_counts_answer(struct sw_node_counts *counts, uint16_t type,
			   enum sw_message_status status, bool is_awaited)
{
	uint64_t *number = counts->number;

	if (type == SW_MESSAGE_STEP_START) {
		number[SW_COUNT_STEPS]++;
		number[SW_COUNT_LAST_START_USEC] = sw_clock_boottime_usec();
		number[SW_COUNT_UNARMED] += status != SW_ANSWER_OK;
		number[SW_COUNT_STARTS_LATE] += !is_awaited;
	} else if (type == SW_MESSAGE_STEP_END) {
		number[SW_COUNT_ENDS]++;
		number[SW_COUNT_ENDS_LATE] += !is_awaited;
	}
}

void sw_node_counts_unknown(struct sw_node_counts *counts, const char *form)
{
	counts->number[SW_COUNT_CGROUPS_UNKNOWN]++;
	if (!strcmp(counts->cgroup_form, form))
		return;
	snprintf(counts->cgroup_form, sizeof(counts->cgroup_form), "%s", form);
	sw_node_log("steps are in cgroups that are not understood, so that "
		    "their processes are followed instead: %s",
		    form);
}

void sw_node_counts_missing(struct sw_node_counts *counts)
{
	counts->number[SW_COUNT_REPORTS]++;
	counts->number[SW_COUNT_REPORTS_MISSING]++;
}

void sw_node_counts_removed(struct sw_node_counts *counts, uint64_t count)
{
	if (count)
		counts->number[SW_COUNT_REMOVED] = counts->removed_before + count;
}

/* Whole or not at all.  Everybody may read it: it names no user and no job. */
static void write_file(const struct sw_node_counts *counts, bool is_end)
{
	char text[TEXT_SIZE];
	size_t length = 0, i;
	int fd;

	for (i = 0; i < SW_NODE_COUNTS; i++)
		length += (size_t)snprintf(text + length,
					   sizeof(text) - length,
					   "%s %" PRIu64 "\n", names[i],
					   counts->number[i]);
	if (counts->cgroup_form[0])
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   "%s %s\n", form_name,
					   counts->cgroup_form);
	if (is_end)
		length += (size_t)snprintf(text + length,
					   sizeof(text) - length, ENDED);
	fd = openat(counts->steps_fd, FILE_NAME ".new",
		    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
		    0644);
	if (fd < 0)
		return;
	if (fchmod(fd, 0644) == 0 &&
	    write(fd, text, length) == (ssize_t)length)
		renameat(counts->steps_fd, FILE_NAME ".new",
			 counts->steps_fd, FILE_NAME);
	close(fd);
}

/* "" where there is no such line. */
static const char *value_of(const char *text, const char *name)
{
	const char *value = sw_text_line_value(text, name);

	return value ? value : "";
}

/* What a recorder left that was killed. */
static void go_on(struct sw_node_counts *counts)
{
	char text[TEXT_SIZE];
	ssize_t length = -1;
	const char *form;
	size_t i;
	int fd;

	fd = openat(counts->steps_fd, FILE_NAME,
		    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0) {
		length = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	if (length <= 0)
		return;
	text[length] = '\0';
	if (strstr(text, ENDED))
		return;
	for (i = 0; i < SW_NODE_COUNTS; i++)
		counts->number[i] =
			strtoull(value_of(text, names[i]), NULL, 10);
	form = value_of(text, form_name);
	snprintf(counts->cgroup_form, sizeof(counts->cgroup_form), "%.*s",
		 (int)strcspn(form, "\n"), form);
	counts->removed_before = counts->number[SW_COUNT_REMOVED];
	memcpy(counts->logged, counts->number, sizeof(counts->logged));
}

void sw_node_counts_begin(struct sw_node_counts *counts, int steps_fd)
{
	*counts = (struct sw_node_counts){
		.steps_fd = steps_fd,
		.log_usec = sw_clock_boottime_usec() + LOG_USEC,
	};
	if (steps_fd < 0)
		return;
	go_on(counts);
	write_file(counts, false);
	memcpy(counts->written, counts->number, sizeof(counts->written));
}

/* No error by itself, but each of these is missed by somebody. */
static bool has_news(const struct sw_node_counts *counts)
{
	static const enum sw_node_count missed[] = {
		SW_COUNT_UNARMED, SW_COUNT_STARTS_LATE, SW_COUNT_ENDS_LATE,
		SW_COUNT_ENDS_DROPPED, SW_COUNT_REPORTS_MISSING,
		SW_COUNT_REMOVED,
	};
	size_t i;

	for (i = 0; i < sizeof(missed) / sizeof(missed[0]); i++) {
		if (counts->number[missed[i]] > counts->logged[missed[i]])
			return true;
	}
	return false;
}

static void write_log(struct sw_node_counts *counts)
{
	const uint64_t *number = counts->number;

	sw_node_log("since this recorder started: steps begun: %" PRIu64 " "
		    "(not fully observed before exec: %" PRIu64 ", hook timed "
		    "out: %" PRIu64 "); steps ended: %" PRIu64 " (hook timed "
		    "out: %" PRIu64 ", no recorder: %" PRIu64 "); reports: "
		    "%" PRIu64 " (late: %" PRIu64 ", missing: %" PRIu64 "); "
		    "profiles removed from a full spool: %" PRIu64,
		    number[SW_COUNT_STEPS], number[SW_COUNT_UNARMED],
		    number[SW_COUNT_STARTS_LATE], number[SW_COUNT_ENDS],
		    number[SW_COUNT_ENDS_LATE], number[SW_COUNT_ENDS_DROPPED],
		    number[SW_COUNT_REPORTS], number[SW_COUNT_REPORTS_LATE],
		    number[SW_COUNT_REPORTS_MISSING],
		    number[SW_COUNT_REMOVED]);
	memcpy(counts->logged, counts->number, sizeof(counts->logged));
}

void sw_node_counts_write(struct sw_node_counts *counts, bool is_end)
{
	uint64_t now = sw_clock_boottime_usec();

	if (counts->steps_fd >= 0 &&
	    (is_end || memcmp(counts->written, counts->number,
			      sizeof(counts->written)))) {
		write_file(counts, is_end);
		memcpy(counts->written, counts->number,
		       sizeof(counts->written));
	}
	if ((is_end || now >= counts->log_usec) && has_news(counts)) {
		write_log(counts);
		counts->log_usec = now + LOG_USEC;
	}
}
