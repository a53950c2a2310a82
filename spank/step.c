/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record of a step, filled from the arguments of SPANK's hooks. */
#include "spank/step.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "common/step_cgroup.h"
#include "common/units.h"
#include "spank/file.h"

/* MAX_HET_JOB_COMPS of Slurm */
#define COMPONENTS_MAX 128
/* Added by slurmctld to the start of a job that has no limit. */
#define UNLIMITED_SECONDS ((uint64_t)365 * 86400)

struct sw_spank_step sw_spank_step;

/* Return a 32-bit item, or SW_NO_ID if this release or hook has none. */
static uint32_t get_u32(spank_t spank, spank_item_t item)
{
	uint32_t value = SW_NO_ID;

	return spank_get_item(spank, item, &value) == ESPANK_SUCCESS ?
		       value : SW_NO_ID;
}

static uint64_t get_u64(spank_t spank, spank_item_t item)
{
	uint64_t value = SW_MISSING;

	return spank_get_item(spank, item, &value) == ESPANK_SUCCESS ?
		       value : SW_MISSING;
}

/* Read the job's environment; "" and SW_NO_ID if the variable is not set. */
static void get_env(spank_t spank, const char *name, char *text, size_t size)
{
	if (spank_getenv(spank, name, text, (int)size) != ESPANK_SUCCESS)
		text[0] = '\0';
	text[size - 1] = '\0';
}

/* As get_env(), but truncate a long value and append "...". */
static void get_name(spank_t spank, const char *name, char *text, size_t size)
{
	static const char more[] = "...";
	char whole[4096];
	size_t length;

	get_env(spank, name, whole, sizeof(whole));
	length = strlen(whole);
	if (length < size) {
		memcpy(text, whole, length + 1);
		return;
	}
	length = size - sizeof(more);
	/* Do not split a UTF-8 character. */
	while (length > 0 && ((unsigned char)whole[length] & 0xc0) == 0x80)
		length--;
	memcpy(text, whole, length);
	memcpy(text + length, more, sizeof(more));
}

/* Return a number of at most digits_max digits, or SW_MISSING. */
static uint64_t get_env_number(spank_t spank, const char *name,
			       size_t digits_max)
{
	char text[16];
	uint64_t value = 0;
	size_t i;

	get_env(spank, name, text, sizeof(text));
	for (i = 0; text[i]; i++) {
		if (text[i] < '0' || text[i] > '9')
			return SW_MISSING;
		value = value * 10 + (uint64_t)(text[i] - '0');
	}
	return i == 0 || i > digits_max ? SW_MISSING : value;
}

static uint32_t get_env_u32(spank_t spank, const char *name)
{
	uint64_t value = get_env_number(spank, name, 9);

	return value == SW_MISSING ? SW_NO_ID : (uint32_t)value;
}

static void identify_array(struct sw_message_step *to, spank_t spank)
{
	uint32_t job = get_u32(spank, S_JOB_ARRAY_ID);

	to->array_job_id = to->array_task_id = SW_NO_ID;
	/* Steps of a job without an array return its own id, or 0. */
	if (job == SW_NO_ID || job == 0)
		return;
	to->array_task_id = get_u32(spank, S_JOB_ARRAY_TASK_ID);
	if (to->array_task_id == SW_NO_ID || to->array_task_id >= UINT32_MAX - 1)
		to->array_task_id = SW_NO_ID;
	else
		to->array_job_id = job;
}

/*
 * Each component of a heterogeneous job is a job of its own; only the
 * environment lists them.  A job submitted from inside another one may have
 * inherited the list of that one, which does not include it.
 */
static void identify_component(struct sw_message_step *to, spank_t spank)
{
	uint32_t i, job = SW_NO_ID, leader = SW_NO_ID;
	char name[40];

	to->het_job_id = to->het_component = SW_NO_ID;
	for (i = 0; i < COMPONENTS_MAX && job != to->job_id; i++) {
		snprintf(name, sizeof(name),
			 "SLURM_JOB_ID_HET_GROUP_%" PRIu32, i);
		job = get_env_u32(spank, name);
		if (job == SW_NO_ID)
			return;
		if (i == 0)
			leader = job;
	}
	/* Slurm assigns consecutive ids; the environment is the user's. */
	if (job != to->job_id || job != leader + (i - 1))
		return;
	to->het_job_id = leader;
	to->het_component = i - 1;
}

/*
 * Count the components, and the nodes of the others: the report at the end of a
 * script waits for their profiles.
 */
