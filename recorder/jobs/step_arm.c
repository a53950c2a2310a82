/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Begin a step: identify it, open all that observes its tasks, and write the
 * rows that describe it.
 */
#include "recorder/jobs/step.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/step_cgroup.h"
#include "common/units.h"
#include "recorder/jobs/job_memory.h"
#include "recorder/jobs/verify.h"
#include "recorder/jobs/tasks.h"
#include "recorder/log/node_log.h"
#include "recorder/processes/tree.h"
#include "recorder/sampler/period.h"
#include "recorder/tables/identity.h"

/* The reason may contain a path of up to REASON_PATH bytes. */
enum { REASON_SIZE = 512, REASON_PATH = 300 };

#define UNSEEN "only the step's end is recorded"

static void put_name(struct sw_node_step *step)
{
	const struct sw_message_step *id = &step->id;
	const char *word = id->step_id == SW_STEP_BATCH ? "batch" :
			   id->step_id == SW_STEP_EXTERN ? "extern" :
			   id->step_id == SW_STEP_INTERACTIVE ? "interactive" :
			   NULL;

	if (word)
		snprintf(step->name, sizeof(step->name), "%s", word);
	else	/* The job is the component: "5+1.0" is step 0 of 5+1. */
		snprintf(step->name, sizeof(step->name), "%" PRIu32,
			 id->step_id);
}

static uint64_t choose_period(const struct sw_message_step *id)
{
	uint64_t period_usec = (uint64_t)id->period_msec * 1000;

	if (period_usec == 0)
		return SW_MISSING;
	if (period_usec < SW_PERIOD_USEC_MIN)
		return SW_PERIOD_USEC_MIN;
	return period_usec > SW_PERIOD_USEC_MAX ? SW_PERIOD_USEC_MAX :
						  period_usec;
}

static struct sw_node_step *allocate(const struct sw_node_place *place,
				     struct sw_writer *writer, uint64_t key,
				     const struct sw_message_step *id,
				     struct sw_error *error)
{
	struct sw_node_step *step = calloc(1, sizeof(*step));

	if (!step) {
		sw_error_errno(error, "a step");
		return NULL;
	}
	step->id = *id;
	step->writer = writer;
	step->share = place->share;
	step->target = (struct sw_target){
		.cgroup_fd = -1,
		.proc_fd = place->proc_fd,
		.sys_fd = place->sys_fd,
		.shared = place->shared,
		.root_pid = (pid_t)id->stepd_pid,
		.uid = id->uid,
		.gid = id->gid,
		.job_id = id->job_id,
		.step = key,
	};
	sw_cgroup_v1_none(&step->v1);
	step->target.v1 = &step->v1;
	step->job.cgroup_fd = -1;
	sw_cgroup_v1_none(&step->job.v1);
	step->target.job = &step->job;
	step->target.waits = &step->waits;
	sw_watch_none(&step->watch);
	step->stepd_fd = -1;
	step->wait_status = -1;
	sw_need_init(&step->need, (uint64_t)sysconf(_SC_PAGESIZE));
	step->busiest = (struct sw_busiest){ .cores_milli = SW_MISSING };
	step->period_usec = choose_period(id);
	step->start_usec = sw_clock_boottime_usec();
	put_name(step);
	if (sw_events_open(&step->events, writer, error) < 0) {
		free(step);
		return NULL;
	}
	step->events.step = key;
	return step;
}

static void note_program(void *context, const struct sw_event *event)
{
	struct sw_node_step *step = context;

	sw_events_add(&step->events, event);
}

/* Return true if every task is followed. */
static bool open_programs(struct sw_node_step *step, bool is_late)
{
	struct sw_programs_target target = {
		.root_pid = (pid_t)step->id.stepd_pid,
		.step = step->target.step,
		.first_key = step->first_program,
		.cgroup_fd = step->target.cgroup_fd,
		.proc_fd = step->target.proc_fd,
		.is_late = is_late,
		.has_many = true,
		.event = note_program,
		.context = step,
		.share = step->share,
		.tree = step->target.tree,
	};
	struct sw_error error;
	bool is_whole = true;
	uint32_t i;

	step->programs = sw_programs_create(&target, &error);
	if (!step->programs)
		return false;
	step->target.programs = step->programs;
	for (i = 0; i < step->task_count; i++) {
		if (sw_programs_attach(step->programs,
				       (pid_t)step->tasks[i].pid) < 0)
			is_whole = false;
	}
	return is_whole;
}

