/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job on this node. */
#include "recorder/jobs/job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/jobs/summary_rows.h"
#include "recorder/jobs/verify.h"
#include "recorder/jobs/tasks.h"
#include "recorder/log/node_log.h"
#include "recorder/sampler/period.h"
#include "recorder/tables/identity.h"
#include "recorder/tables/self.h"
#include "recorder/tables/summary.h"

/* Maximum time without a step, after which a later step begins a new profile */
#define IDLE_USEC_MAX (600 * SW_USEC_PER_SEC)
/* The same without the job's cgroup, which may also be absent between steps */
#define GONE_USEC_MAX (30 * SW_USEC_PER_SEC)

enum { NAME_PART = 64, NAMES_MAX = 60, LAST_MAX = 256 };

static void put_name(struct sw_node_job *job, uint64_t epoch)
{
	char cluster[NAME_PART], node[NAME_PART];
	struct utsname host = { .nodename = "" };

	uname(&host);
	host.nodename[strcspn(host.nodename, ".")] = '\0';
	sw_identity_plain(cluster, sizeof(cluster), job->id.cluster[0] ?
			  job->id.cluster : "cluster", false);
	sw_identity_plain(node, sizeof(node), host.nodename, false);
	snprintf(job->name, sizeof(job->name),
		 "%s.%" PRIu32 ".%" PRIu64 ".%s.stepwell", cluster,
		 job->id.job_id, epoch, node);
}

static int write_identity(const struct sw_node_job *job,
			  const struct sw_node_place *place,
			  struct sw_error *error)
{
	const struct sw_message_step *id = &job->id;
	const struct sw_identity identity = {
		.origin = "slurm",
		.cluster = id->cluster,
		.name = id->job_name,
		.job = sw_message_job(id),
		.node_count = sw_message_number(id->node_count),
		.gid = id->gid,
		.start_usec = sw_clock_boottime_usec(),
		.period_usec = id->period_msec ?
			(uint64_t)id->period_msec * 1000 :
			sw_period_at(10 * SW_USEC_PER_SEC),
		.node_cpus = place->available.node_cpus,
		.node_memory_bytes = place->available.node_memory_bytes,
		.proc_fd = place->proc_fd,
	};

	return sw_identity_write(&identity, job->writer, error);
}

/*
 * Choose the start time for the profile's name.  A job that ends and continues
 * within a second gets a different one: a profile of the same name would
 * replace the one that was delivered.
 */
static uint64_t choose_epoch(uint32_t job_id)
{
	static struct { uint32_t job_id; uint64_t epoch; } last[LAST_MAX];
	uint64_t epoch = sw_clock_realtime_usec() / SW_USEC_PER_SEC;
	size_t slot = job_id % LAST_MAX;

	if (last[slot].job_id == job_id && last[slot].epoch >= epoch)
		epoch = last[slot].epoch + 1;
	last[slot].job_id = job_id;
	last[slot].epoch = epoch;
	return epoch;
}

static struct sw_writer *create_profile(struct sw_node_job *job, int spool_fd,
					struct sw_error *error)
{
	struct sw_writer *writer = NULL;
	int i;

	for (i = 0; i < NAMES_MAX && !writer; i++) {
		put_name(job, choose_epoch(job->id.job_id));
		writer = sw_writer_create(spool_fd, job->name, false, error);
		/* An earlier recorder may have left one. */
		if (!writer && errno != EEXIST)
			break;
	}
	return writer;
}

struct sw_node_job *sw_node_job_create(const struct sw_node_place *place,
				       uint32_t uid, struct sw_error *error)
{
	struct sw_node_job *job = calloc(1, sizeof(*job));

	if (job)
		job->memory = sw_share_open(place->memory, uid);
	if (job)
		job->spool = sw_share_open(place->spool, uid);
	if (!job || !job->memory || !job->spool) {
		sw_error_errno(error, "a job");
		if (job)
			sw_share_close(job->memory);
		free(job);
		return NULL;
	}
	job->id.uid = uid;
	job->cpu_before_usec = sw_self_cpu_usec();
	return job;
}

struct sw_node_job *sw_node_job_begin(const struct sw_node_place *place,
				      int spool_fd,
				      const struct sw_message_step *id,
				      struct sw_error *error)
{
	struct sw_node_job *job = sw_node_job_create(place, id->uid, error);

	if (!job)
		return NULL;
	job->id = *id;
	if (place->topology)
		sw_topology_refresh(place->topology);
	job->writer = create_profile(job, spool_fd, error);
	if (job->writer && write_identity(job, place, error) == 0) {
		sw_node_job_pay_spool(job);
		return job;
	}
	sw_node_job_forget(job);
	return NULL;
}

