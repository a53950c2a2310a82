/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables "identity" and "steps": subject, place and settings. */
#include "recorder/tables/identity.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/clock.h"
#include "config.h"
#include "recorder/tables/tables.h"

enum identity_column {
	FORMAT_WRITER, CLUSTER, JOB_ID, STEP_ID, NODE, USER, UID, GID, NAME,
	PROGRAM, BOOT_ID, KERNEL, ANCHOR_BOOTTIME, ANCHOR_REALTIME, PERIOD,
	NODE_CPUS, NODE_MEMORY, PAGE, ORIGIN, ARRAY_JOB_ID, ARRAY_TASK_ID,
	HET_JOB_ID, HET_COMPONENT, RESTART_COUNT, NODE_COUNT, IDENTITY_COUNT
};

static const struct sw_column identity_columns[IDENTITY_COUNT] = {
	[FORMAT_WRITER] = { "format_writer", "", SW_KIND_TEXT,
			    "Program and version that wrote the profile." },
	[CLUSTER] = { "cluster", "", SW_KIND_TEXT,
		      "The scheduler's cluster; missing without a scheduler." },
	[JOB_ID] = { "job_id", "", SW_KIND_STATE, "The scheduler's job." },
	[STEP_ID] = { "step_id", "", SW_KIND_TEXT,
		      "The ID of one command's recording; missing for a "
		      "scheduler's job." },
	[NODE] = { "node", "", SW_KIND_TEXT, "The machine's host name." },
	[USER] = { "user", "", SW_KIND_TEXT,
		   "The user's name, only if known without asking a name "
		   "service." },
	[UID] = { "uid", "", SW_KIND_STATE, "The user." },
	[GID] = { "gid", "", SW_KIND_STATE, "The group." },
	[NAME] = { "name", "", SW_KIND_TEXT, "The name of the recording." },
	[PROGRAM] = { "program", "", SW_KIND_TEXT,
		      "The command's program, without its folder." },
	[BOOT_ID] = { "boot_id", "", SW_KIND_TEXT, "The boot ID of the node." },
	[KERNEL] = { "kernel", "", SW_KIND_TEXT, "The kernel release." },
	[ANCHOR_BOOTTIME] = { "anchor_boottime_usec", "usec", SW_KIND_TIME,
			      "CLOCK_BOOTTIME at the anchor." },
	[ANCHOR_REALTIME] = { "anchor_realtime_usec", "usec", SW_KIND_STATE,
			      "CLOCK_REALTIME at the anchor." },
	[PERIOD] = { "period_usec", "usec", SW_KIND_GAUGE,
		     "The time between samples after the first seconds." },
	[NODE_CPUS] = { "node_cpus", "count", SW_KIND_GAUGE,
			"CPUs online." },
	[NODE_MEMORY] = { "node_memory_bytes", "bytes", SW_KIND_GAUGE,
			  "MemTotal of /proc/meminfo." },
	[PAGE] = { "page_bytes", "bytes", SW_KIND_GAUGE,
		   "The kernel's page size." },
	[ORIGIN] = { "origin", "", SW_KIND_TEXT, "run, slurm or lsf." },
	[ARRAY_JOB_ID] = { "array_job_id", "", SW_KIND_STATE,
			   "The job array that it is an element of." },
	[ARRAY_TASK_ID] = { "array_task_id", "", SW_KIND_STATE,
			    "The index in the array." },
	[HET_JOB_ID] = { "het_job_id", "", SW_KIND_STATE,
			 "The leader of the heterogeneous job." },
	[HET_COMPONENT] = { "het_component", "", SW_KIND_STATE,
			    "The component of the heterogeneous job." },
	[RESTART_COUNT] = { "restart_count", "", SW_KIND_STATE,
			    "How often the job was requeued before." },
	[NODE_COUNT] = { "node_count", "count", SW_KIND_GAUGE,
			 "Nodes of the job's first step seen here." },
};

const struct sw_table sw_identity_table = {
	.name = "identity", .scope = SW_SCOPE_JOB, .source = "recorder",
	.columns = identity_columns, .column_count = IDENTITY_COUNT,
};

enum steps_column {
	STEP,
	START,
	ROOT_PID,
	BACKEND,
	BACKEND_REASON,
	REQUESTED_CPUS,
	REQUESTED_MEMORY,
	REQUESTED_TIME,
	AVAILABLE_CPUS,
	AVAILABLE_MEMORY,
	PROGRAMS_SOURCE,
	PROGRAMS_REASON,
	FAILURES_SOURCE,
	FAILURES_REASON,
	SLURM_STEP_ID,
	TASK_COUNT,
	NODE_TASK_COUNT,
	JOB_TASK_COUNT,
	STEP_NODE_COUNT,
	NODE_INDEX,
	IS_ARMED,
	INPUT,
	INPUT_REASON,
	GPU_COUNT,
	GPU_LIST,
	LIMITS_NOTE,
	STEPS_COUNT
};

