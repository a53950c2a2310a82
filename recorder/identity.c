/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables "identity" and "steps": who is recorded, where, and how. */
#include "recorder/identity.h"

#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/clock.h"
#include "config.h"

enum identity_column {
	FORMAT_WRITER, CLUSTER, JOB_ID, STEP_ID, NODE, USER, UID, GID, NAME,
	PROGRAM, BOOT_ID, KERNEL, ANCHOR_BOOTTIME, ANCHOR_REALTIME, PERIOD,
	NODE_CPUS, NODE_MEMORY, IDENTITY_COUNT
};

static const struct sw_column identity_columns[IDENTITY_COUNT] = {
	[FORMAT_WRITER] = { "format_writer", "", SW_KIND_TEXT,
			    "Program and version that wrote the profile." },
	[CLUSTER] = { "cluster", "", SW_KIND_TEXT,
		      "The scheduler's cluster; none without a scheduler." },
	[JOB_ID] = { "job_id", "", SW_KIND_STATE, "The scheduler's job." },
	[STEP_ID] = { "step_id", "", SW_KIND_TEXT, "run: one command." },
	[NODE] = { "node", "", SW_KIND_TEXT, "The machine's host name." },
	[USER] = { "user", "", SW_KIND_TEXT,
		   "The user's name; the recorder asks no name service." },
	[UID] = { "uid", "", SW_KIND_STATE, "The user." },
	[GID] = { "gid", "", SW_KIND_STATE, "The group." },
	[NAME] = { "name", "", SW_KIND_TEXT, "What the recording is called." },
	[PROGRAM] = { "program", "", SW_KIND_TEXT,
		      "The command's program, without its folder." },
	[BOOT_ID] = { "boot_id", "", SW_KIND_TEXT, "Which boot of the node." },
	[KERNEL] = { "kernel", "", SW_KIND_TEXT, "The kernel's release." },
	[ANCHOR_BOOTTIME] = { "anchor_boottime_usec", "usec", SW_KIND_TIME,
			      "CLOCK_BOOTTIME at the anchor." },
	[ANCHOR_REALTIME] = { "anchor_realtime_usec", "usec", SW_KIND_STATE,
			      "CLOCK_REALTIME at the anchor." },
	[PERIOD] = { "period_usec", "usec", SW_KIND_GAUGE,
		     "The time between samples after the first seconds." },
	[NODE_CPUS] = { "node_cpus", "count", SW_KIND_GAUGE,
			"CPUs that are online." },
	[NODE_MEMORY] = { "node_memory_bytes", "bytes", SW_KIND_GAUGE,
			  "MemTotal of /proc/meminfo." },
};

static const struct sw_table identity_table = {
	.name = "identity", .scope = SW_SCOPE_JOB, .source = "recorder",
	.columns = identity_columns, .column_count = IDENTITY_COUNT,
};

enum steps_column {
	STEP, START, ROOT_PID, LADDER, LADDER_REASON, REQUESTED_CPUS,
	REQUESTED_MEMORY, REQUESTED_TIME, AVAILABLE_CPUS, AVAILABLE_MEMORY,
	TOOLS_SOURCE, TOOLS_REASON, STEPS_COUNT
};

static const struct sw_column steps_columns[STEPS_COUNT] = {
	[STEP] = { "step", "", SW_KIND_KEY, "The step." },
	[START] = { "start_usec", "usec", SW_KIND_TIME,
		    "When its first process was let go." },
	[ROOT_PID] = { "root_pid", "", SW_KIND_STATE, "Its first process." },
	[LADDER] = { "ladder", "", SW_KIND_TEXT,
		     "cgroup.v2, cgroup.v2.base (without the memory "
		     "controller) or process.tree." },
	[LADDER_REASON] = { "ladder_reason", "", SW_KIND_TEXT,
			    "Why no higher rung was reached." },
	[REQUESTED_CPUS] = { "requested_cpus_milli", "cpu/1000",
			     SW_KIND_GAUGE, "Declared with --cpus." },
	[REQUESTED_MEMORY] = { "requested_memory_bytes", "bytes",
			       SW_KIND_GAUGE, "Declared with --mem." },
	[REQUESTED_TIME] = { "requested_time_usec", "usec", SW_KIND_GAUGE,
			     "Declared with --time." },
	[AVAILABLE_CPUS] = { "available_cpus_milli", "cpu/1000",
			     SW_KIND_GAUGE,
			     "What affinity mask and cpu.max leave." },
	[AVAILABLE_MEMORY] = { "available_memory_bytes", "bytes",
			       SW_KIND_GAUGE,
			       "What MemTotal and memory.max leave." },
	[TOOLS_SOURCE] = { "tools_source", "", SW_KIND_TEXT,
			   "bpf, perf, proc or none." },
	[TOOLS_REASON] = { "tools_reason", "", SW_KIND_TEXT,
			   "Why no better source of programs was used." },
};