static void add_task(struct sw_node_step *step,
		     const struct sw_message_task *task)
{
	step->target_tasks[step->task_count] = (struct sw_target_task){
		.pid = (pid_t)task->pid,
		.start_ticks = task->start_ticks,
		.rank = sw_message_number(task->rank),
		.cgroup_number = task->cgroup_kind == SW_TASK_CGROUP_OWN ?
					 task->cgroup_number : SW_MISSING,
	};
	step->tasks[step->task_count++] = *task;
}

/* Keep the tasks whose identity is confirmed; true if all are. */
static bool take_tasks(struct sw_node_step *step,
		       const struct sw_message_step_start *start)
{
	uint32_t i;

	step->tasks = calloc(start->task_count + 1, sizeof(*step->tasks));
	step->target_tasks = calloc(start->task_count + 1,
				    sizeof(*step->target_tasks));
	if (!step->tasks || !step->target_tasks)
		return false;
	for (i = 0; i < start->task_count; i++) {
		if (sw_node_is_task(step->target.proc_fd, &step->id,
				    &start->tasks[i]))
			add_task(step, &start->tasks[i]);
	}
	step->target.tasks = step->target_tasks;
	step->target.task_count = step->task_count;
	return step->task_count == start->task_count &&
	       start->tasks_left_out == 0;
}

/* Report a cgroup of an unknown form to users and the site. */
static void note_unknown(struct sw_node_step *step, const char *path,
			 char *reason, size_t size)
{
	snprintf(reason, size,
		 "the step's cgroup is not understood: %.*s is "
		 "neither .../job_%" PRIu32 "/step_N nor .../SLUID/step_N",
		 REASON_PATH, path, step->id.job_id);
	sw_cgroup_form(path, step->cgroup_form, sizeof(step->cgroup_form));
}

/* Open the step's cgroup; on failure store the reason. */
static void open_cgroup(struct sw_node_step *step,
			const struct sw_node_place *place,
			const struct sw_message_step_start *start, char *reason,
			size_t size)
{
	const char *path = step->id.cgroup;
	char elsewhere[SW_MESSAGE_CGROUP_SIZE];

	step->target.cgroup_fd = sw_node_open_cgroup(place->cgroup_root_fd,
						     place->proc_fd, &step->id);
	if (step->target.cgroup_fd >= 0)
		return;
	if (path[0] && errno == EINVAL)
		note_unknown(step, path, reason, size);
	else if (path[0] && errno == EPERM)
		snprintf(reason, size,
			 "the step's slurmstepd is not in its cgroup %.*s",
			 REASON_PATH, path);
	else if (path[0])
		snprintf(reason, size,
			 "the step's cgroup %.*s could not be opened: %s",
			 REASON_PATH, path, strerror(errno));
	else if (sw_node_find_elsewhere(place->proc_fd, start, elsewhere,
					sizeof(elsewhere)))
		note_unknown(step, elsewhere, reason, size);
	else
		snprintf(reason, size,
			 "the step's tasks are not in a cgroup of Slurm");
}

/* On entry, reason explains why the step has no cgroup v2. */
static const char *find_backend(struct sw_node_step *step, char *reason,
				size_t size)
{
	int fd = step->target.cgroup_fd;

	if (fd < 0 && step->v1.fd[SW_V1_MEMORY] >= 0) {
		snprintf(reason, size, "Slurm put the step into cgroup v1");
		return "cgroup.v1";
	}
	if (fd < 0)
		return "process.tree";
	reason[0] = '\0';
	if (faccessat(fd, "memory.current", F_OK, 0) == 0)
		return "cgroup.v2";
	snprintf(reason, size, "no memory controller in the step's cgroup");
	return "cgroup.v2.base";
}

static uint64_t mib(uint64_t number)
{
	return number == 0 || number >= UINT64_MAX / SW_MIB ? SW_MISSING :
							      number * SW_MIB;
}

/* Reason why only a step's end is recorded */
#define BEYOND_SHARE "the job's share of the recorder's memory is used up: " \
	"only the step's end is recorded"

