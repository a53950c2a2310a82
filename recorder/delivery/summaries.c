/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the summaries' writer; its start and its rows in the loop.
 *
 * Records that users cannot change.  Gives up, with one message, if the
 * directory is unsuitable; a row for which there is no disk space is dropped
 * and counted in the file.
 */
#include "recorder/delivery/summaries.h"

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
#include "recorder/kernel/become.h"
#include "recorder/delivery/recover.h"
#include "recorder/log/node_log.h"
#include "recorder/tables/tables.h"

/* Maximum time until rows reach the file, if there is no tail */
enum { FLUSH_MSEC = 60000 };

enum kind { STEP = 1, PROFILE = 2 };

struct message {
	enum kind kind;
	union {
		struct sw_summary_step step;
		struct sw_summary_profile profile;
	};
};

/* A row each: X(name, unit, kind, member of the message's struct, help). */
#define JOB_FIELDS(X) \
	X("cluster", "", TEXT, job.cluster, \
	  "The name of the cluster in Slurm.") \
	X("job_name", "", TEXT, job.name, \
	  "The job's name, as given by its user.") \
	X("job_id", "", STATE, job.key.job_id, "Slurm's job ID.") \
	X("array_job_id", "", STATE, job.key.array_job_id, \
	  "The job ID of the array; missing: not part of one.") \
	X("array_task_id", "", STATE, job.key.array_task_id, \
	  "The index in the array.") \
	X("het_job_id", "", STATE, job.key.het_job_id, \
	  "The job ID of the heterogeneous job; missing: not part of one.") \
	X("het_component", "", STATE, job.key.het_component, \
	  "The component of the heterogeneous job.") \
	X("restart_count", "", STATE, job.key.restart_count, \
	  "How often the job was requeued before.") \
	X("uid", "", STATE, job.key.uid, "The job's user.")

#define STEP_FIELDS(X) \
	JOB_FIELDS(X) \
	X("step_id", "", TEXT, step_id, "\"0\", \"batch\", \"extern\".") \
	X("backend", "", TEXT, backend, \
	  "The backend that saw the step's processes.") \
	X("final_source", "", TEXT, final_source, \
	  "Where the final values come from; \"late\": a later row.") \
	X("start_realtime_usec", "usec", STATE, start_usec, \
	  "When the step started, CLOCK_REALTIME.") \
	X("end_realtime_usec", "usec", STATE, end_usec, \
	  "When it ended, likewise.") \
	X("task_count", "count", STATE, task_count, "Tasks of the step.") \
	X("node_task_count", "count", STATE, node_task_count, \
	  "Tasks on this node.") \
	X("node_count", "count", STATE, node_count, "Nodes of the step.") \
	X("node_index", "", STATE, node_index, \
	  "The index of this node among them, from 0.") \
	X("requested_cpus_milli", "count", STATE, requested_cpus_milli, \
	  "CPUs requested on this node, in thousandths.") \
	X("requested_memory_bytes", "bytes", GAUGE, requested_memory_bytes, \
	  "Memory requested on this node.") \
	X("input_bytes", "bytes", GAUGE, input_bytes, \
	  "STEPWELL_INPUT_BYTES, if the user set it.") \
	X("wait_status", "", STATE, wait_status, \
	  "The wait status, as in wait(2).") \
	X("is_armed", "", STATE, is_armed, \
	  "1: counters were attached before its tasks executed.") \
	X("samples", "count", STATE, samples, "Samples taken.") \
	X("lost_samples", "count", STATE, lost_samples, \
	  "Samples that were due but not taken.") \
	X("usage_usec", "usec", COUNTER, usage_usec, "CPU time.") \
	X("user_usec", "usec", COUNTER, user_usec, "CPU time in user mode.") \
	X("system_usec", "usec", COUNTER, system_usec, \
	  "CPU time in the kernel.") \
	X("throttled_usec", "usec", COUNTER, throttled_usec, \
	  "Time lost to a CPU quota, summed over the CPUs.") \
	X("peak_cores_milli", "count", PEAK, peak_cores_milli, \
	  "CPUs busy between two samples at least half a second apart, at " \
	  "most, in thousandths; of a shorter step all along.") \
	X("need_bytes", "bytes", PEAK, need_bytes, \
	  "Memory that the step needed: the low end of the interval.") \
	X("peak_bytes", "bytes", PEAK, peak_bytes, \
	  "memory.peak, including page cache.") \
	X("floor_bytes", "bytes", PEAK, floor_bytes, \
	  "Advice may not go below this.") \
	X("oom_kills", "count", STATE, oom_kills, \
	  "Processes that the kernel's OOM killer killed.") \
	X("read_bytes", "bytes", COUNTER, read_bytes, "Read by system calls.") \
	X("written_bytes", "bytes", COUNTER, written_bytes,                    \
	  "Written by system calls.")                                          \
	X("cpu_some_usec", "usec", COUNTER, cpu_some_usec,                     \
	  "cpu.pressure, some.")                                               \
	X("memory_full_usec", "usec", COUNTER, memory_full_usec,               \
	  "memory.pressure, full.")                                            \
	X("io_full_usec", "usec", COUNTER, io_full_usec,                       \
	  "io.pressure, full.")                                                \
	USE_FIELDS(X)