static void identify_components(struct sw_message_step *to, spank_t spank)
{
	uint32_t i, count, nodes = 0;
	char name[48];

	if (to->het_component != 0)
		return;
	for (i = 1; i < COMPONENTS_MAX; i++) {
		snprintf(name, sizeof(name), "SLURM_JOB_ID_HET_GROUP_%" PRIu32,
			 i);
		if (get_env_u32(spank, name) != to->het_job_id + i)
			break;
		snprintf(name, sizeof(name),
			 "SLURM_JOB_NUM_NODES_HET_GROUP_%" PRIu32, i);
		count = get_env_u32(spank, name);
		nodes += count > SW_NOTE_NODES_MAX ? 1 : count;
	}
	if (nodes > SW_NOTE_NODES_MAX)
		return;
	to->notes |=
		i << SW_NOTE_COMPONENTS_SHIFT | nodes << SW_NOTE_NODES_SHIFT;
}

static void identify_size(struct sw_message_step *to, spank_t spank)
{
	uint16_t cpus = 0;

	to->node_count = get_u32(spank, S_JOB_NNODES);
	/* The step of the batch script has none. */
	if (to->node_count == 0)
		to->node_count = get_env_u32(spank, "SLURM_JOB_NUM_NODES");
	to->node_index = get_u32(spank, S_JOB_NODEID);
	to->task_count = get_u32(spank, S_JOB_TOTAL_TASK_COUNT);
	to->node_task_count = get_u32(spank, S_JOB_LOCAL_TASK_COUNT);
	to->cpus_per_task = get_u32(spank, S_STEP_CPUS_PER_TASK);
	to->node_cpus = SW_NO_ID;
	if (spank_get_item(spank, S_JOB_NCPUS, &cpus) == ESPANK_SUCCESS)
		to->node_cpus = cpus;
	to->job_memory_mib = get_u64(spank, S_JOB_ALLOC_MEM);
	to->step_memory_mib = get_u64(spank, S_STEP_ALLOC_MEM);
}

/* Read the size of the input given by the user, a hint not used here. */
static void identify_input(struct sw_message_step *to, spank_t spank)
{
	char text[32] = "";
	spank_err_t rc = spank_getenv(spank, "STEPWELL_INPUT_BYTES", text,
				      (int)sizeof(text));

	text[sizeof(text) - 1] = '\0';
	to->notes &= ~(uint32_t)SW_NOTE_INPUT;
	if (rc == ESPANK_NOSPACE ||
	    (rc == ESPANK_SUCCESS &&
	     sw_bytes_parse(text, &to->input_bytes) < 0))
		to->notes |= SW_NOTE_INPUT;
}

/* Accept only "0,3": for parts of GPUs (MIG) the list has other names. */
static bool is_list(const char *text)
{
	size_t i;

	for (i = 0; text[i]; i++) {
		if ((text[i] < '0' || text[i] > '9') && text[i] != ',')
			return false;
	}
	return i > 0;
}

/*
 * slurmstepd has overwritten the user's values of these before the first hook:
 * the batch script has those of the job, other steps their own
 * (gres_g_job_set_env() and gres_g_step_set_env(), Slurm 22.05 to 26.05).
 */
static void identify_gpus(struct sw_message_step *to, spank_t spank)
{
	bool is_script = to->step_id == SW_STEP_BATCH ||
			 to->step_id == SW_STEP_INTERACTIVE;
	uint32_t count = get_env_u32(spank, "SLURM_GPUS_ON_NODE");

	to->gpu_count = count == SW_NO_ID ? 0 : count;
	get_env(spank, is_script ? "SLURM_JOB_GPUS" : "SLURM_STEP_GPUS",
		to->gpus, sizeof(to->gpus));
	if (to->gpu_count == 0 || !is_list(to->gpus))
		to->gpus[0] = '\0';
}

/*
 * SPANK's own restart count is always 0.  Steps find it in the environment of
 * the script.  The script's own step gets it only when its task has executed,
 * and until then has at most that of the job that submitted this one.
 */
static void identify_restarts(struct sw_spank_step *step, spank_t spank)
{
	uint32_t count = get_env_u32(spank, "SLURM_RESTART_COUNT");
	bool is_script = step->message.step.step_id == SW_STEP_BATCH;

	step->message.step.restart_count = is_script ? SW_NO_ID : count;
	step->inherited_restarts = is_script ? count : SW_NO_ID;
}

/*
 * Read when Slurm lets the job run; UNLIMITED is a year from its start.  Read
 * late, because before that the environment had the values of the job that
 * submitted this one.
 */
static void identify_limit(struct sw_message_step *to, spank_t spank)
{
	uint64_t start = get_env_number(spank, "SLURM_JOB_START_TIME", 11);
	uint64_t end = get_env_number(spank, "SLURM_JOB_END_TIME", 11);

	if (start == SW_MISSING || end == SW_MISSING || end <= start ||
	    end - start >= UNLIMITED_SECONDS)
		return;
	to->job_start_seconds = start;
	to->job_limit_seconds = end;
}

/*
 * slurmstepd has added the environment of its tasks (setup_env() before the
 * exit hooks, 22.05 to 26.05): the count if it is not 0, the job's times in
 * releases after 24.11, and a SLUID, "s" and 13 characters, since 26.05.
 */