/* The job's batch script, extern and interactive steps have all its CPUs. */
static uint64_t requested_cpus(const struct sw_node_step *step,
			       const struct sw_node_place *place)
{
	const struct sw_message_step *id = &step->id;
	uint64_t job_cpus = sw_message_number(id->node_cpus);
	uint64_t step_cpus = sw_message_number(id->cpus_per_task);

	if (!sw_is_missing(step_cpus) && id->node_task_count != SW_NO_ID)
		step_cpus *= id->node_task_count;
	if (sw_is_missing(job_cpus))
		job_cpus = place->available.node_cpus;
	if (id->step_id >= SW_STEP_INTERACTIVE || sw_is_missing(step_cpus) ||
	    step_cpus == 0 || step_cpus > job_cpus)
		step_cpus = job_cpus;
	return step_cpus;
}

/* Fill in the resources that the step requested and those it has. */
static void describe_resources(struct sw_node_step *step,
			       const struct sw_node_place *place)
{
	struct sw_step_start *shape = &step->shape;
	uint64_t cpus = requested_cpus(step, place);
	uint64_t cpus_milli, memory_bytes, v1_cpus_milli, v1_memory_bytes;

	sw_available_in_cgroup(step->target.cgroup_fd, &cpus_milli,
			       &memory_bytes);
	sw_available_in_v1(&step->v1, &v1_cpus_milli, &v1_memory_bytes);
	shape->requested_cpus_milli = sw_is_missing(cpus) ? SW_MISSING :
							    cpus * 1000;
	shape->available_cpus_milli = sw_min_u64(shape->requested_cpus_milli,
		sw_min_u64(cpus_milli, v1_cpus_milli));
	shape->requested_memory_bytes =
		sw_min_u64(mib(step->id.step_memory_mib),
			   mib(step->id.job_memory_mib));
	shape->available_memory_bytes =
		sw_min_u64(place->available.node_memory_bytes,
			   sw_min_u64(memory_bytes, v1_memory_bytes));
}

static void describe_programs(struct sw_node_step *step)
{
	const struct sw_programs *programs = step->programs;
	struct sw_step_start *shape = &step->shape;

	shape->programs_source = shape->failures_source = "none";
	shape->programs_reason = step->is_beyond_share ? BEYOND_SHARE : NULL;
	if (!programs)
		return;
	shape->programs_source = sw_programs_source(programs);
	shape->programs_reason = sw_programs_reason(programs);
	shape->failures_source = sw_programs_failures_source(programs);
	shape->failures_reason = sw_programs_failures_reason(programs);
}

/* Fill in the step's row; reason, as stored by arm(), is part of it. */
static void describe(struct sw_node_step *step,
		     const struct sw_node_place *place, char *reason,
		     size_t size)
{
	const struct sw_message_step *id = &step->id;
	/* The batch step's environment describes the whole job. */
	bool is_script = id->step_id == SW_STEP_BATCH;

	step->shape = (struct sw_step_start){
		.step = step->target.step,
		.step_id = step->name,
		.start_usec = step->start_usec,
		.root_pid = id->stepd_pid,
		.backend = find_backend(step, reason, size),
		.backend_reason = reason,
		.requested_time_usec = SW_MISSING,
		.task_count = is_script ? 1 : sw_message_number(id->task_count),
		.node_task_count = sw_message_number(id->node_task_count),
		.job_task_count = is_script ? sw_message_number(id->task_count)
					    : SW_MISSING,
		.node_count = is_script ? 1 : sw_message_number(id->node_count),
		.node_index = sw_message_number(id->node_index),
		.is_armed = step->is_armed,
		.gpu_count = id->gpu_count ? id->gpu_count : SW_MISSING,
		.gpu_list = id->gpus,
		.input_bytes = id->input_bytes ? id->input_bytes : SW_MISSING,
		.input_reason =
			id->notes & SW_NOTE_INPUT ? SW_INPUT_REASON : NULL,
	};
	describe_resources(step, place);
	describe_programs(step);
}

static int write_start(struct sw_node_step *step,
		       const struct sw_node_place *place, char *reason,
		       size_t size, struct sw_error *error)
{
	int rc;

	describe(step, place, reason, size);
	rc = sw_step_start_write(&step->shape, step->writer, error);
	step->shape.backend_reason = NULL;
	return rc;
}

static void write_tasks(struct sw_node_step *step)
{
	uint32_t i;

	for (i = 0; i < step->task_count; i++)
		sw_task_write(&(struct sw_task_row){
			.step = step->target.step,
			.task = &step->tasks[i],
			.start_usec = step->start_usec,
			.end_usec = SW_MISSING,
			.wait_status = SW_MISSING,
		}, step->writer, step->start_usec);
}

