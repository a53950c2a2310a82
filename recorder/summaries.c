/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The evidence that no user can change.  Gives up, and says so once, where the
 * folder is not as it has to be; a row that finds the disk full is dropped and
 * counted in the file.
 */
#include "recorder/summaries.h"

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
#include "common/missing.h"
#include "common/units.h"
#include "profiles/reader.h"
#include "profiles/writer.h"
#include "recorder/become.h"
#include "recorder/node_log.h"
#include "recorder/recover.h"

/* Rows reach the disk's file at least so often. */
enum { FLUSH_MSEC = 60000 };

enum kind { STEP = 1, PROFILE = 2 };

struct message {
	enum kind kind;
	union {
		struct sw_summary_step step;
		struct sw_summary_profile profile;
	};
};

/* A column and where its value is in the message's struct. */
struct field {
	struct sw_column column;
	size_t offset;
};

#define JOB(type, member) (offsetof(struct type, job) + \
			   offsetof(struct sw_summary_job, member))
#define JOB_FIELDS(type) \
	{ { "cluster", "", SW_KIND_TEXT, "" }, JOB(type, cluster) }, \
	{ { "job_name", "", SW_KIND_TEXT, "" }, JOB(type, name) }, \
	{ { "job_id", "", SW_KIND_STATE, "" }, JOB(type, job_id) }, \
	{ { "array_job_id", "", SW_KIND_STATE, "" }, \
	  JOB(type, array_job_id) }, \
	{ { "array_task_id", "", SW_KIND_STATE, "" }, \
	  JOB(type, array_task_id) }, \
	{ { "het_job_id", "", SW_KIND_STATE, "" }, JOB(type, het_job_id) }, \
	{ { "het_component", "", SW_KIND_STATE, "" }, \
	  JOB(type, het_component) }, \
	{ { "restart_count", "", SW_KIND_STATE, "" }, \
	  JOB(type, restart_count) }, \
	{ { "uid", "", SW_KIND_STATE, "" }, JOB(type, uid) }

#define OF_STEP(name, unit, kind, member) \
	{ { name, unit, kind, "" }, offsetof(struct sw_summary_step, member) }
#define USEC(member) OF_STEP(#member, "usec", SW_KIND_COUNTER, member)
#define BYTES(member, kind) OF_STEP(#member, "bytes", kind, member)
#define STATE(member) OF_STEP(#member, "", SW_KIND_STATE, member)

static const struct field step_fields[] = {
	JOB_FIELDS(sw_summary_step),
	OF_STEP("step_id", "", SW_KIND_TEXT, step_id),
	OF_STEP("ladder", "", SW_KIND_TEXT, ladder),
	OF_STEP("final_source", "", SW_KIND_TEXT, final_source),
	OF_STEP("start_realtime_usec", "usec", SW_KIND_STATE, start_usec),
	OF_STEP("end_realtime_usec", "usec", SW_KIND_STATE, end_usec),
	STATE(task_count), STATE(node_task_count), STATE(node_count),
	STATE(node_index), STATE(requested_cpus_milli),
	BYTES(requested_memory_bytes, SW_KIND_GAUGE),
	BYTES(input_bytes, SW_KIND_GAUGE),
	STATE(wait_status), STATE(is_armed), STATE(samples),
	STATE(lost_ticks),
	USEC(usage_usec), USEC(user_usec), USEC(system_usec),
	USEC(throttled_usec),
	BYTES(need_bytes, SW_KIND_PEAK), BYTES(peak_bytes, SW_KIND_PEAK),
	BYTES(floor_bytes, SW_KIND_PEAK), STATE(oom_kills),
	BYTES(read_bytes, SW_KIND_COUNTER),
	BYTES(written_bytes, SW_KIND_COUNTER),
	USEC(cpu_some_usec), USEC(memory_full_usec), USEC(io_full_usec),
};

