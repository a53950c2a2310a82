/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the Slurm plugin and the node's recorder say to each other: one
 * message per connection to a SOCK_SEQPACKET socket, answered by one message
 * or not at all.  Both ends are on one machine, so numbers are in its byte
 * order; widths and offsets are fixed, and a version is for ever: a recorder
 * answers every version that was released.
 *
 * What is added stands at the end of struct sw_message_step, and is a new
 * version: 2 added what a step was given and what is said of its input, 3 the
 * job's time limit.
 * Messages that are a header alone are of version 1 for ever.
 *
 * Only root may connect.  Nothing in a message is believed that the kernel
 * can be asked: a pid counts only with its start time.  Strings are of
 * users: they end with a zero byte and may hold any other.
 */
#ifndef SW_RECORDER_PROTOCOL_H
#define SW_RECORDER_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/job_key.h"
#include "common/missing.h"

#define SW_SOCKET_PATH "/run/stepwell/recorder.sock"
/* Where this file is, the plugin does nothing and the recorder ends. */
#define SW_OFF_PATH "/etc/stepwell/off"
/*
 * Ends of tasks and steps that nobody listened for: messages one behind the
 * other, taken and removed by the next recorder.  The folder is the
 * recorder's: where there never was one, nothing is kept.
 */
#define SW_DROP_FOLDER "/run/stepwell"
#define SW_DROP_PATH SW_DROP_FOLDER "/drop"
#define SW_DROP_BYTES_MAX ((uint64_t)4 << 20)

#define SW_MESSAGE_MAGIC 0x4c4c5753u	/* "SWLL" */

/* Steps that are no number (slurm/slurm.h, the same since 20.11). */
#define SW_STEP_INTERACTIVE 0xfffffffau
#define SW_STEP_BATCH 0xfffffffbu
#define SW_STEP_EXTERN 0xfffffffcu

enum {
	SW_PROTOCOL_VERSION = 3,	/* of messages about a step */
	SW_HEADER_VERSION = 1,		/* of the others */
	SW_MESSAGE_TASKS_MAX = 1024,	/* tasks of one step on one node */
	SW_MESSAGE_NAME_SIZE = 64,
	SW_MESSAGE_CGROUP_SIZE = 512,
	SW_MESSAGE_SLUID_SIZE = 16,	/* SLUID_STR_BYTES of Slurm is 15 */
};

enum sw_message_type {
	SW_MESSAGE_STEP_START = 1,	/* all tasks are forked, none executes */
	SW_MESSAGE_TASK_END = 2,	/* a task was waited for */
	SW_MESSAGE_STEP_END = 3,	/* all of the step's processes are gone;
					 * may carry the job's stderr */
	SW_MESSAGE_PING = 4,
	SW_MESSAGE_ANSWER = 5,
};

/* --stepwell=, or what the administrator has set. */
enum sw_message_mode {
	SW_MODE_ON = 0,
	SW_MODE_OFF = 1,
	SW_MODE_QUIET = 2,	/* recorded, no report at the job's end */
	SW_MODE_REPORT = 3,	/* as ON, whatever plugstack.conf says */
};

enum sw_message_status {
	SW_ANSWER_OK = 0,	/* START: every pid verified, counters attached;
				 * END: the last sample is taken */
	SW_ANSWER_PARTLY = 1,	/* recorded, but not all that was asked for */
	SW_ANSWER_REFUSED = 2,	/* not recorded */
};

struct sw_message_header {
	uint32_t magic;
	uint16_t version;
	uint16_t type;
	uint32_t length;	/* of the whole message, in bytes */
	uint32_t status;	/* of an answer; else 0 */
};

/* What could not be read of what the user says; bits of notes below. */
enum {
	SW_NOTE_INPUT = 1,	/* STEPWELL_INPUT_BYTES */
};

/*
 * Also in notes, of the script of a heterogeneous job: its components, and the
 * nodes of all but the first, as the job's environment claims; 0: not known.
 */
enum {
	SW_NOTE_COMPONENTS_SHIFT = 8,
	SW_NOTE_COMPONENTS_MAX = 0xff,
	SW_NOTE_NODES_SHIFT = 16,
	SW_NOTE_NODES_MAX = 0xffff,
};

/* Which step this is: part of every message about one. */
struct sw_message_step {
	uint32_t job_id;	/* of the array element, the het component */
	uint32_t step_id;	/* Slurm's; batch and extern as it has them */
	uint32_t het_job_id;	/* of the leader; SW_NO_ID */
	uint32_t het_component;	/* SW_NO_ID */
	uint32_t array_job_id, array_task_id;	/* SW_NO_ID */
	uint32_t restart_count;	/* SW_NO_ID */
	uint32_t uid, gid;
	uint32_t node_count;	/* of the step */
	uint32_t node_index;	/* of this node in it */
	uint32_t task_count;	/* of the step, on all nodes */
	uint32_t node_task_count;
	uint32_t node_cpus;	/* the job's, on this node; SW_NO_ID */
	uint32_t cpus_per_task;	/* SW_NO_ID */
	uint32_t mode;		/* enum sw_message_mode */
	uint32_t period_msec;	/* asked for; 0: not */
	uint32_t stepd_pid;	/* slurmstepd */
	uint64_t stepd_start_ticks;	/* field 22 of /proc/PID/stat */
	uint64_t job_memory_mib, step_memory_mib;	/* SW_MISSING */
	/* Of older plugins, which took it from the job's environment: not
	 * used. */
	char cluster[SW_MESSAGE_NAME_SIZE];
	char job_name[SW_MESSAGE_NAME_SIZE];
	/* The cgroup v2 folder above the tasks' ones, from the root of the
	 * hierarchy: "/…/job_7/step_0/user"; where tasks are in none of these
	 * that of cgroup v1, "/slurm/uid_5/job_7/step_0", the same in each of
	 * its trees; "" where there is none. */
	char cgroup[SW_MESSAGE_CGROUP_SIZE];
	/* Since version 2; zero is "not known". */
	uint64_t input_bytes;	/* as the user says */
	uint32_t gpu_count;	/* given to it on this node, to the batch
				 * script all that the job has here */
	uint32_t notes;
	char gpus[SW_MESSAGE_NAME_SIZE];	/* "0,3": in the order of the
						 * PCI bus; "": unknown */
	/* Slurm's lasting name of the job (26.05), known when a task has
	 * ended; "": unknown. */
	char sluid[SW_MESSAGE_SLUID_SIZE];
	/* Since version 3: when the job began, and when its time limit ends
	 * it, in seconds since the Epoch; known when a task has ended, of
	 * releases that say it there; 0: unknown. */
	uint64_t job_start_seconds, job_limit_seconds;
};

