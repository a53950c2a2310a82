/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every field of a view, once: clearing a part, reading it from a row, summing
 * it and writing it to the JSON report all use these tables.
 */
#include "analyzer/view/field_rows.h"

#define VIEW(member, fold) ROW(sw_view, member, NULL, IS, fold, NULL)
#define IDENTITY(member, key) ROW(sw_view, member, #member, IS, FIRST, key)

/* From the table "identity", with the same names. */
const struct sw_field sw_view_fields[] = {
	IDENTITY(cluster, "cluster"),
	IDENTITY(name, "name"),
	IDENTITY(program, "program"),
	IDENTITY(user, "user"),
	IDENTITY(node, NULL),
	IDENTITY(kernel, NULL),
	IDENTITY(step_id, NULL),
	IDENTITY(node_cpus, NULL),
	IDENTITY(node_memory_bytes, NULL),
	IDENTITY(page_bytes, NULL),
	VIEW(start_usec, OWN),
	VIEW(end_usec, OWN),
	VIEW(elapsed_usec, OWN),
	VIEW(start_realtime_usec, OWN),
	VIEW(requested_time_usec, MAX),
	VIEW(input_bytes, OWN),
	VIEW(input_reason, KNOWN),
	VIEW(limits_note, KNOWN),
	VIEW(exit_code, OWN),
	VIEW(signal, OWN),
	VIEW(allocated_gpus, OWN),
	END
};

#define JOB(member) ROW(sw_job_key, member, #member, IS, FIRST, #member)

/* Likewise in each job's row of a node's summaries. */
const struct sw_field sw_job_fields[] = {
	JOB(job_id),
	JOB(array_job_id),
	JOB(array_task_id),
	JOB(het_job_id),
	JOB(het_component),
	JOB(restart_count),
	JOB(uid),
	END
};

const struct sw_field sw_slurm_fields[] = {
	FIELD(slurm, sluid, IS, KNOWN, "sluid"),
	FIELD(slurm, is_slurm, IS, FIRST, NULL),
	FIELD(slurm, limit_realtime_usec, IS, MAX, NULL),
	COLUMN(slurm, job_node_count, "node_count", IS, MAX, NULL),
	FIELD(slurm, step_node_count, IS, MAX, NULL),
	FIELD(slurm, node_index, IS, FIRST, NULL),
	FIELD(slurm, task_count, IS, MAX, NULL),
	FIELD(slurm, node_task_count, IS, MAX, NULL),
	FIELD(slurm, job_task_count, IS, MAX, NULL),
	/* A sum is armed only if all parts are. */
	FIELD(slurm, is_armed, IS, MIN, NULL), END
};

const struct sw_field sw_cpu_fields[] = {
	FIELD(cpu, allocated_cores, IS, OWN, "allocated_cores"),
	FIELD(cpu, available_cores, IS, OWN, NULL),
	FIELD(cpu, is_requested, IS, ANY, "is_requested"),
	FIELD(cpu, used_usec, SECONDS, ADD, "used_core_seconds"),
	FIELD(cpu, user_usec, SECONDS, ADD, "user_seconds"),
	FIELD(cpu, system_usec, SECONDS, ADD, "system_seconds"),
	FIELD(cpu, efficiency, IS, OWN, "efficiency"),
	FIELD(cpu, mean_cores, IS, OWN, "mean_cores"),
	FIELD(cpu, peak_cores, IS, OWN, "peak_cores"),
	FIELD(cpu, demand_peak_cores, IS, OWN, "demand_peak_cores"),
	FIELD(cpu, is_constrained, IS, OWN, "is_constrained"),
	FIELD(cpu, throttled_usec, SECONDS, ADD, "throttled_seconds"),
	FIELD(cpu, throttled_periods, IS, ADD, NULL),
	FIELD(cpu, periods, IS, ADD, NULL),
	FIELD(cpu, is_quota_above, IS, ANY, NULL),
	FIELD(cpu, run_queue_wait_usec, SECONDS, ADD,
	      "run_queue_wait_seconds"),
	FIELD(cpu, is_wait_complete, IS, ALL, NULL),
	FIELD(cpu, source, IS, KNOWN, "source"),
	END
};