void sw_node_job_pay_spool(struct sw_node_job *job)
{
	struct sw_writer_stats stats;
	uint64_t more;

	sw_writer_stats(job->writer, &stats);
	/* Include the open block. */
	more = sw_excess_u64(stats.bytes_written + SW_BLOCK_BYTES_MAX,
			     job->spool->used);
	if (job->is_beyond_spool || sw_share_take(job->spool, more))
		return;
	job->is_beyond_spool = true;
	sw_writer_hold_series(job->writer);
	sw_node_log("job %" PRIu32 " of uid %" PRIu32 " used up its share of "
		    "the spool: its profile gets no more samples",
		    job->id.job_id,
		    job->id.uid);
}

struct sw_node_step *sw_node_job_find(const struct sw_node_job *job,
				      const struct sw_message_step *id)
{
	struct sw_node_step *step = job->steps;

	while (step && !sw_node_step_is(step, id))
		step = step->next;
	return step;
}

static void link_step(struct sw_node_job *job, struct sw_node_step *step)
{
	/* The job's own message has more than its profile. */
	if (job->id.cgroup[0] == '\0')
		job->id = step->id;
	job->idle_usec = 0;
	step->next = job->steps;
	job->steps = step;
}

struct sw_node_step *sw_node_job_add(struct sw_node_job *job,
				     const struct sw_node_place *place,
				     const struct sw_message_step *id,
				     const struct sw_message_step_start *start,
				     struct sw_error *error)
{
	struct sw_node_place own = *place;
	struct sw_node_step *step;

	own.share = job->memory;
	step = sw_node_step_begin(&own, job->writer, job->next_key, id, start,
				  error);
	if (!step)
		return NULL;
	job->next_key++;
	link_step(job, step);
	return step;
}

struct sw_node_step *
sw_node_job_adopt(struct sw_node_job *job, const struct sw_node_place *place,
		  uint64_t key, uint64_t first_program,
		  const struct sw_message_step_start *start,
		  struct sw_error *error)
{
	struct sw_node_place own = *place;
	struct sw_node_step *step;

	own.share = job->memory;
	step = sw_node_step_adopt(&own, job->writer, key, first_program, start,
				  error);
	if (step)
		link_step(job, step);
	return step;
}

static void unlink_step(struct sw_node_job *job, struct sw_node_step *step)
{
	struct sw_node_step **link = &job->steps;

	while (*link && *link != step)
		link = &(*link)->next;
	if (*link)
		*link = step->next;
}

static void note_ended(struct sw_node_job *job, const struct sw_node_step *step,
		       const struct sw_final_values *final_values)
{
	struct sw_node_ended *ended =
		&job->ended[job->ended_count++ % SW_NODE_ENDED_MAX];

	*ended = (struct sw_node_ended){
		.step_id = step->id.step_id,
		.stepd_pid = step->id.stepd_pid,
		.stepd_start_ticks = step->id.stepd_start_ticks,
		.key = step->target.step,
		.start_usec = step->start_usec,
		.end_usec = final_values ? final_values->time_usec
					 : sw_clock_boottime_usec(),
		.wait_status = step->wait_status,
		.told_tasks = step->told_tasks,
		.ended_tasks = step->ended_tasks,
	};
	snprintf(ended->name, sizeof(ended->name), "%s", step->name);
}

static struct sw_node_ended *find_ended(struct sw_node_job *job,
					const struct sw_message_step *id)
{
	size_t i;

	for (i = 0; i < SW_NODE_ENDED_MAX && i < job->ended_count; i++) {
		struct sw_node_ended *ended = &job->ended[i];

		if (ended->step_id == id->step_id &&
		    sw_node_is_same_stepd(ended->stepd_pid,
					  ended->stepd_start_ticks, id))
			return ended;
	}
	return NULL;
}

