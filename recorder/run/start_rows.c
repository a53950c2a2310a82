/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write the identity and step rows of a run. */
#include "recorder/run/start_rows.h"

#include <unistd.h>

#include "recorder/programs/programs.h"
#include "recorder/sampler/period.h"
#include "recorder/tables/identity.h"

static int write_identity(const struct sw_start_rows *start,
			  struct sw_writer *writer, struct sw_error *error)
{
	const struct sw_options *options = start->options;
	const char *program = sw_identity_basename(options->command[0]);
	struct sw_identity identity = {
		.origin = options->job_of ? options->job_of : "run",
		.name = options->name ? options->name : program,
		.program = program,
		.job = SW_JOB_KEY_MISSING,
		.node_count = options->node_count,
		.gid = getgid(),
		.start_usec = start->start_usec,
		.period_usec = options->period_usec,
		.node_cpus = start->available->node_cpus,
		.node_memory_bytes = start->available->node_memory_bytes,
		.proc_fd = start->proc_fd,
	};

	identity.job.uid = getuid();
	if (options->job_of)
		identity.job.job_id = options->job.job;
	if (options->job_of && !sw_is_missing(options->job.array_task)) {
		identity.job.array_job_id = options->job.job;
		identity.job.array_task_id = options->job.array_task;
	}
	if (sw_is_missing(identity.period_usec))
		identity.period_usec = sw_period_at(10 * 1000000);
	return sw_identity_write(&identity, writer, error);
}

static int write_step(const struct sw_start_rows *start,
		      struct sw_writer *writer, struct sw_error *error)
{
	const struct sw_options *options = start->options;
	const struct sw_programs *programs = start->programs;
	const struct sw_step_start step = {
		.step_id = "run",
		.start_usec = start->start_usec,
		.root_pid = (uint64_t)start->root_pid,
		.backend = start->backend,
		.backend_reason = start->backend_reason,
		.requested_cpus_milli = options->cpus_milli,
		.requested_memory_bytes = options->memory_bytes,
		.requested_time_usec = options->time_usec,
		.available_cpus_milli = start->available->cpus_milli,
		.available_memory_bytes = start->available->memory_bytes,
		.programs_source =
			programs ? sw_programs_source(programs) : "none",
		.programs_reason =
			programs ? sw_programs_reason(programs) : NULL,
		.failures_source =
			programs ? sw_programs_failures_source(programs)
				 : "none",
		.failures_reason =
			programs ? sw_programs_failures_reason(programs) : NULL,
		.task_count = SW_MISSING,
		.node_task_count = SW_MISSING,
		.job_task_count = SW_MISSING,
		.node_count = SW_MISSING,
		.node_index = SW_MISSING,
		.is_armed = !options->is_attached,
		.gpu_count = SW_MISSING,
		.input_bytes = options->input_bytes,
		.input_reason = options->input_reason,
		.limits_note = options->limits_note,
	};

	return sw_step_start_write(&step, writer, error);
}

int sw_start_rows_write(const struct sw_start_rows *start,
			struct sw_writer *writer, struct sw_error *error)
{
	return write_identity(start, writer, error) < 0
		       ? -1
		       : write_step(start, writer, error);
}