enum sw_task_cgroup {
	SW_TASK_CGROUP_NONE = 0,	/* not below the step's folder */
	SW_TASK_CGROUP_SHARED = 1,	/* task_special, of v1 also the folder
					 * itself: with other tasks */
	SW_TASK_CGROUP_OWN = 2,		/* task_<cgroup_number> */
};

struct sw_message_task {
	uint32_t rank;		/* in the step, over all nodes */
	uint32_t local_rank;
	uint32_t pid;
	uint16_t cgroup_kind;	/* enum sw_task_cgroup */
	uint16_t has_ended;
	uint64_t start_ticks;
	uint32_t cgroup_number;
	uint32_t reserved;
};

/*
 * Kernel files as they were read when all was over; "" where not there.  Of
 * cgroup v1: memory.max_usage_in_bytes; memory.oom_control, of tasks alone, for
 * it does not count those below; cpuacct.usage and behind it cpuacct.stat.
 */
struct sw_message_final_values {
	uint64_t time_usec;	/* CLOCK_BOOTTIME */
	char memory_peak[32];
	char memory_events[232];
	char cpu_stat[496];
};

struct sw_message_step_start {
	struct sw_message_header header;
	struct sw_message_step step;
	uint32_t task_count;	/* that follow */
	uint32_t tasks_left_out;	/* beyond SW_MESSAGE_TASKS_MAX */
	struct sw_message_task tasks[SW_MESSAGE_TASKS_MAX];
};

struct sw_message_task_end {
	struct sw_message_header header;
	struct sw_message_step step;
	struct sw_message_task task;
	int32_t wait_status;
	uint32_t reserved;
	struct sw_message_final_values final_values;
};

struct sw_message_step_end {
	struct sw_message_header header;
	struct sw_message_step step;
	struct sw_message_final_values final_values;
};

union sw_message {
	struct sw_message_header header;
	struct sw_message_step_start start;
	struct sw_message_task_end task_end;
	struct sw_message_step_end step_end;
};

_Static_assert(sizeof(struct sw_message_header) == 16, "wire format");
_Static_assert(sizeof(struct sw_message_step) == 848, "wire format");
_Static_assert(sizeof(struct sw_message_task) == 32, "wire format");
_Static_assert(sizeof(struct sw_message_final_values) == 768, "wire format");

/* A number of Slurm's; SW_MISSING where it does not apply. */
static inline uint64_t sw_message_number(uint32_t number)
{
	return number == SW_NO_ID ? SW_MISSING : number;
}

/* The job that a message is about. */
struct sw_job_key sw_message_job(const struct sw_message_step *step);

/* Bytes of a STEP_START with so many tasks. */
size_t sw_message_start_length(uint32_t task_count);

/* Fill a header of the type's newest version. */
void sw_message_head(struct sw_message_header *header,
		     enum sw_message_type type, size_t length);

/*
 * Are these bytes a whole message of the newest version?  If so every count is
 * within its bounds and every string ends.
 */
bool sw_message_check(const void *bytes, size_t length);

/*
 * Likewise for one of any version that was released, which is turned into one
 * of the newest.  Returns its length as such; 0: it is no whole message.
 */
size_t sw_message_upgrade(union sw_message *message, size_t length);

/*
 * The value of --stepwell= or of the plugin's words: off, on, quiet, report,
 * or a period ("500ms", "2s", "0.5", "1m") in *period_msec.  False where it
 * is none of these.
 */
bool sw_mode_parse(const char *text, uint32_t *mode, uint32_t *period_msec);

/*
 * Where in the text of /proc/PID/cgroup the path is, up to the line's end, in
 * the v2 hierarchy ("0::PATH"), or in that of a controller of v1
 * ("N:CONTROLLERS:PATH"); NULL: the process is in none of these.
 */
const char *sw_cgroup_path(const char *text, const char *controller);

/*
 * The folder above a task's own cgroup and what that is, from the text of
 * /proc/PID/cgroup: true where the path in the v2 hierarchy has Slurm's shape,
 * "…/step_<s>/…/task_<n>" or "…/task_special".  Other shapes are of somebody
 * else's cgroup: a service's, or the whole node's.
 */
bool sw_task_cgroup_parse(const char *text, char *folder, size_t size,
			  uint16_t *kind, uint32_t *number);

/*
 * Likewise in the tree of a controller of cgroup v1, there "…/uid_<u>/job_<j>/
 * step_<s>" with or without "/task_<n>".  With controller NULL: in the first
 * of those that Slurm uses in which the task is.
 */
bool sw_task_cgroup_parse_v1(const char *text, const char *controller,
			     char *folder, size_t size, uint16_t *kind,
			     uint32_t *number);

#endif