/* Write the step's status again: the last row with a value counts. */
static void correct_status(struct sw_node_ended *ended, int wait_status,
			   const struct sw_node_job *job,
			   const struct sw_node_place *place,
			   const struct sw_message_step *id)
{
	int before = sw_node_step_status(ended->wait_status,
					 ended->told_tasks,
					 ended->ended_tasks);
	struct sw_summary summary = {
		.step = ended->key,
		.end_usec = ended->end_usec,
		.reaped_user_usec = SW_MISSING,
		.reaped_system_usec = SW_MISSING,
		.samples = SW_MISSING,
		.lost_samples = SW_MISSING,
		.leftover_processes = SW_MISSING,
		.cpu_before_usec = job->cpu_before_usec,
		.restart_count = SW_MISSING,
		.proc_fd = place->proc_fd,
	};

	if (wait_status > ended->wait_status)
		ended->wait_status = wait_status;
	ended->ended_tasks++;
	summary.wait_status = sw_node_step_status(ended->wait_status,
						  ended->told_tasks,
						  ended->ended_tasks);
	if (summary.wait_status == before)
		return;
	sw_summary_write(&summary, job->writer);
	sw_node_summary_correct(id, place->summaries_fd, ended->name,
				ended->start_usec, summary.wait_status);
}

bool sw_node_job_late_task(struct sw_node_job *job,
			   const struct sw_node_place *place,
			   const struct sw_message_task_end *end,
			   const struct sw_final_values *final_values,
			   const char *final_source)
{
	struct sw_node_ended *ended = find_ended(job, &end->step);

	if (!ended)
		return false;
	sw_task_write(&(struct sw_task_row){
		.step = ended->key,
		.task = &end->task,
		.start_usec = ended->start_usec,
		.end_usec = final_values->time_usec,
		.wait_status = (uint64_t)(uint32_t)end->wait_status,
		.final_values = final_values,
		.final_source = final_source,
	}, job->writer, sw_clock_boottime_usec());
	correct_status(ended, end->wait_status, job, place, &end->step);
	return true;
}

/* Copy what one step found out about the job; it applies to all steps. */
static void share(struct sw_message_step *to,
		  const struct sw_message_step *from)
{
	if (from->restart_count != SW_NO_ID)
		to->restart_count = from->restart_count;
	if (from->sluid[0])
		memcpy(to->sluid, from->sluid, sizeof(from->sluid));
	if (from->job_limit_seconds) {
		to->job_start_seconds = from->job_start_seconds;
		to->job_limit_seconds = from->job_limit_seconds;
	}
}

void sw_node_job_observe(struct sw_node_job *job, struct sw_node_step *step,
			 const struct sw_message_step *told)
{
	share(&step->id, told);
	/* Other steps have the values that the script's environment was made
	 * of. */
	if (told->step_id == SW_STEP_BATCH ||
	    job->id.restart_count == SW_NO_ID)
		share(&job->id, told);
}

void sw_node_job_end_step(struct sw_node_job *job, struct sw_node_step *step,
			  const struct sw_node_place *place,
			  const struct sw_final_values *final_values,
			  const char *final_source)
{
	struct sw_sampler_self self = place->self;

	/* The batch or extern step ends when Slurm ends the job here. */
	if (!strcmp(step->name, "batch") || !strcmp(step->name, "extern"))
		job->is_over = true;
	if (step->id.restart_count == SW_NO_ID)
		share(&step->id, &job->id);
	unlink_step(job, step);
	note_ended(job, step, final_values);
	self.cpu_before_usec = job->cpu_before_usec;
	sw_node_step_end(step, place, &self, !job->steps, final_values,
			 final_source);
	if (!job->steps)
		job->idle_usec = sw_clock_boottime_usec();
}

bool sw_node_job_is_over(const struct sw_node_job *job,
			 const struct sw_node_place *place, uint64_t now_usec)
{
	uint64_t idle_usec = sw_excess_u64(now_usec, job->idle_usec);

	if (job->steps)
		return false;
	if (job->is_over || idle_usec > IDLE_USEC_MAX)
		return true;
	return idle_usec > GONE_USEC_MAX &&
	       !sw_node_has_job_cgroup(place->cgroup_root_fd,
				       &place->v1_roots, &job->id);
}

void sw_node_job_finish(struct sw_node_job *job,
			const struct sw_node_place *place)
{
	struct sw_error error;

	while (job->steps)
		sw_node_job_end_step(job, job->steps, place, NULL, "lost");
	if (!job->has_topology && place->topology)
		sw_topology_write(sw_topology_finish(place->topology, 0),
				  job->writer);
	if (sw_writer_finish(job->writer, sw_clock_boottime_usec(), &error) <
	    0)
		sw_node_log("job %" PRIu32 ": %s", job->id.job_id, error.text);
	sw_node_job_forget(job);
}

void sw_node_job_forget(struct sw_node_job *job)
{
	struct sw_node_step *step;

	while ((step = job->steps)) {
		job->steps = step->next;
		sw_node_step_forget(step);
	}
	sw_writer_destroy(job->writer);
	sw_share_close(job->memory);
	sw_share_close(job->spool);
	free(job);
}