static const struct sw_column steps_columns[STEPS_COUNT] = {
	[STEP] = { "step", "", SW_KIND_KEY, "The step." },
	[START] = { "start_usec", "usec", SW_KIND_TIME,
		    "When its first process was started." },
	[ROOT_PID] = { "root_pid", "", SW_KIND_STATE, "Its first process." },
	[BACKEND] = { "backend", "", SW_KIND_TEXT,
		      "cgroup.v2, cgroup.v1, cgroup.v2.base (without the "
		      "memory controller) or process.tree." },
	[BACKEND_REASON] = { "backend_reason", "", SW_KIND_TEXT,
			     "Why no better backend was available." },
	[REQUESTED_CPUS] = { "requested_cpus_milli", "cpu/1000", SW_KIND_GAUGE,
			     "Declared with --cpus." },
	[REQUESTED_MEMORY] = { "requested_memory_bytes", "bytes", SW_KIND_GAUGE,
			       "Declared with --mem." },
	[REQUESTED_TIME] = { "requested_time_usec", "usec", SW_KIND_GAUGE,
			     "Declared with --time." },
	[AVAILABLE_CPUS] = { "available_cpus_milli", "cpu/1000", SW_KIND_GAUGE,
			     "CPUs that affinity mask and cpu.max leave." },
	[AVAILABLE_MEMORY] = { "available_memory_bytes", "bytes", SW_KIND_GAUGE,
			       "Memory that MemTotal and memory.max leave." },
	[PROGRAMS_SOURCE] = { "programs_source", "", SW_KIND_TEXT,
			      "bpf, perf, proc or none." },
	[PROGRAMS_REASON] = { "programs_reason", "", SW_KIND_TEXT,
			      "Why no better backend for programs was "
			      "available, nor exit events." },
	[FAILURES_SOURCE] = { "failures_source", "", SW_KIND_TEXT,
			      "Which failed calls of programs were seen: "
			      "functions (all), connections or none." },
	[FAILURES_REASON] = { "failures_reason", "", SW_KIND_TEXT,
			      "Why BPF did not see all of them." },
	[SLURM_STEP_ID] = { "step_id", "", SW_KIND_TEXT,
			    "run, or the scheduler's name of the step." },
	[TASK_COUNT] = { "task_count", "count", SW_KIND_GAUGE,
			 "Tasks on all nodes." },
	[NODE_TASK_COUNT] = { "node_task_count", "count", SW_KIND_GAUGE,
			      "Tasks on this node." },
	[JOB_TASK_COUNT] = { "job_task_count", "count", SW_KIND_GAUGE,
			     "Tasks that the job requested; only of its "
			     "batch script." },
	[STEP_NODE_COUNT] = { "node_count", "count", SW_KIND_GAUGE,
			      "Nodes of the step." },
	[NODE_INDEX] = { "node_index", "", SW_KIND_STATE,
			 "The index of this node among them, from 0." },
	[IS_ARMED] = { "is_armed", "", SW_KIND_STATE,
		       "1: it was observed before it executed anything." },
	[INPUT] = { "input_bytes", "bytes", SW_KIND_GAUGE,
		    "Size of its input (STEPWELL_INPUT_BYTES)." },
	[INPUT_REASON] = { "input_reason", "", SW_KIND_TEXT,
			   "Why STEPWELL_INPUT_BYTES was not used." },
	[GPU_COUNT] = { "gpu_count", "count", SW_KIND_GAUGE,
			"GPUs allocated to it on this node." },
	[GPU_LIST] = { "gpu_list", "", SW_KIND_TEXT,
		       "Which GPUs, in PCI bus order." },
	[LIMITS_NOTE] = { "limits_note", "", SW_KIND_TEXT,
			  "What was assumed of an LSF job's request and "
			  "limit." },
};

