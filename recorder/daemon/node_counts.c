/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Count hooks and reports that were too late. */
#include "recorder/daemon/node_counts.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/log/node_log.h"

/* Next to the directory of steps */
#define FILE_NAME "../counts"
#define LOG_USEC (3600 * SW_USEC_PER_SEC)

/* Last line of a recorder that was not killed */
#define ENDED "ended 1\n"

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

/* Replace it atomically.  World-readable: it contains no users or jobs. */
static void write_file(const struct sw_node_counts *counts, bool is_end)
{
	char text[SW_RECORDER_COUNTS_SIZE];
	size_t length = sw_recorder_counts_format(
		text, sizeof(text), counts->number, counts->cgroup_form);
	int fd;

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

/* What a recorder left that was killed. */
static void go_on(struct sw_node_counts *counts)
{
	char text[SW_RECORDER_COUNTS_SIZE];
	ssize_t length = -1;
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
	/* One of another version counts on with what the two have. */
	sw_recorder_counts_parse(text, counts->number, counts->cgroup_form);
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

/* Not errors, but each of these means missing data. */
static bool has_news(const struct sw_node_counts *counts)
{
	static const enum sw_recorder_count missed[] = {
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