/* The largest of several limits or requests covers the others. */
const struct sw_field sw_memory_fields[] = {
	FIELD(memory, limit_bytes, IS, MAX, "limit_bytes"),
	FIELD(memory, is_limit_above, IS, OWN, NULL),
	FIELD(memory, requested_bytes, IS, MAX, "requested_bytes"),
	FIELD(memory, available_bytes, IS, MAX, "available_bytes"),
	FIELD(memory, need_bytes, IS, OWN, "need_bytes"),
	FIELD(memory, step_need_bytes, IS, OWN, NULL),
	FIELD(memory, need_upper_bytes, IS, OWN, "need_upper_bytes"),
	FIELD(memory, floor_bytes, IS, OWN, "floor_bytes"),
	FIELD(memory, mapped_bytes, IS, OWN, "mapped_bytes"),
	FIELD(memory, need_source, IS, OWN, "need_source"),
	FIELD(memory, need_is_lower_bound, IS, ANY, "need_is_lower_bound"),
	FIELD(memory, has_missed_files, IS, ANY, NULL),
	FIELD(memory, peak_bytes, IS, OWN, "peak_bytes"),
	FIELD(memory, cache_bytes, IS, OWN, "cache_bytes"),
	FIELD(memory, swap_peak_bytes, IS, MAX, "swap_peak_bytes"),
	FIELD(memory, zswap_peak_bytes, IS, OWN, "zswap_peak_bytes"),
	FIELD(memory, huge_page_bytes, IS, OWN, "huge_page_bytes"),
	FIELD(memory, kernel_peak_bytes, IS, OWN, "kernel_peak_bytes"),
	FIELD(memory, socket_peak_bytes, IS, OWN, "socket_peak_bytes"),
	FIELD(memory, oom_kills, IS, ADD, "oom_kills"),
	FIELD(memory, oom_events, IS, ADD, NULL),
	FIELD(memory, limit_hits, IS, ADD, "limit_hits"),
	FIELD(memory, refaulted_file_pages, IS, OWN, NULL),
	FIELD(memory, refaulted_anon_pages, IS, OWN, NULL),
	FIELD(memory, source, IS, KNOWN, "source"),
	FIELD(memory, node, IS, OWN, "node"),
	END
};

/* Simultaneous waits do not add up to a share of the time. */
const struct sw_field sw_io_fields[] = {
	FIELD(io, read_bytes, IS, ADD, "read_bytes"),
	FIELD(io, written_bytes, IS, ADD, "written_bytes"),
	FIELD(io, call_read_bytes, IS, ADD, "call_read_bytes"),
	FIELD(io, call_written_bytes, IS, ADD, "call_written_bytes"),
	FIELD(io, device_requests, IS, ADD, NULL),
	FIELD(io, call_reads, IS, ADD, NULL),
	FIELD(io, call_writes, IS, ADD, NULL),
	FIELD(io, opens, IS, ADD, "opens"),
	FIELD(io, stalled_usec, SECONDS, OWN, "stalled_seconds"),
	FIELD(io, source, IS, KNOWN, "source"),
	STOP,	/* mounts */
	FIELD(io, waited_usec, SECONDS, OWN, "waited_seconds"),
	FIELD(io, waited_idle_usec, SECONDS, OWN, "waited_idle_seconds"),
	FIELD(io, waited_thread_usec, SECONDS, OWN, "waited_thread_seconds"),
	FIELD(io, waited_source, IS, OWN, "waited_source"),
	FIELD(io, local_free_bytes, IS, OWN, "local_free_bytes"),
	END
};

const struct sw_field sw_wait_fields[] = {
	FIELD(wait, name, IS, OWN, "name"),
	FIELD(wait, detail, IS, OWN, "detail"),
	FIELD(wait, waited_usec, SECONDS, OWN, "stalled_seconds"),
	FIELD(wait, waited_idle_usec, SECONDS, OWN, "idle_seconds"),
	FIELD(wait, waited_thread_usec, SECONDS, OWN, "thread_seconds"),
	FIELD(wait, scratch_files, COUNT, OWN, "scratch_files"),
	FIELD(wait, scratch_bytes, IS, OWN, "scratch_bytes"),
	FIELD(wait, scratch_usec, SECONDS, OWN, "scratch_thread_seconds"),
	END
};

