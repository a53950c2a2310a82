/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write rows of steps and jobs where no user can change them. */
#include "recorder/jobs/summary_rows.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/jobid.h"
#include "common/need.h"
#include "common/units.h"
#include "recorder/delivery/summaries.h"
#include "recorder/jobs/step_programs.h"
#include "recorder/jobs/step_stall.h"
#include "recorder/log/node_log.h"
#include "recorder/programs/failed.h"
#include "recorder/tables/privacy.h"

enum {
	CORES_USEC_MIN = SW_USEC_PER_SEC / 2,
	CORES_VAGUE_PART = 20,	/* maximum uncertainty of an interval, as its
				 * divisor */
};

static struct sw_summary_job job_of(const struct sw_message_step *id)
{
	struct sw_summary_job job = { .key = sw_message_job(id) };

	snprintf(job.cluster, sizeof(job.cluster), "%s", id->cluster);
	snprintf(job.job_name, sizeof(job.job_name), "%s", id->job_name);
	return job;
}

static uint64_t last(const struct sw_node_step *step, const char *source,
		     const char *column)
{
	return step->sampler ? sw_sampler_last(step->sampler, source, column) :
			       SW_MISSING;
}

static uint64_t realtime(uint64_t boottime_usec)
{
	return sw_clock_realtime_usec() -
	       sw_excess_u64(sw_clock_boottime_usec(), boottime_usec);
}

/*
 * Store the CPU time of the cgroup, or of processes without one.  Returns its
 * source.
 */
static const char *put_cpu(struct sw_summary_step *row,
			   const struct sw_node_step *step)
{
	row->usage_usec = last(step, "cpu", "usage_usec");
	row->user_usec = last(step, "cpu", "user_usec");
	row->system_usec = last(step, "cpu", "system_usec");
	if (!sw_is_missing(row->usage_usec))
		return "cpu";
	row->user_usec = last(step, "proc", "utime_usec");
	row->system_usec = last(step, "proc", "stime_usec");
	row->usage_usec = sw_add_u64(row->user_usec, row->system_usec);
	return "proc";
}

/* Read the values of this sample; false: no row at which a rate could end. */
static bool read_cores(struct sw_busiest *now, const struct sw_node_step *step)
{
	struct sw_summary_step row;
	const char *source = put_cpu(&row, step);

	if (sw_is_missing(row.usage_usec))
		return false;
	*now = (struct sw_busiest){
		.asked_usec = step->last_usec,
		.read_usec = sw_sampler_last_usec(step->sampler, source),
		.usage_usec = row.usage_usec,
	};
	/* Otherwise it is from an earlier sample. */
	return now->read_usec >= now->asked_usec;
}

/*
 * Compute a rate over the longest time possible between two samples, and only
 * if that is known precisely: a recorder that lost its CPU in the middle of a
 * sample would count one thread as several.
 */
static void watch_cores(struct sw_node_step *step)
{
	struct sw_busiest *busiest = &step->busiest;
	uint64_t least, most, cores = busiest->cores_milli;
	struct sw_busiest now;

	if (!read_cores(&now, step))
		return;
	/* The sum over processes decreases when one of them ends. */
	if (busiest->read_usec && now.usage_usec >= busiest->usage_usec) {
		least = sw_excess_u64(now.asked_usec, busiest->read_usec);
		most = now.read_usec - busiest->asked_usec;
		if (least < CORES_USEC_MIN ||
		    most - least > most / CORES_VAGUE_PART)
			return;
		cores = sw_max_u64(cores, (now.usage_usec -
			busiest->usage_usec) * 1000 / most);
	}
	now.cores_milli = cores;
	*busiest = now;
}

/* Return the CPUs available to the step: the lower of requested and
 * available. */
static double cpus_of(const struct sw_node_step *step)
{
	uint64_t milli = sw_min_u64(step->shape.requested_cpus_milli,
				    step->shape.available_cpus_milli);

	return sw_is_missing(milli) || !milli ? NAN : (double)milli / 1000;
}

