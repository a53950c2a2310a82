/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the summaries' writer; its start and its rows in the loop.
 *
 * Records that users cannot change.  Gives up, with one message, if the
 * directory is unsuitable; a row for which there is no disk space is dropped
 * and counted in the file.
 */
#include "recorder/delivery/summaries.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/missing.h"
#include "common/units.h"
#include "profiles/reader.h"
#include "profiles/writer.h"
#include "recorder/kernel/become.h"
#include "recorder/delivery/recover.h"
#include "recorder/log/node_log.h"
#include "recorder/tables/tables.h"

/* Maximum time until rows reach the file, if there is no tail */
enum { FLUSH_MSEC = 60000 };

/* Bytes on their way to the writer: of all jobs of a node that end at once. */
enum { ROOM_BYTES = 1 << 20 };

enum kind { STEP = 1, CORRECTION, PROFILE };

/* The programs come last, and only as many as there are. */
struct message {
	enum kind kind;
	union {
		struct {
			struct sw_summary_step step;
			struct sw_summary_programs programs;
		};
		struct sw_summary_profile profile;
	};
};

static size_t length_of(const struct message *message)
{
	switch (message->kind) {
	case STEP:
		return offsetof(struct message, programs.items) +
		       sw_min_u64(message->programs.count, SW_PROGRAMS_KEPT) *
			       sizeof(message->programs.items[0]);
	case CORRECTION:
		return offsetof(struct message, programs);
	case PROFILE:
		return offsetof(struct message, profile) +
		       sizeof(message->profile);
	}
	return 0;
}

/*
 * The columns of a table with the offsets of their members; the limits of a
 * step are an array.
 */