/* As for waits for I/O. */
const struct sw_field sw_pressure_fields[] = {
	FIELD(pressure, cpu_some_usec, SECONDS, OWN, "cpu_some_seconds"),
	FIELD(pressure, memory_some_usec, SECONDS, OWN, "memory_some_seconds"),
	FIELD(pressure, memory_full_usec, SECONDS, OWN, "memory_full_seconds"),
	FIELD(pressure, io_some_usec, SECONDS, OWN, "io_some_seconds"),
	FIELD(pressure, io_full_usec, SECONDS, OWN, "io_full_seconds"),
	END
};

#define RECORDING(member, as, fold, key) FIELD(recording, member, as, fold, key)

const struct sw_field sw_recording_fields[] = {
	RECORDING(period_usec, SECONDS, FIRST, "period_seconds"),
	RECORDING(samples, IS, ADD, "samples"),
	RECORDING(lost_samples, IS, ADD, "lost"),
	RECORDING(gap_usec, SECONDS, OWN, "not_sampled_seconds"),
	RECORDING(limited_usec, SECONDS, OWN,
		  "not_sampled_for_cpu_limit_seconds"),
	STOP,	/* data dropped from the files */
	RECORDING(is_finished, IS, ALL, "is_finished"),
	RECORDING(recorder_cpu_usec, SECONDS, OWN, "recorder_cpu_seconds"),
	RECORDING(recorder_hiwater_bytes, IS, MAX, "recorder_peak_bytes"),
	RECORDING(backend, IS, FIRST, "backend"),
	RECORDING(backend_reason, IS, FIRST, "backend_reason"),
	RECORDING(programs_source, IS, FIRST, "programs_source"),
	RECORDING(programs_reason, IS, FIRST, "programs_reason"),
	RECORDING(failures_source, IS, FIRST, "failures_source"),
	RECORDING(failures_reason, IS, FIRST, "failures_reason"),
	RECORDING(final_source, IS, FIRST, "final_source"),
	RECORDING(unparsed_processes, IS, FIRST, NULL),
	RECORDING(is_cgroup_lost, IS, FIRST, NULL),
	RECORDING(has_left_cgroup, IS, FIRST, NULL),
	END
};

#define LIMIT(limit) FIELD(limits, usec[SW_LIMIT_##limit], IS, ADD, NULL)
#define STOOD(limit) FIELD(limits, stood_usec[SW_LIMIT_##limit], IS, ADD, NULL)

const struct sw_field sw_limit_fields[] = {
	LIMIT(CPU),
	LIMIT(QUOTA),
	LIMIT(NEIGHBORS),
	LIMIT(GPU),
	LIMIT(TURNS),
	LIMIT(IO),
	LIMIT(MEMORY),
	LIMIT(LOCK),
	LIMIT(PIPE),
	LIMIT(LINK),
	LIMIT(SOCKET),
	LIMIT(POLL),
	LIMIT(SIGNAL),
	LIMIT(CHILD),
	LIMIT(SLEEP),
	LIMIT(TERMINAL),
	LIMIT(STOPPED),
	LIMIT(OTHER),
	LIMIT(UNSEEN),
	STOOD(SOCKET),
	STOOD(TERMINAL),
	STOOD(STOPPED),
	STOOD(POLL),
	STOOD(SLEEP),
	STOOD(LOCK),
	FIELD(limits, waits_source, IS, KNOWN, "waits_source"),
	END
};

#define PART(member, fields) { fields, offsetof(struct sw_view, member) }

const struct sw_view_part sw_view_parts[] = {
	{ sw_view_fields, 0 },
	PART(job, sw_job_fields),
	PART(slurm, sw_slurm_fields),
	PART(cpu, sw_cpu_fields),
	PART(memory, sw_memory_fields),
	PART(io, sw_io_fields),
	PART(pressure, sw_pressure_fields),
	PART(counters, sw_kernel_fields),
	PART(counters, sw_hardware_fields),
	PART(network, sw_network_fields),
	PART(limits, sw_limit_fields),
	PART(nearby.energy, sw_energy_fields),
	PART(nearby.around, sw_surroundings_fields),
	PART(recording, sw_recording_fields),
	{ NULL, 0 },
};