const struct sw_table sw_steps_table = {
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

void sw_identity_plain(char *out, size_t size, const char *text,
		       bool has_dots)
{
	size_t i;

	for (i = 0; text[i] && i + 1 < size; i++) {
		char c = text[i];
		bool is_plain = (c >= 'a' && c <= 'z') ||
				(c >= 'A' && c <= 'Z') ||
				(c >= '0' && c <= '9') || c == '-' ||
				(has_dots && c == '.');

		out[i] = is_plain ? c : '_';
	}
	out[i] = '\0';
}

const char *sw_identity_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Truncate a text that is too long for a profile. */
static const char *cut(char *buf, size_t size, const char *text)
{
	size_t length = strnlen(text, size - 1);

	memcpy(buf, text, length);
	buf[length] = '\0';
	return buf;
}

static const char *cut_or_none(char *buf, size_t size, const char *text)
{
	return text && *text ? cut(buf, size, text) : NULL;
}

int sw_identity_write(const struct sw_identity *identity,
		      struct sw_writer *writer, struct sw_error *error)
{
	char boot_id[64], name[SW_TEXT_SIZE_MAX], program[SW_TEXT_SIZE_MAX];
	char cluster[SW_TEXT_SIZE_MAX];
	struct utsname host = { .release = "" };
	int table = sw_writer_table(writer, &sw_identity_table, error);
	bool is_run = !strcmp(identity->origin, "run");

	if (table < 0)
		return -1;
	uname(&host);
	read_boot_id(identity->proc_fd, boot_id, sizeof(boot_id));
	union sw_value values[IDENTITY_COUNT] = {
		[FORMAT_WRITER].text = PACKAGE_NAME " " PACKAGE_VERSION,
		[CLUSTER].text = cut_or_none(cluster, sizeof(cluster),
					     identity->cluster),
		[JOB_ID].number = identity->job.job_id,
		[STEP_ID].text = is_run ? "run" : NULL,
		[NODE].text = host.nodename,
		[UID].number = identity->job.uid,
		[GID].number = identity->gid,
		[NAME].text = cut_or_none(name, sizeof(name), identity->name),
		[PROGRAM].text = cut_or_none(program, sizeof(program),
					     identity->program),
		[BOOT_ID].text = boot_id,
		[KERNEL].text = host.release,
		[ANCHOR_BOOTTIME].number = sw_clock_boottime_usec(),
		[ANCHOR_REALTIME].number = sw_clock_realtime_usec(),
		[PERIOD].number = identity->period_usec,
		[NODE_CPUS].number = identity->node_cpus,
		[NODE_MEMORY].number = identity->node_memory_bytes,
		[PAGE].number = (uint64_t)sysconf(_SC_PAGESIZE),
		[ORIGIN].text = identity->origin,
		[ARRAY_JOB_ID].number = identity->job.array_job_id,
		[ARRAY_TASK_ID].number = identity->job.array_task_id,
		[HET_JOB_ID].number = identity->job.het_job_id,
		[HET_COMPONENT].number = identity->job.het_component,
		[RESTART_COUNT].number = identity->job.restart_count,
		[NODE_COUNT].number = identity->node_count,
	};
	sw_writer_row(writer, table, values, identity->start_usec);
	return 0;
}

static const char *or_none(const char *text)
{
	return text && *text ? text : NULL;
}

int sw_step_start_write(const struct sw_step_start *start,
			struct sw_writer *writer, struct sw_error *error)
{
	int table = sw_writer_table(writer, &sw_steps_table, error);
	union sw_value values[STEPS_COUNT] = {
		[STEP].number = start->step,
		[START].number = start->start_usec,
		[ROOT_PID].number = start->root_pid,
		[BACKEND].text = start->backend,
		[BACKEND_REASON].text = or_none(start->backend_reason),
		[REQUESTED_CPUS].number = start->requested_cpus_milli,
		[REQUESTED_MEMORY].number = start->requested_memory_bytes,
		[REQUESTED_TIME].number = start->requested_time_usec,
		[AVAILABLE_CPUS].number = start->available_cpus_milli,
		[AVAILABLE_MEMORY].number = start->available_memory_bytes,
		[PROGRAMS_SOURCE].text = start->programs_source,
		[FAILURES_SOURCE].text = start->failures_source,
		[FAILURES_REASON].text = start->failures_reason,
		[PROGRAMS_REASON].text = or_none(start->programs_reason),
		[SLURM_STEP_ID].text = start->step_id,
		[TASK_COUNT].number = start->task_count,
		[NODE_TASK_COUNT].number = start->node_task_count,
		[JOB_TASK_COUNT].number = start->job_task_count,
		[STEP_NODE_COUNT].number = start->node_count,
		[NODE_INDEX].number = start->node_index,
		[IS_ARMED].number = start->is_armed,
		[INPUT].number = start->input_bytes,
		[INPUT_REASON].text = start->input_reason,
		[GPU_COUNT].number = start->gpu_count,
		[GPU_LIST].text = or_none(start->gpu_list),
		[LIMITS_NOTE].text = or_none(start->limits_note),
	};

	if (table < 0)
		return -1;
	sw_writer_row(writer, table, values, start->start_usec);
	return 0;
}