static void watch_use(struct sw_node_step *step)
{
	const struct sw_step_given given = {
		.start_usec = step->start_usec,
		.asked_usec = step->last_usec,
		.cpus = cpus_of(step),
		.gpu_count = step->shape.gpu_count,
		.gpu_list = step->id.gpus,
	};

	sw_step_account_take(&step->account, step->sampler,
			     step->target.shared, step->waits, &given);
}

void sw_node_summary_watch(struct sw_node_step *step)
{
	struct sw_need_reading reading;
	size_t i;

	sw_need_reading_init(&reading);
	for (i = 0; i < SW_NEED_FIELDS; i++)
		sw_need_reading_set(&reading, &sw_need_fields[i],
				    last(step, sw_need_fields[i].source,
					 sw_need_fields[i].column));
	sw_need_take(&step->need, &reading);
	watch_cores(step);
	watch_use(step);
	if (!step->programs)
		return;
	sw_need_reading_init(&reading);
	sw_programs_peaks(step->programs, &reading.process_anon,
			  &reading.process_all);
	sw_need_take(&step->need, &reading);
}

/* Without a rate, use the mean over the step. */
static uint64_t peak_cores(const struct sw_node_step *step,
			   const struct sw_summary_step *row)
{
	uint64_t spent = sw_excess_u64(row->end_realtime_usec,
				       row->start_realtime_usec);

	if (!sw_is_missing(step->busiest.cores_milli) ||
	    sw_is_missing(row->usage_usec) || !spent)
		return step->busiest.cores_milli;
	return row->usage_usec * 1000 / spent;
}

static void put_counters(struct sw_summary_step *row,
			 const struct sw_node_step *step)
{
	put_cpu(row, step);
	row->peak_cores_milli = peak_cores(step, row);
	row->throttled_usec = last(step, "cpu", "throttled_usec");
	row->peak_bytes = last(step, "memory", "memory.peak");
	row->oom_kills = last(step, "memory", "events.oom_kill");
	row->read_bytes = last(step, "proc", "rchar");
	row->written_bytes = last(step, "proc", "wchar");
	row->cpu_some_usec = last(step, "pressure", "cpu.some.total");
	row->memory_full_usec = last(step, "pressure", "memory.full.total");
	row->io_full_usec = last(step, "pressure", "io.full.total");
}

static void put_shape(struct sw_summary_step *row,
		      const struct sw_node_step *step)
{
	const struct sw_step_start *shape = &step->shape;

	row->task_count = shape->task_count;
	row->node_task_count = shape->node_task_count;
	row->node_count = shape->node_count;
	row->node_index = shape->node_index;
	row->requested_cpus_milli = shape->requested_cpus_milli;
	row->requested_memory_bytes = shape->requested_memory_bytes;
	row->input_bytes = shape->input_bytes;
	row->is_armed = step->is_armed;
	row->gpu_count = shape->gpu_count ? shape->gpu_count : SW_MISSING;
}

/* Values without any sample are missing, not 0. */
static void put_use(struct sw_summary_step *row,
		    struct sw_step_account *account)
{
	const struct sw_step_gpus *gpus = &account->gpus;

	/* Steps that wait for their user are not judged. */
	if (!sw_stepid_is_of_user(row->step_id))
		sw_step_account_end(account, row->limited_usec);
	if (gpus->seen_usec) {
		row->gpu_seen_usec = gpus->seen_usec;
		row->gpu_busy_usec = gpus->busy_usec;
	}
	if (gpus->memory_bytes)
		row->gpu_memory_bytes = gpus->memory_bytes;
	if (account->disk_bytes_per_sec)
		row->disk_bytes_per_sec = account->disk_bytes_per_sec;
	if (account->net_bytes_per_sec)
		row->net_bytes_per_sec = account->net_bytes_per_sec;
}