/* Of the step's time, so that it can be added up: what held it back. */
#define LIMITED(X, name, resource, help) \
	X("limited_by_" name "_usec", "usec", COUNTER, limited_usec[SW_LIMITED_BY_##resource], \
	  help)

#define USE_FIELDS(X) \
	X("gpu_count", "count", GAUGE, gpu_count, \
	  "GPUs allocated to it on this node.") \
	X("gpu_seen_usec", "usec", COUNTER, gpu_seen_usec, \
	  "Time for which these were sampled, summed over them.") \
	X("gpu_busy_usec", "usec", COUNTER, gpu_busy_usec, \
	  "The part of it in which a kernel ran.") \
	X("gpu_memory_bytes", "bytes", PEAK, gpu_memory_bytes, \
	  "Memory in use on the fullest of them.") \
	X("stall_usec", "usec", COUNTER, stall_usec, \
	  "Time in which a thread waited for the file system that cost most.") \
	X("stall_idle_usec", "usec", COUNTER, stall_idle_usec, \
	  "The part of it in which no thread of the step ran.") \
	X("stall_intervals", "count", COUNTER, stall_intervals, \
	  "Intervals of such waits.") \
	X("stall_kind", "", TEXT, stall_kind, \
	  "What most of these waits were for: read, write, metadata.") \
	X("stall_fs", "", TEXT, stall_fs, \
	  "The kind of that file system: nfs, lustre, local.") \
	X("stall_mount", "", TEXT, stall_mount, \
	  "Where the node has it mounted; none that a user mounted.") \
	LIMITED(X, "cpu", CPU, "Time in which it ran, or its quota was used up.") \
	LIMITED(X, "io", IO, "Time lost to a file system or block device.") \
	LIMITED(X, "memory", MEMORY, "Time lost to short memory.") \
	LIMITED(X, "network", NETWORK, "Time lost to a link that it filled.") \
	LIMITED(X, "lock", LOCK, "Time lost to locks, or to turns at one.") \
	LIMITED(X, "gpu", GPU, "Time in which the busiest of its GPUs was busy.") \
	LIMITED(X, "node", NODE, "Time in which others had its CPUs.") \
	LIMITED(X, "waiting", WAITING, "Time lost to peers, pipes, children, sleep.") \
	X("disk_bytes_per_sec", "bytes/s", PEAK, disk_bytes_per_sec, \
	  "Read and written on block devices, at most, over half a second or " \
	  "more.") \
	X("net_bytes_per_sec", "bytes/s", PEAK, net_bytes_per_sec, \
	  "Received or sent over IP, whichever was more, likewise.") \
	X("failed_program", "", TEXT, failed_program, \
	  "The program by which the step failed, if that is certain.") \
	X("failed_cause", "", TEXT, failed_cause, \
	  "Why: missing_file, permission, no_space, quota, library, " \
	  "interpreter, program, memory, refused, io_error, crash.")

#define PROFILE_FIELDS(X) \
	JOB_FIELDS(X) \
	X("file", "", TEXT, file, "The name of the profile.") \
	X("digest", "", TEXT, digest, "XXH3-128 of the profile's bytes.") \
	X("bytes", "bytes", GAUGE, bytes, "The size of the profile.") \
	X("end_realtime_usec", "usec", STATE, end_usec, \
	  "When the profile was finished, CLOCK_REALTIME.")

#define AS_COLUMN(name, unit, kind, member, help) \
	{ name, unit, SW_KIND_##kind, help },
#define AS_STEP_OFFSET(name, unit, kind, member, help) \
	offsetof(struct sw_summary_step, member),
#define AS_PROFILE_OFFSET(name, unit, kind, member, help) \
	offsetof(struct sw_summary_profile, member),

static const struct sw_column step_columns[] = { STEP_FIELDS(AS_COLUMN) };
static const size_t step_offsets[] = { STEP_FIELDS(AS_STEP_OFFSET) };
static const struct sw_column profile_columns[] = {
	PROFILE_FIELDS(AS_COLUMN)
};
static const size_t profile_offsets[] = { PROFILE_FIELDS(AS_PROFILE_OFFSET) };

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
	if (message->kind == STEP)
		write_row(summaries->writer, &sw_step_summaries_table,
			  step_offsets, &message->step);
	else
		write_row(summaries->writer, &sw_profiles_table,
			  profile_offsets, &message->profile);
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