#define TEXT_COLUMN(name, size, readers, help) \
	{ #name, "", SW_KIND_TEXT, help },
#define NUMBER_COLUMN(name, unit, kind, readers, help) \
	{ #name, unit, SW_KIND_##kind, help },
#define LIMITED_COLUMN(RESOURCE, name, help) \
	{ "limited_by_" #name "_usec", "usec", SW_KIND_COUNTER, help },
#define JOB_TEXT_OFFSET(name, size, readers, help) \
	offsetof(struct sw_summary_job, name),
#define JOB_NUMBER_OFFSET(name, unit, kind, readers, help) \
	offsetof(struct sw_summary_job, key.name),
#define TEXT_OFFSET(name, size, readers, help) \
	offsetof(struct sw_summary_step, name),
#define NUMBER_OFFSET(name, unit, kind, readers, help) \
	offsetof(struct sw_summary_step, name),
#define LIMITED_OFFSET(RESOURCE, name, help) \
	offsetof(struct sw_summary_step, \
		 limited_usec[SW_LIMITED_BY_##RESOURCE]),

/* The job is the first member of both. */
static_assert(offsetof(struct sw_summary_step, job) == 0, "");
static_assert(offsetof(struct sw_summary_profile, job) == 0, "");

static const struct sw_column step_columns[] = {
	SW_SUMMARY_JOB_FIELDS(TEXT_COLUMN, NUMBER_COLUMN)
	SW_SUMMARY_STEP_FIELDS(TEXT_COLUMN, NUMBER_COLUMN)
	SW_SUMMARY_LIMITED_FIELDS(LIMITED_COLUMN)
	SW_SUMMARY_LAST_FIELDS(TEXT_COLUMN, NUMBER_COLUMN)
};
static const size_t step_offsets[] = {
	SW_SUMMARY_JOB_FIELDS(JOB_TEXT_OFFSET, JOB_NUMBER_OFFSET)
	SW_SUMMARY_STEP_FIELDS(TEXT_OFFSET, NUMBER_OFFSET)
	SW_SUMMARY_LIMITED_FIELDS(LIMITED_OFFSET)
	SW_SUMMARY_LAST_FIELDS(TEXT_OFFSET, NUMBER_OFFSET)
};
static const struct sw_column profile_columns[] = {
	SW_SUMMARY_JOB_FIELDS(TEXT_COLUMN, NUMBER_COLUMN)
	{ "file", "", SW_KIND_TEXT, "The name of the profile." },
	{ "digest", "", SW_KIND_TEXT, "XXH3-128 of the profile's bytes." },
	{ "bytes", "bytes", SW_KIND_GAUGE, "The size of the profile." },
	{ "end_realtime_usec", "usec", SW_KIND_STATE,
	  "When the profile was finished, CLOCK_REALTIME." },
};
static const size_t profile_offsets[] = {
	SW_SUMMARY_JOB_FIELDS(JOB_TEXT_OFFSET, JOB_NUMBER_OFFSET)
	offsetof(struct sw_summary_profile, file),
	offsetof(struct sw_summary_profile, digest),
	offsetof(struct sw_summary_profile, bytes),
	offsetof(struct sw_summary_profile, end_usec),
};

const struct sw_table sw_step_summaries_table = {
	.name = "step_summaries",
	.scope = SW_SCOPE_JOB,
	.source = "slurm",
	.columns = step_columns,
	.column_count = sizeof(step_columns) / sizeof(step_columns[0]),
};

const struct sw_table sw_profiles_table = {
	.name = "profiles",
	.scope = SW_SCOPE_JOB,
	.source = "slurm",
	.columns = profile_columns,
	.column_count = sizeof(profile_columns) / sizeof(profile_columns[0]),
};

void sw_summary_step_init(struct sw_summary_step *step)
{
	size_t i;
	char *at;

	memset(step, 0, sizeof(*step));
	for (i = 0; i < sw_step_summaries_table.column_count; i++) {
		at = (char *)step + step_offsets[i];
		if (step_columns[i].kind != SW_KIND_TEXT)
			memset(at, 0xff, sizeof(uint64_t)); /* SW_MISSING */
	}
}

/* State of the writer process */
struct summaries {
	int socket_fd, dirfd;
	const char *folder;
	struct sw_writer *writer;	/* NULL: today's not open yet */
	char name[NAME_MAX - 16];	/* of today's file */
};

static void put_today(char *name, size_t size)
{
	struct utsname host = { .nodename = "" };
	time_t now = time(NULL);
	char day[16] = "";
	struct tm tm;

	uname(&host);
	host.nodename[strcspn(host.nodename, "./")] = '\0';
	if (gmtime_r(&now, &tm))
		strftime(day, sizeof(day), "%Y-%m-%d", &tm);
	snprintf(name, size, "%s.%s.stepwell", day, host.nodename);
}

/* Open today's file; continue an existing one, finished or not. */
static void open_today(struct summaries *summaries)
{
	char part[NAME_MAX];
	struct sw_reader *reader = NULL;
	struct sw_error error;
	const char *name = summaries->name;

	snprintf(part, sizeof(part), "%s.part", name);
	if (faccessat(summaries->dirfd, name, F_OK, 0) == 0)
		renameat(summaries->dirfd, name, summaries->dirfd, part);
	if (faccessat(summaries->dirfd, part, F_OK, 0) == 0)
		summaries->writer = sw_recover(summaries->dirfd,
					       summaries->folder, name,
					       &reader, &error);
	else
		summaries->writer = sw_writer_create(summaries->dirfd, name,
						     false, &error);
	sw_reader_close(reader);
	if (summaries->writer)
		sw_writer_fill_blocks(summaries->writer);
	else
		sw_node_log("summaries: %s", error.text);
}

static void finish(struct summaries *summaries)
{
	struct sw_error error;

	if (summaries->writer &&
	    sw_writer_finish(summaries->writer, sw_clock_boottime_usec(),
			     &error) < 0)
		sw_node_log("summaries: %s", error.text);
	sw_writer_destroy(summaries->writer);
	summaries->writer = NULL;
}

static void need_today(struct summaries *summaries)
{
	char name[sizeof(summaries->name)];

	put_today(name, sizeof(name));
	if (strcmp(name, summaries->name) != 0) {
		finish(summaries);
		strcpy(summaries->name, name);
	}
	if (!summaries->writer)
		open_today(summaries);
}

static void write_row(struct sw_writer *writer, const struct sw_table *table,
		      const size_t *offsets, const void *from)
{
	union sw_value values[SW_TABLE_COLUMNS_MAX];
	size_t i;
	int number;

	for (i = 0; i < table->column_count; i++) {
		const char *at = (const char *)from + offsets[i];

		if (table->columns[i].kind == SW_KIND_TEXT)
			values[i].text = *at ? at : NULL;
		else
			memcpy(&values[i].number, at, sizeof(uint64_t));
	}
	number = sw_writer_table(writer, table, NULL);
	if (number >= 0)
		sw_writer_row(writer, number, values,
			      sw_clock_boottime_usec());
}

static void take(struct summaries *summaries, const struct message *message)
{
	need_today(summaries);
	if (!summaries->writer)
		return;
	if (message->kind == PROFILE) {
		write_row(summaries->writer, &sw_profiles_table,
			  profile_offsets, &message->profile);
		return;
	}
	write_row(summaries->writer, &sw_step_summaries_table, step_offsets,
		  &message->step);
	if (message->kind == STEP)
		sw_summary_programs_write(summaries->writer, &message->step,
					  &message->programs);
}

/*
 * Rows in a tail can be read, and a block for each would make the file several
 * times as large, and slower to read.
 */
static void flush_without_tail(struct sw_writer *writer)
{
	struct sw_writer_stats stats;

	sw_writer_stats(writer, &stats);
	if (!stats.has_tail)
		sw_writer_flush(writer, sw_clock_boottime_usec());
}

__attribute__((noreturn))
static void serve(struct summaries *summaries)
{
	struct pollfd polled = { .fd = summaries->socket_fd,
				 .events = POLLIN };
	struct message message;
	ssize_t length;
	int ready;

	for (;;) {
		ready = poll(&polled, 1, FLUSH_MSEC);
		if (ready == 0 && summaries->writer)
			flush_without_tail(summaries->writer);
		if (ready <= 0)
			continue;
		length = recv(summaries->socket_fd, &message, sizeof(message),
			      MSG_DONTWAIT);
		if (length > 0 && (size_t)length == length_of(&message))
			take(summaries, &message);
		else if (length == 0 || (length < 0 && errno != EAGAIN &&
					 errno != EINTR))
			break;
	}
	if (summaries->writer)
		sw_writer_flush(summaries->writer, sw_clock_boottime_usec());
	_exit(0);
}

/* Open the directory and get its owner; -1 with *error. */
static int open_folder(const char *folder, struct stat *status,
		       struct sw_error *error)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0 || fstat(fd, status) < 0)
		return sw_error_errno(error, "%s", folder);
	if (status->st_uid != 0 &&
	    !(status->st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	close(fd);
	return sw_error_set(error, "%s is owned by root, or is "
				    "writable by others",
			    folder);
}

/* Close everything of the recorder: its lock would outlive it. */
static void keep_only(struct summaries *summaries, int socket_fd)
{
	const int first = STDERR_FILENO + 1;
	/* Neither may occupy the other's number. */
	int dirfd = fcntl(summaries->dirfd, F_DUPFD, first + 2);

	socket_fd = fcntl(socket_fd, F_DUPFD, first + 2);
	summaries->dirfd = first;
	summaries->socket_fd = first + 1;
	if (dirfd < 0 || socket_fd < 0 || dup2(dirfd, first) < 0 ||
	    dup2(socket_fd, first + 1) < 0)
		_exit(1);
	close_range((unsigned)first + 2, ~0u, 0);
}

int sw_summaries_start(const char *folder, struct sw_error *error)
{
	struct summaries summaries = { .folder = folder };
	const int room = ROOM_BYTES;
	struct stat status;
	int ends[2];
	pid_t pid;

	summaries.dirfd = open_folder(folder, &status, error);
	if (summaries.dirfd < 0)
		return -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
		       0, ends) < 0) {
		close(summaries.dirfd);
		return sw_error_errno(error, "summaries");
	}
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_NAME, "stepwell-sums");
		keep_only(&summaries, ends[1]);
		umask(027);
		if (sw_become(status.st_uid, status.st_gid) < 0)
			_exit(1);
		serve(&summaries);
	}
	close(summaries.dirfd);
	close(ends[1]);
	if (pid > 0) {
		/* Without the right, the room is that of any socket. */
		setsockopt(ends[0], SOL_SOCKET, SO_SNDBUFFORCE, &room,
			   sizeof(room));
		return ends[0];
	}
	close(ends[0]);
	return sw_error_errno(error, "summaries");
}

static int hand_over(int socket_fd, const struct message *message)
{
	return send(socket_fd, message, length_of(message),
		    MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -1 : 0;
}

int sw_summaries_step(int socket_fd, const struct sw_summary_step *step,
		      const struct sw_summary_programs *programs)
{
	struct message message = { .kind = programs ? STEP : CORRECTION };

	message.step = *step;
	if (programs)
		message.programs = *programs;
	return hand_over(socket_fd, &message);
}

int sw_summaries_profile(int socket_fd,
			 const struct sw_summary_profile *profile)
{
	struct message message = { .kind = PROFILE };

	message.profile = *profile;
	return hand_over(socket_fd, &message);
}