static const struct sw_table steps_table = {
	.name = "steps", .scope = SW_SCOPE_STEP, .source = "recorder",
	.columns = steps_columns, .column_count = STEPS_COUNT,
};

static void read_boot_id(int proc_fd, char *text, size_t size)
{
	int fd = openat(proc_fd, "sys/kernel/random/boot_id",
			O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[length > 0 ? length : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

const char *sw_identity_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Text that is longer than a profile takes is cut. */
static const char *cut(char *buf, size_t size, const char *text)
{
	size_t length = strnlen(text, size - 1);

	memcpy(buf, text, length);
	buf[length] = '\0';
	return buf;
}

static int write_identity(const struct sw_identity *identity,
			  struct sw_writer *writer, struct sw_error *error)
{
	const char *program = identity->options->command[0];
	const char *name = identity->options->name;
	char boot_id[64], short_name[SW_TEXT_SIZE_MAX];
	char short_program[SW_TEXT_SIZE_MAX];
	struct utsname host = { .release = "" };
	int table = sw_writer_table(writer, &identity_table, error);

	if (table < 0)
		return -1;
	uname(&host);
	read_boot_id(identity->proc_fd, boot_id, sizeof(boot_id));
	program = sw_identity_basename(program);
	union sw_value values[IDENTITY_COUNT] = {
		[FORMAT_WRITER].text = PACKAGE_NAME " " PACKAGE_VERSION,
		[JOB_ID].number = SW_MISSING,
		[STEP_ID].text = "run",
		[NODE].text = host.nodename,
		[UID].number = getuid(),
		[GID].number = getgid(),
		[NAME].text = cut(short_name, sizeof(short_name),
				  name ? name : program),
		[PROGRAM].text = cut(short_program, sizeof(short_program),
				     program),
		[BOOT_ID].text = boot_id,
		[KERNEL].text = host.release,
		[ANCHOR_BOOTTIME].number = sw_clock_boottime_usec(),
		[ANCHOR_REALTIME].number = sw_clock_realtime_usec(),
		[PERIOD].number = identity->period_usec,
		[NODE_CPUS].number = identity->limits->node_cpus,
		[NODE_MEMORY].number = identity->limits->node_memory_bytes,
	};
	sw_writer_row(writer, table, values, identity->start_usec);
	return 0;
}

static const char *or_none(const char *text)
{
	return text && *text ? text : NULL;
}

int sw_identity_write(const struct sw_identity *identity,
		      struct sw_writer *writer, struct sw_error *error)
{
	const struct sw_options *options = identity->options;
	const struct sw_limits *limits = identity->limits;
	int table;

	if (write_identity(identity, writer, error) < 0)
		return -1;
	table = sw_writer_table(writer, &steps_table, error);
	if (table < 0)
		return -1;
	union sw_value values[STEPS_COUNT] = {
		[START].number = identity->start_usec,
		[ROOT_PID].number = (uint64_t)identity->root_pid,
		[LADDER].text = identity->cgroup->ladder,
		[LADDER_REASON].text = or_none(identity->cgroup->reason.text),
		[REQUESTED_CPUS].number = options->cpus_milli,
		[REQUESTED_MEMORY].number = options->memory_bytes,
		[REQUESTED_TIME].number = options->time_usec,
		[AVAILABLE_CPUS].number = limits->cpus_milli,
		[AVAILABLE_MEMORY].number = limits->memory_bytes,
		[TOOLS_SOURCE].text = identity->tools_source,
		[TOOLS_REASON].text = or_none(identity->tools_reason),
	};
	sw_writer_row(writer, table, values, identity->start_usec);
	return 0;
}
