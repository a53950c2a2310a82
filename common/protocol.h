/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Protocol between the Slurm plugin and the node's recorder: one message per
 * connection to a SOCK_SEQPACKET socket, answered by one message or not at all.
 * Both ends are on one machine, so numbers are in native byte order.  Widths
 * and offsets are fixed and a version is permanent: a recorder answers every
 * version that was released.
 *
 * Additions go to the end of struct sw_message_step and make a new version: 2
 * added a step's resources and the user's statements about its input, 3 the
 * job's time limit.  Messages that are only a header stay at version 1.
 *
 * Only root may connect.  Nothing in a message is trusted that the kernel can
 * confirm: a pid counts only with its start time.  Strings come from users:
 * they end with a zero byte and may contain any other.
 */
#ifndef SW_RECORDER_PROTOCOL_H
#define SW_RECORDER_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/job_key.h"
#include "common/missing.h"

#define SW_SOCKET_PATH "/run/stepwell/recorder.sock"
/* If this file exists the plugin does nothing and the recorder exits. */
#define SW_OFF_PATH "/etc/stepwell/off"
/*
 * Ends of tasks and steps sent while no recorder was listening: consecutive
 * messages, read and removed by the next recorder.  The recorder creates the
 * folder: without it nothing is kept.
 */
#define SW_DROP_FOLDER "/run/stepwell"
#define SW_DROP_PATH SW_DROP_FOLDER "/drop"
#define SW_DROP_BYTES_MAX ((uint64_t)4 << 20)

#define SW_MESSAGE_MAGIC 0x4c4c5753u	/* "SWLL" */

/* Special step ids (slurm/slurm.h, the same since 20.11). */
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
	SW_MESSAGE_STEP_START = 1,	/* all tasks forked, none executed */
	SW_MESSAGE_TASK_END = 2,	/* a task was waited for */
	SW_MESSAGE_STEP_END = 3,	/* all processes of the step have
					 * exited; may carry the job's stderr */
	SW_MESSAGE_PING = 4,
	SW_MESSAGE_ANSWER = 5,
};

/* --stepwell=, or the administrator's setting. */
enum sw_message_mode {
	SW_MODE_ON = 0,
	SW_MODE_OFF = 1,
	SW_MODE_QUIET = 2,	/* record, but no report at the job's end */
	SW_MODE_REPORT = 3,	/* as ON, overrides plugstack.conf */
};

enum sw_message_status {
	SW_ANSWER_OK = 0,	/* START: every pid verified, counters
				 * attached; END: the last sample is taken */
	SW_ANSWER_PARTLY = 1,	/* recorded, but not everything requested */
	SW_ANSWER_REFUSED = 2,	/* not recorded */
};

struct sw_message_header {
	uint32_t magic;
	uint16_t version;
	uint16_t type;
	uint32_t length;	/* of the whole message, in bytes */
	uint32_t status;	/* of an answer; otherwise 0 */
};

/* User input that could not be parsed; bits of notes below. */
enum {
	SW_NOTE_INPUT = 1,	/* STEPWELL_INPUT_BYTES */
};

/*
 * Also in notes, for the script of a heterogeneous job: its components, and the
 * nodes of all but the first, as claimed by the job's environment; 0: not
 * known.
 */
enum {
	SW_NOTE_COMPONENTS_SHIFT = 8,
	SW_NOTE_COMPONENTS_MAX = 0xff,
	SW_NOTE_NODES_SHIFT = 16,
	SW_NOTE_NODES_MAX = 0xffff,
};