void sw_step_identify_late(struct sw_spank_step *step, spank_t spank)
{
	struct sw_message_step *to = &step->message.step;
	uint32_t count = get_env_u32(spank, "SLURM_RESTART_COUNT");
	char sluid[SW_MESSAGE_SLUID_SIZE];

	if (to->step_id == SW_STEP_BATCH && count == SW_NO_ID)
		to->restart_count = 0;
	else if (to->step_id == SW_STEP_BATCH &&
		 count != step->inherited_restarts)
		to->restart_count = count;
	get_env(spank, "SLURM_JOB_SLUID", sluid, sizeof(sluid));
	if (sw_is_sluid(sluid, strlen(sluid)))
		strcpy(to->sluid, sluid);
	identify_limit(to, spank);
}

void sw_step_identify(struct sw_spank_step *step, spank_t spank)
{
	struct sw_message_step *to = &step->message.step;
	uid_t uid = (uid_t)-1;
	gid_t gid = (gid_t)-1;

	to->job_id = get_u32(spank, S_JOB_ID);
	to->step_id = get_u32(spank, S_JOB_STEPID);
	if (spank_get_item(spank, S_JOB_UID, &uid) != ESPANK_SUCCESS)
		uid = (uid_t)-1;
	if (spank_get_item(spank, S_JOB_GID, &gid) != ESPANK_SUCCESS)
		gid = (gid_t)-1;
	to->uid = uid;
	to->gid = gid;
	identify_array(to, spank);
	identify_size(to, spank);
	identify_component(to, spank);
	if (to->step_id == SW_STEP_BATCH)
		identify_components(to, spank);
	identify_input(to, spank);
	identify_gpus(to, spank);
	identify_restarts(step, spank);
	get_name(spank, "SLURM_JOB_NAME", to->job_name, sizeof(to->job_name));
	to->stepd_pid = (uint32_t)getpid();
	to->stepd_start_ticks = sw_file_start_ticks(to->stepd_pid);
}

/* Find the task's cgroup; the directory of the first is that of the step. */
static void place_task(struct sw_spank_step *of, struct sw_message_task *task)
{
	struct sw_message_step *step = &of->message.step;
	char path[32], text[4096], folder[SW_MESSAGE_CGROUP_SIZE];
	bool is_v1 = false;
	uint16_t kind;
	uint32_t number;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/cgroup", task->pid);
	sw_file_text(path, text, sizeof(text));
	if (!sw_task_cgroup_parse(text, folder, sizeof(folder), &kind,
				  &number)) {
		is_v1 = sw_task_cgroup_parse_v1(text, NULL, folder,
						sizeof(folder), &kind,
						&number);
		if (!is_v1)
			return;
	}
	if (!step->cgroup[0]) {
		snprintf(step->cgroup, sizeof(step->cgroup), "%s", folder);
		of->is_cgroup_v1 = is_v1;
	}
	if (strcmp(step->cgroup, folder) != 0)
		return;
	task->cgroup_kind = kind;
	task->cgroup_number = number;
}

static struct sw_message_task *find_pid(struct sw_spank_step *step,
					uint32_t pid)
{
	uint32_t i;

	for (i = 0; i < step->message.task_count; i++) {
		if (step->message.tasks[i].pid == pid &&
		    !step->message.tasks[i].has_ended)
			return &step->message.tasks[i];
	}
	return NULL;
}

bool sw_step_add_task(struct sw_spank_step *step, spank_t spank)
{
	struct sw_message_step_start *message = &step->message;
	struct sw_message_task *task;
	pid_t pid = 0;
	int local = -1;

	if (spank_get_item(spank, S_TASK_PID, &pid) != ESPANK_SUCCESS ||
	    pid <= 0)
		/* The extern step has room for tasks but no task. */
		return !step->is_started;
	/* If the plugin is included twice, each task is reported twice. */
	if (find_pid(step, (uint32_t)pid))
		return false;
	if (message->task_count == SW_MESSAGE_TASKS_MAX) {
		message->tasks_left_out++;
	} else {
		task = &message->tasks[message->task_count];
		memset(task, 0, sizeof(*task));
		task->pid = (uint32_t)pid;
		task->start_ticks = sw_file_start_ticks(task->pid);
		task->rank = get_u32(spank, S_TASK_GLOBAL_ID);
		if (spank_get_item(spank, S_TASK_ID, &local) !=
		    ESPANK_SUCCESS)
			local = -1;
		task->local_rank = (uint32_t)local;
		place_task(step, task);
		message->task_count++;
	}
	return !step->is_started &&
	       message->task_count + message->tasks_left_out >=
		       message->step.node_task_count;
}

struct sw_message_task *sw_step_find_task(struct sw_spank_step *step,
					  spank_t spank)
{
	pid_t pid = 0;

	if (spank_get_item(spank, S_TASK_PID, &pid) != ESPANK_SUCCESS ||
	    pid <= 0)
		return NULL;
	return find_pid(step, (uint32_t)pid);
}