static void put_stall(struct sw_summary_step *row,
		      const struct sw_node_step *step)
{
	struct sw_step_stall stall;

	sw_step_stall_find(&stall, step->waits, step->target.proc_fd);
	row->stall_usec = stall.usec;
	row->stall_idle_usec = stall.idle_usec;
	row->stall_intervals = stall.intervals;
	memcpy(row->stall_kind, stall.kind, sizeof(row->stall_kind));
	memcpy(row->stall_fs, stall.fs, sizeof(row->stall_fs));
	memcpy(row->stall_mount, stall.mount, sizeof(row->stall_mount));
}

static void put_failure(struct sw_summary_step *row,
			const struct sw_node_step *step, uint64_t end_usec)
{
	struct sw_failed failed;

	sw_failed_find(&failed, step->programs, step->wait_status, end_usec);
	if (!failed.cause)
		return;
	snprintf(row->failed_cause, sizeof(row->failed_cause), "%s",
		 failed.cause);
	snprintf(row->failed_program, sizeof(row->failed_program), "%s",
		 sw_text(sw_privacy_program(failed.program)));
}

uint64_t sw_node_summary_samples(const struct sw_node_step *step)
{
	return step->earlier_samples +
	       (step->sampler ? sw_sampler_count(step->sampler) : 0);
}

void sw_node_summary_step(struct sw_node_step *step,
			  const struct sw_node_place *place, uint64_t end_usec,
			  const char *final_source)
{
	struct sw_summary_programs programs;
	struct sw_summary_step row;

	if (place->summaries_fd < 0)
		return;
	sw_summary_step_init(&row);
	row.job = job_of(&step->id);
	row.start_realtime_usec = realtime(step->start_usec);
	row.end_realtime_usec = realtime(end_usec);
	put_shape(&row, step);
	row.wait_status = step->wait_status < 0 ? SW_MISSING :
			  (uint64_t)(uint32_t)step->wait_status;
	row.samples = sw_node_summary_samples(step);
	row.lost_samples = step->lost_samples;
	row.need_bytes = sw_need_low(&step->need, NULL);
	row.floor_bytes = sw_need_floor(&step->need);
	snprintf(row.step_id, sizeof(row.step_id), "%s", step->name);
	snprintf(row.backend, sizeof(row.backend), "%s",
		 sw_text(step->shape.backend));
	snprintf(row.final_source, sizeof(row.final_source), "%s",
		 final_source);
	put_counters(&row, step);
	put_use(&row, &step->account);
	put_stall(&row, step);
	put_failure(&row, step, end_usec);
	sw_step_programs_find(&programs, step, place);
	if (sw_summaries_step(place->summaries_fd, &row, &programs) < 0)
		sw_node_log("the summary of a step was lost");
}

void sw_node_summary_correct(const struct sw_message_step *id, int socket_fd,
			     const char *step_id, uint64_t start_usec,
			     int wait_status)
{
	struct sw_summary_step row;

	if (socket_fd < 0 || wait_status < 0)
		return;
	sw_summary_step_init(&row);
	row.job = job_of(id);
	snprintf(row.step_id, sizeof(row.step_id), "%s", step_id);
	snprintf(row.final_source, sizeof(row.final_source), "late");
	row.start_realtime_usec = realtime(start_usec);
	row.wait_status = (uint64_t)(uint32_t)wait_status;
	if (sw_summaries_step(socket_fd, &row, NULL) < 0)
		sw_node_log("the status of a step was lost");
}

void sw_node_summary_profile(const struct sw_message_step *id, int socket_fd,
			     int spool_fd, const char *name)
{
	struct sw_summary_profile row = {
		.job = job_of(id), .end_usec = sw_clock_realtime_usec() };
	struct stat status;
	int fd;

	if (socket_fd < 0)
		return;
	fd = openat(spool_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return;
	snprintf(row.file, sizeof(row.file), "%s", name);
	if (fstat(fd, &status) == 0 && sw_digest(fd, row.digest) == 0) {
		row.bytes = (uint64_t)status.st_size;
		if (sw_summaries_profile(socket_fd, &row) < 0)
			sw_node_log("the digest of %s was lost", name);
	}
	close(fd);
}