/* The hook has timed out: the tasks execute, or have executed. */
static void note_late(struct sw_node_step *step)
{
	step->target.is_late = true;
	if (step->programs)
		sw_programs_set_late(step->programs);
	sw_events_add(&step->events, &(struct sw_event){
		.kind = "programs_late",
		.value = sw_excess_u64(sw_clock_boottime_usec(),
				       step->start_usec),
		.detail = "what the tasks did before is not known" });
}

/* Charge the step to its share; false: other users' jobs leave no room for
 * it. */
static bool pay(struct sw_node_step *step)
{
	if (sw_share_take(step->share, SW_NODE_STEP_BYTES)) {
		step->share_bytes = SW_NODE_STEP_BYTES;
		return true;
	}
	step->is_beyond_share = true;
	sw_node_log("step %" PRIu32 ".%" PRIu32 " of uid %" PRIu32 ": "
		    BEYOND_SHARE, step->id.job_id, step->id.step_id,
		    step->id.uid);
	return false;
}

/* Open all that observes the tasks, while they wait to execute. */
static void arm(struct sw_node_step *step, const struct sw_node_place *place,
		const struct sw_message_step_start *start, char *reason,
		size_t size)
{
	struct sw_error error;

	step->told_tasks = start->task_count + start->tasks_left_out;
	step->is_stepd_unknown = !sw_node_is_stepd(place->proc_fd, &step->id);
	if (step->is_stepd_unknown)
		snprintf(reason, size,
			 "the step's slurmstepd was not found, as in a pid "
			 "namespace that is not below the recorder's: " UNSEEN);
	step->is_armed = !step->is_stepd_unknown && pay(step);
	if (!step->is_armed)
		return;
	step->stepd_fd = (int)syscall(SYS_pidfd_open, step->id.stepd_pid, 0);
	open_cgroup(step, place, start, reason, size);
	step->is_armed &= take_tasks(step, start);
	sw_node_open_v1(&step->v1, &place->v1_roots, place->proc_fd, &step->id,
			step->tasks, step->task_count);
	/* The job's folder is above the one where the step's was found. */
	sw_node_open_job(&step->job,
			 step->target.cgroup_fd < 0 ? -1
						    : place->cgroup_root_fd,
			 &place->v1_roots, &step->id);
	step->target.tree = sw_tree_create_below(
		place->proc_fd, (pid_t)step->id.stepd_pid, &error);
	if (step->target.tree) {
		sw_tree_charge(step->target.tree, step->share);
		sw_tree_refresh(step->target.tree);
	}
	sw_programs_await();
	step->target.is_late = !sw_node_peer_waits(place->peer_fd);
	step->is_armed &= open_programs(step, step->target.is_late);
	if (place->peer_fd >= 0 && !sw_node_peer_waits(place->peer_fd))
		note_late(step);
	step->sampler = sw_sampler_create(sw_sources, &step->target,
					  step->writer, &step->events, &error);
	step->is_armed &= step->sampler != NULL;
	sw_watch_open(&step->watch, &step->target, step->target.cgroup_fd,
		      NULL);
	step->is_armed &= sw_node_peer_waits(place->peer_fd);
}

struct sw_node_step *sw_node_step_begin(const struct sw_node_place *place,
					struct sw_writer *writer, uint64_t key,
					const struct sw_message_step *id,
					const struct sw_message_step_start
						*start,
					struct sw_error *error)
{
	struct sw_node_step *step = allocate(place, writer, key, id, error);
	char reason[REASON_SIZE] = UNSEEN;

	if (!step)
		return NULL;
	if (start)
		arm(step, place, start, reason, sizeof(reason));
	if (write_start(step, place, reason, sizeof(reason), error) < 0) {
		sw_node_step_forget(step);
		return NULL;
	}
	write_tasks(step);
	step->next_usec = step->start_usec;	/* the first one at once */
	return step;
}

struct sw_node_step *
sw_node_step_adopt(const struct sw_node_place *place, struct sw_writer *writer,
		   uint64_t key, uint64_t first_program,
		   const struct sw_message_step_start *start,
		   struct sw_error *error)
{
	struct sw_node_step *step = allocate(place, writer, key, &start->step,
					     error);
	struct sw_node_place late = *place;
	char reason[REASON_SIZE] = UNSEEN;

	if (!step)
		return NULL;
	late.peer_fd = -1;
	step->first_program = first_program;
	arm(step, &late, start, reason, sizeof(reason));
	describe(step, place, reason, sizeof(reason));
	step->shape.backend_reason = NULL;
	step->next_usec = step->start_usec;
	return step;
}