/* Identity of a step: part of every message about one. */
struct sw_message_step {
	uint32_t job_id;	/* of the array element or het component */
	uint32_t step_id;	/* Slurm's, including batch and extern */
	uint32_t het_job_id;	/* of the leader; SW_NO_ID */
	uint32_t het_component;	/* SW_NO_ID */
	uint32_t array_job_id, array_task_id;	/* SW_NO_ID */
	uint32_t restart_count;	/* SW_NO_ID */
	uint32_t uid, gid;
	uint32_t node_count;	/* of the step */
	uint32_t node_index;	/* index of this node in the step */
	uint32_t task_count;	/* of the step, on all nodes */
	uint32_t node_task_count;
	uint32_t node_cpus;	/* of the job on this node; SW_NO_ID */
	uint32_t cpus_per_task;	/* SW_NO_ID */
	uint32_t mode;		/* enum sw_message_mode */
	uint32_t period_msec;	/* requested; 0: not */
	uint32_t stepd_pid;	/* slurmstepd */
	uint64_t stepd_start_ticks;	/* field 22 of /proc/PID/stat */
	uint64_t job_memory_mib, step_memory_mib;	/* SW_MISSING */
	/* Unused: older plugins took it from the job's environment. */
	char cluster[SW_MESSAGE_NAME_SIZE];
	char job_name[SW_MESSAGE_NAME_SIZE];
	/*
	 * The cgroup v2 folder above those of the tasks, from the root of the
	 * hierarchy: "/…/job_7/step_0/user".  If the tasks are in none, that of
	 * cgroup v1, "/slurm/uid_5/job_7/step_0", the same in each hierarchy;
	 * "" if there is neither.
	 */
	char cgroup[SW_MESSAGE_CGROUP_SIZE];
	/* Since version 2; zero is "not known". */
	uint64_t input_bytes;	/* stated by the user */
	uint32_t gpu_count;	/* of the step on this node; for the batch
				 * script all of the job's here */
	uint32_t notes;
	char gpus[SW_MESSAGE_NAME_SIZE];	/* "0,3": in PCI bus order;
						 * "": unknown */
	/*
	 * Slurm's permanent id of the job (26.05), known after the end of a
	 * task; "": unknown.
	 */
	char sluid[SW_MESSAGE_SLUID_SIZE];
	/*
	 * Since version 3: start of the job and the end set by its time limit,
	 * in seconds since the Epoch; known after the end of a task, with
	 * releases that provide it there; 0: unknown.
	 */
	uint64_t job_start_seconds, job_limit_seconds;
};

enum sw_task_cgroup {
	SW_TASK_CGROUP_NONE = 0,	/* not below the step's folder */
	SW_TASK_CGROUP_SHARED = 1,	/* task_special, with v1 also the
					 * folder itself: with other tasks */
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
 * Contents of kernel files at the end; "" if absent.  For cgroup v1:
 * memory.max_usage_in_bytes; memory.oom_control, for tasks only, since it
 * excludes the cgroups below; cpuacct.usage followed by cpuacct.stat.
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
	uint32_t task_count;	/* number that follows */
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

/* Convert a number of Slurm's; SW_MISSING if it does not apply. */
static inline uint64_t sw_message_number(uint32_t number)
{
	return number == SW_NO_ID ? SW_MISSING : number;
}

/* Return the job that a message is about. */
struct sw_job_key sw_message_job(const struct sw_message_step *step);

/* Return the size of a STEP_START with this many tasks. */
size_t sw_message_start_length(uint32_t task_count);

/* Fill in a header of the type's newest version. */
void sw_message_head(struct sw_message_header *header,
		     enum sw_message_type type, size_t length);

/*
 * Are these bytes a complete message of the newest version?  If so every count
 * is within its bounds and every string is terminated.
 */
bool sw_message_check(const void *bytes, size_t length);

/*
 * Likewise for any released version; converts the message to the newest one.
 * Returns its new length; 0: not a complete message.
 */
size_t sw_message_upgrade(union sw_message *message, size_t length);

/*
 * Parse the value of --stepwell= or of the plugin's arguments: off, on, quiet,
 * report, or a period ("500ms", "2s", "0.5", "1m") in *period_msec.  Returns
 * false for anything else.
 */
bool sw_mode_parse(const char *text, uint32_t *mode, uint32_t *period_msec);

/*
 * Find the path in the text of /proc/PID/cgroup, up to the end of the line, in
 * the v2 hierarchy ("0::PATH"), or in that of a controller of v1
 * ("N:CONTROLLERS:PATH").  NULL: the process is in neither.
 */
const char *sw_cgroup_path(const char *text, const char *controller);

/*
 * Is the controller in a list with commas, up to a colon or the end of the
 * line?
 */
bool sw_cgroup_has_controller(const char *list, const char *controller);

/*
 * Find the folder above a task's own cgroup, and its kind, in the text of
 * /proc/PID/cgroup.  Returns true if the path in the v2 hierarchy has Slurm's
 * form, "…/step_<s>/…/task_<n>" or "…/task_special".  Other forms belong to
 * other cgroups: a service's, or the whole node's.
 */
bool sw_task_cgroup_parse(const char *text, char *folder, size_t size,
			  uint16_t *kind, uint32_t *number);

/*
 * Likewise in the hierarchy of a controller of cgroup v1, where the form is
 * "…/uid_<u>/job_<j>/step_<s>" with or without "/task_<n>".  With controller
 * NULL: in the first hierarchy used by Slurm that contains the task.
 */
bool sw_task_cgroup_parse_v1(const char *text, const char *controller,
			     char *folder, size_t size, uint16_t *kind,
			     uint32_t *number);

#endif