static const struct field profile_fields[] = {
	JOB_FIELDS(sw_summary_profile),
	{ { "file", "", SW_KIND_TEXT, "" },
	  offsetof(struct sw_summary_profile, file) },
	{ { "digest", "", SW_KIND_TEXT, "" },
	  offsetof(struct sw_summary_profile, digest) },
	{ { "bytes", "bytes", SW_KIND_GAUGE, "" },
	  offsetof(struct sw_summary_profile, bytes) },
	{ { "end_realtime_usec", "usec", SW_KIND_STATE, "" },
	  offsetof(struct sw_summary_profile, end_usec) },
};

enum {
	STEP_FIELDS = sizeof(step_fields) / sizeof(step_fields[0]),
	PROFILE_FIELDS = sizeof(profile_fields) / sizeof(profile_fields[0]),
};

/* The writer's process. */
struct summaries {
	int socket_fd, dirfd;
	const char *folder;
	struct sw_writer *writer;	/* NULL: none for today yet */
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

/* The day's file: gone on with where there is one, finished or not. */
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
	if (!summaries->writer)
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

static void write_row(struct sw_writer *writer, const char *name,
		      const struct field *fields, size_t count,
		      const void *from)
{
	struct sw_column columns[SW_TABLE_COLUMNS_MAX];
	union sw_value values[SW_TABLE_COLUMNS_MAX];
	const struct sw_table table = {
		.name = name, .scope = SW_SCOPE_JOB, .source = "slurm",
		.columns = columns, .column_count = count,
	};
	size_t i;
	int number;

	for (i = 0; i < count; i++) {
		const char *at = (const char *)from + fields[i].offset;

		columns[i] = fields[i].column;
		if (columns[i].kind == SW_KIND_TEXT)
			values[i].text = *at ? at : NULL;
		else
			memcpy(&values[i].number, at, sizeof(uint64_t));
	}
	number = sw_writer_table(writer, &table, NULL);
	if (number >= 0)
		sw_writer_row(writer, number, values,
			      sw_clock_boottime_usec());
}

static void take(struct summaries *summaries, const struct message *message)
{
	need_today(summaries);
	if (!summaries->writer)
		return;
	if (message->kind == STEP)
		write_row(summaries->writer, "step_summaries", step_fields,
			  STEP_FIELDS, &message->step);
	else
		write_row(summaries->writer, "profiles", profile_fields,
			  PROFILE_FIELDS, &message->profile);
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
			sw_writer_flush(summaries->writer,
					sw_clock_boottime_usec());
		if (ready <= 0)
			continue;
		length = recv(summaries->socket_fd, &message, sizeof(message),
			      MSG_DONTWAIT);
		if (length == (ssize_t)sizeof(message))
			take(summaries, &message);
		else if (length == 0 || (length < 0 && errno != EAGAIN &&
					 errno != EINTR))
			break;
	}
	if (summaries->writer)
		sw_writer_flush(summaries->writer, sw_clock_boottime_usec());
	_exit(0);
}

/* The folder, and whose it is; -1 with *error. */
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
	return sw_error_set(error, "%s is root's, or others may write to it",
			    folder);
}

/* Nothing of the recorder's: its lock would outlive it. */
static void keep_only(struct summaries *summaries, int socket_fd)
{
	const int first = STDERR_FILENO + 1;
	/* Neither may be in the other's place. */
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
	if (pid > 0)
		return ends[0];
	close(ends[0]);
	return sw_error_errno(error, "summaries");
}

static int hand_over(int socket_fd, const struct message *message)
{
	return send(socket_fd, message, sizeof(*message),
		    MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -1 : 0;
}

int sw_summaries_step(int socket_fd, const struct sw_summary_step *step)
{
	struct message message = { .kind = STEP };

	message.step = *step;
	return hand_over(socket_fd, &message);
}

int sw_summaries_profile(int socket_fd,
			 const struct sw_summary_profile *profile)
{
	struct message message = { .kind = PROFILE };

	message.profile = *profile;
	return hand_over(socket_fd, &message);
}
