/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every field of a view, once: a part's clearing, its reading from a row, its
 * sum and its object in the JSON report walk these tables.
 */
#include "analyzer/view/view_internal.h"

#define TYPE(member)                                                           \
	_Generic((member), uint64_t: SW_FIELD_NUMBER, double: SW_FIELD_REAL,   \
		 bool: SW_FIELD_BOOL, const char *: SW_FIELD_TEXT,             \
		 char *: SW_FIELD_CHARS)
#define ROW(type, member, column, as, fold, key)                               \
	{ key, column, offsetof(struct type, member),                          \
	  TYPE(((struct type *)NULL)->member), SW_AS_##as, SW_FOLD_##fold }

/* A member of a part, or one that is read from a column of a row as it is. */
#define FIELD(part, member, as, fold, key) \
	ROW(sw_view_##part, member, NULL, as, fold, key)
#define COLUMN(part, member, column, as, fold, key) \
	ROW(sw_view_##part, member, column, as, fold, key)
#define GROUP(key) { key, NULL, 0, SW_FIELD_GROUP, SW_AS_IS, SW_FOLD_OWN }
#define STOP { NULL, NULL, 0, SW_FIELD_STOP, SW_AS_IS, SW_FOLD_OWN }
#define END { NULL, NULL, 0, SW_FIELD_END, SW_AS_IS, SW_FOLD_OWN }

#define VIEW(member, fold) ROW(sw_view, member, NULL, IS, fold, NULL)
#define IDENTITY(member, key) ROW(sw_view, member, #member, IS, FIRST, key)

/* Of the table "identity", which has the same names. */
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

/* The same of each job's row in a node's summaries. */
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
	/* Armed is what all were. */
	FIELD(slurm, is_armed, IS, MIN, NULL),
	END
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

/* Of limits and requests the largest holds the others. */
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

/* Waits at the same time do not add up to a share of the time. */
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
	FIELD(io, stalled_source, IS, OWN, NULL),
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

/* As with waits for I/O. */
const struct sw_field sw_pressure_fields[] = {
	FIELD(pressure, cpu_some_usec, SECONDS, OWN, "cpu_some_seconds"),
	FIELD(pressure, memory_some_usec, SECONDS, OWN, "memory_some_seconds"),
	FIELD(pressure, memory_full_usec, SECONDS, OWN, "memory_full_seconds"),
	FIELD(pressure, io_some_usec, SECONDS, OWN, "io_some_seconds"),
	FIELD(pressure, io_full_usec, SECONDS, OWN, "io_full_seconds"),
	END
};

#define KERNEL(member, column, as, key) \
	COLUMN(counters, member, column, as, ADD, key)
#define HARDWARE(member, column, key) \
	COLUMN(counters, member, column, IS, ADD, key)

const struct sw_field sw_kernel_fields[] = {
	KERNEL(counted_usec, "cpu_usec", SECONDS, "counted_core_seconds"),
	KERNEL(page_faults, "page_faults", IS, "page_faults"),
	KERNEL(major_faults, "major_faults", IS, "major_faults"),
	KERNEL(context_switches, "context_switches", IS, "context_switches"),
	KERNEL(cpu_migrations, "cpu_migrations", IS, "cpu_migrations"),
	FIELD(counters, is_user_only, IS, ANY, "is_user_only"),
	END
};

const struct sw_field sw_hardware_fields[] = {
	COLUMN(counters, hw_usec, "enabled_usec", SECONDS, ADD,
	       "counted_core_seconds"),
	STOP,	/* the share of it in which was counted */
	HARDWARE(hw_counted_usec, "running_usec", NULL),
	HARDWARE(instructions, "instructions", "instructions"),
	HARDWARE(cycles, "cycles", "cycles"),
	HARDWARE(ref_cycles, "ref_cycles", "reference_cycles"),
	HARDWARE(stalled_cycles, "stalled_cycles", "stalled_cycles"),
	HARDWARE(llc_misses, "llc_misses", "llc_misses"),
	HARDWARE(branch_misses, "branch_misses", "branch_misses"),
	HARDWARE(fp_counted_usec, "fp_running_usec", NULL),
	HARDWARE(fp_operations, "fp_operations", NULL),
	HARDWARE(fp_double[0], "fp_double_scalar", NULL),
	HARDWARE(fp_double[1], "fp_double_128", NULL),
	HARDWARE(fp_double[2], "fp_double_256", NULL),
	HARDWARE(fp_double[3], "fp_double_512", NULL),
	HARDWARE(fp_single_counted_usec, "fp_single_running_usec", NULL),
	HARDWARE(fp_single[0], "fp_single_scalar", NULL),
	HARDWARE(fp_single[1], "fp_single_128", NULL),
	HARDWARE(fp_single[2], "fp_single_256", NULL),
	HARDWARE(fp_single[3], "fp_single_512", NULL),
	END
};

const struct sw_field sw_network_fields[] = {
	FIELD(network, received_bytes, IS, ADD, "received_bytes"),
	FIELD(network, received_packets, IS, ADD, "received_packets"),
	FIELD(network, sent_bytes, IS, ADD, "sent_bytes"),
	FIELD(network, sent_packets, IS, ADD, "sent_packets"),
	FIELD(network, loopback_received_bytes, IS, ADD,
	      "loopback_received_bytes"),
	FIELD(network, loopback_sent_bytes, IS, ADD, "loopback_sent_bytes"),
	FIELD(network, source, IS, KNOWN, "source"),
	END
};

const struct sw_field sw_energy_fields[] = {
	FIELD(energy, node_uj, JOULES_OF_UJ, ADD, "node_joules"),
	FIELD(energy, cpu_share, IS, OWN, "cpu_share"),
	FIELD(energy, step_uj, JOULES_OF_UJ, ADD, "estimated_joules"),
	END
};

#define AROUND(member, as, fold, key) \
	FIELD(surroundings, member, as, fold, key)

const struct sw_field sw_surroundings_fields[] = {
	AROUND(busy_usec, SECONDS, ADD, "busy_core_seconds"),
	AROUND(other_usec, SECONDS, ADD, "other_core_seconds"),
	AROUND(idle_usec, SECONDS, ADD, "idle_core_seconds"),
	AROUND(iowait_usec, SECONDS, ADD, "iowait_core_seconds"),
	AROUND(steal_usec, SECONDS, ADD, "steal_core_seconds"),
	AROUND(available_bytes, IS, MIN, "available_bytes"),
	AROUND(memory_read_bytes, IS, ADD, "memory_read_bytes"),
	AROUND(memory_written_bytes, IS, ADD, "memory_written_bytes"),
	END
};

const struct sw_field sw_link_fields[] = {
	FIELD(link, kind, IS, OWN, "kind"),
	FIELD(link, name, IS, OWN, "name"),
	FIELD(link, detail, IS, OWN, "detail"),
	FIELD(link, received_bytes, IS, OWN, "received_bytes"),
	FIELD(link, sent_bytes, IS, OWN, "sent_bytes"),
	FIELD(link, errors, IS, OWN, "errors"),
	FIELD(link, bits_per_sec, IS, OWN, "bits_per_second"),
	FIELD(link, peak_utilization, IS, OWN, "peak_utilization"),
	FIELD(link, full_usec, SECONDS, OWN, "saturated_seconds"),
	END
};

const struct sw_field sw_reading_fields[] = {
	FIELD(reading, kind, IS, OWN, "kind"),
	FIELD(reading, name, IS, OWN, "name"),
	FIELD(reading, detail, IS, OWN, "detail"),
	FIELD(reading, events, IS, OWN, "events"),
	FIELD(reading, last, IS, OWN, "last"),
	FIELD(reading, smallest, IS, OWN, "smallest"),
	FIELD(reading, largest, IS, OWN, "largest"),
	END
};

const struct sw_field sw_mount_fields[] = {
	FIELD(mount, name, IS, FIRST, "name"),
	FIELD(mount, detail, IS, FIRST, "detail"),
	FIELD(mount, read_bytes, IS, ADD, "read_bytes"),
	FIELD(mount, written_bytes, IS, ADD, "written_bytes"),
	FIELD(mount, reads, IS, ADD, "reads"),
	FIELD(mount, writes, IS, ADD, "writes"),
	FIELD(mount, opens, IS, ADD, "opens"),
	FIELD(mount, getattrs, IS, ADD, "getattrs"),
	FIELD(mount, requests, IS, ADD, "requests"),
	FIELD(mount, read_usec, SECONDS, ADD, "read_seconds"),
	FIELD(mount, write_usec, SECONDS, ADD, "write_seconds"),
	FIELD(mount, request_usec, SECONDS, ADD, "request_seconds"),
	FIELD(mount, retransmits, IS, ADD, "retransmits"),
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
	STOP,	/* what was dropped of the files */
	RECORDING(is_finished, IS, ALL, "is_finished"),
	RECORDING(recorder_cpu_usec, SECONDS, OWN, "recorder_cpu_seconds"),
	RECORDING(recorder_hiwater_bytes, IS, MAX, "recorder_peak_bytes"),
	RECORDING(backend, IS, FIRST, "backend"),
	RECORDING(backend_reason, IS, FIRST, "backend_reason"),
	RECORDING(programs_source, IS, FIRST, "programs_source"),
	RECORDING(programs_reason, IS, FIRST, "programs_reason"),
	RECORDING(failures_source, IS, FIRST, "failures_source"),
	RECORDING(final_source, IS, FIRST, "final_source"),
	RECORDING(unparsed_processes, IS, FIRST, NULL),
	RECORDING(is_cgroup_lost, IS, FIRST, NULL),
	RECORDING(has_left_cgroup, IS, FIRST, NULL),
	END
};

#define PROGRAM(member, column, as, fold, key) \
	COLUMN(program, member, column, as, fold, key)

const struct sw_field sw_program_fields[] = {
	PROGRAM(name, "name", IS, FIRST, "name"),
	PROGRAM(started, "started", IS, ADD, "count"),
	PROGRAM(running, "running", IS, ADD, "running"),
	PROGRAM(is_complete, "is_complete", IS, ALL, "is_complete"),
	PROGRAM(cpu_usec, "cpu_usec", SECONDS, ADD, "used_core_seconds"),
	PROGRAM(user_usec, "user_usec", SECONDS, ADD, "user_seconds"),
	PROGRAM(system_usec, "system_usec", SECONDS, ADD, "system_seconds"),
	STOP,	/* ends of which nothing is known */
	PROGRAM(ended, "ended", IS, ADD, NULL),
	FIELD(program, unseen_ends, IS, ADD, NULL),
	PROGRAM(peak_bytes, "peak_bytes", IS, MAX, "peak_bytes"),
	PROGRAM(peak_anon_bytes, "peak_anon_bytes", IS, MAX, NULL),
	STOP,	/* whether it may have been more */
	FIELD(program, is_peak_sampled, IS, ANY, NULL),
	PROGRAM(read_bytes, "read_bytes", IS, ADD, "read_bytes"),
	PROGRAM(written_bytes, "written_bytes", IS, ADD, "written_bytes"),
	PROGRAM(call_read_bytes, "rchar", IS, ADD, "call_read_bytes"),
	PROGRAM(call_written_bytes, "wchar", IS, ADD, "call_written_bytes"),
	PROGRAM(opens, "opens", IS, ADD, "opens"),
	PROGRAM(mpi_processes, "mpi_processes", IS, ADD, NULL),
	PROGRAM(mpi_usec, "mpi_usec", SECONDS, ADD, "mpi_seconds"),
	PROGRAM(mpi_least_usec, "mpi_least_usec", SECONDS, MIN, NULL),
	PROGRAM(spin_usec, "spin_usec", SECONDS, MAX, "spin_seconds"),
	PROGRAM(spin_call_usec, "spin_call_usec", SECONDS, MAX, NULL),
	PROGRAM(spin_call, "spin_call", IS, KNOWN, "spin_call"),
	PROGRAM(spin_object, "spin_object", IS, KNOWN, "spin_object"),
	PROGRAM(io_wait_usec, "io_wait_usec", SECONDS, ADD, "io_wait_seconds"),
	PROGRAM(run_queue_wait_usec, "run_queue_wait_usec", IS, ADD, NULL),
	GROUP("elapsed"),
	/* Of quantiles only those that agree say anything of both. */
	PROGRAM(elapsed_p50_usec, "elapsed_p50_usec", SECONDS, SAME, "p50"),
	PROGRAM(elapsed_p95_usec, "elapsed_p95_usec", SECONDS, SAME, "p95"),
	PROGRAM(elapsed_max_usec, "elapsed_max_usec", SECONDS, MAX, "max"),
	GROUP(NULL),
	PROGRAM(exited_ok, "exited_ok", IS, ADD, "exited_ok"),
	PROGRAM(exited_nonzero, "exited_nonzero", IS, ADD, "exited_nonzero"),
	PROGRAM(last_exit_status, "last_exit_status", IS, SAME, NULL),
	PROGRAM(killed, "killed", IS, ADD, NULL),
	GROUP("killed_by"),
	PROGRAM(signal_kill, "signal_kill", COUNT, ADD, "SIGKILL"),
	PROGRAM(signal_segv, "signal_segv", COUNT, ADD, "SIGSEGV"),
	PROGRAM(signal_abrt, "signal_abrt", COUNT, ADD, "SIGABRT"),
	PROGRAM(signal_term, "signal_term", COUNT, ADD, "SIGTERM"),
	PROGRAM(signal_other, "signal_other", COUNT, ADD, "other"),
	GROUP(NULL),
	PROGRAM(last_signal, "last_signal", IS, SAME, NULL),
	PROGRAM(oom_killed, "oom_killed", IS, ADD, "oom_killed"),
	PROGRAM(first_start_usec, "first_start_usec", IS, MIN, NULL),
	PROGRAM(last_end_usec, "last_end_usec", IS, MAX, NULL),
	PROGRAM(failed_call, "failed_call", IS, KNOWN, "failed_call"),
	PROGRAM(failed_error, "failed_error", IS, KNOWN, "failed_error"),
	PROGRAM(failed_object, "failed_object", IS, KNOWN, "failed_object"),
	PROGRAM(failed_is_cause, "failed_is_cause", BOOL, KNOWN,
		"failed_is_cause"),
	PROGRAM(failed_end_usec, "failed_end_usec", IS, KNOWN, NULL),
	PROGRAM(last_read, "last_read", IS, KNOWN, "last_read"),
	END
};

#define GPU(member, as, key) FIELD(gpu, member, as, OWN, key)

const struct sw_field sw_gpu_fields[] = {
	GPU(name, IS, "name"),
	GPU(model, IS, "model"),
	GPU(uuid, IS, "uuid"),
	GPU(node, IS, "node"),
	GPU(source, IS, "source"),
	GPU(is_mig, IS, "is_mig"),
	GPU(is_used, IS, "is_used"),
	GPU(processes, IS, "processes"),
	GPU(busy_ratio, IS, "utilization"),
	GPU(own_busy_ratio, IS, "own_utilization"),
	GPU(memory_busy_ratio, IS, "memory_utilization"),
	GPU(memory_total_bytes, IS, "memory_bytes"),
	GPU(memory_used_bytes, IS, "memory_peak_bytes"),
	GPU(own_memory_bytes, IS, "own_memory_peak_bytes"),
	GPU(mean_watts, IS, "mean_watts"),
	GPU(energy_mj, JOULES_OF_MJ, "energy_joules"),
	GPU(celsius_max, IS, "celsius_max"),
	GPU(slowed_ratio, IS, "slowdown_share"),
	GPU(power_capped_ratio, IS, "power_cap_share"),
	GPU(pcie_sent_bytes, IS, "pcie_sent_bytes"),
	GPU(pcie_received_bytes, IS, "pcie_received_bytes"),
	GPU(nvlink_sent_bytes, IS, "nvlink_sent_bytes"),
	GPU(nvlink_received_bytes, IS, "nvlink_received_bytes"),
	GROUP("errors"),
	GPU(ecc_corrected, IS, "ecc_corrected"),
	GPU(ecc_uncorrected, IS, "ecc_uncorrected"),
	GPU(xids, IS, "xids"),
	GPU(last_xid, IS, "last_xid"),
	GPU(rows_remapped, IS, "rows_remapped"),
	GPU(pages_retired, IS, "pages_retired"),
	GPU(is_remap_pending, BOOL, "is_remap_pending"),
	GPU(has_remap_failed, BOOL, "has_remap_failed"),
	GPU(status, IS, "status"),
	END
};

#define TASK(member, column, as, key) COLUMN(task, member, column, as, OWN, key)

const struct sw_field sw_task_fields[] = {
	TASK(rank, "task", IS, "rank"),
	TASK(local_task, "local_task", IS, "local_rank"),
	TASK(pid, "pid", IS, "pid"),
	STOP,	/* its times, and how it ended */
	TASK(start_usec, "start_usec", IS, NULL),
	TASK(end_usec, "end_usec", IS, NULL),
	TASK(wait_status, "wait_status", IS, NULL),
	GROUP("cpu"),
	TASK(cpu_usec, "cpu_usage_usec", SECONDS, "used_core_seconds"),
	TASK(user_usec, "cpu_user_usec", SECONDS, "user_seconds"),
	TASK(system_usec, "cpu_system_usec", SECONDS, "system_seconds"),
	GROUP("memory"),
	TASK(memory_peak_bytes, "memory_peak_bytes", IS, "peak_bytes"),
	TASK(memory_oom_kills, "memory_oom_kills", IS, "oom_kills"),
	TASK(memory_max_events, "memory_max_events", IS, "limit_hits"),
	STOP,	/* its counters */
	TASK(cgroup_kind, "cgroup_kind", IS, "cgroup"),
	TASK(final_source, "final_source", IS, "final_source"),
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

#define PLACE(member, as, key) ROW(sw_place_task, member, NULL, as, OWN, key)

const struct sw_field sw_place_task_fields[] = {
	PLACE(rank, IS, "rank"),
	STOP,	/* the CPUs, and what they are parts of */
	PLACE(changes, IS, "binding_changes"),
	PLACE(seen_usec, SECONDS, "observed_seconds"),
	PLACE(cpu_usec, SECONDS, "used_core_seconds"),
	PLACE(run_queue_wait_usec, SECONDS, "run_queue_wait_seconds"),
	PLACE(migrations, IS, "migrations"),
	PLACE(threads, IS, "threads"),
	PLACE(last_cpu, IS, NULL),
	PLACE(since_usec, IS, NULL),
	END
};

#define EVENT(member, key) ROW(sw_view_event, member, #member, IS, OWN, key)

const struct sw_field sw_event_fields[] = {
	EVENT(time_usec, NULL),
	EVENT(kind, "kind"),
	EVENT(program, "program"),
	EVENT(pid, "pid"),
	EVENT(value, "value"),
	EVENT(detail, "detail"),
	END
};

#define HANG(member, as, key) ROW(sw_view_hang, member, #member, as, OWN, key)

const struct sw_field sw_hang_fields[] = {
	HANG(time_usec, IS, NULL),
	HANG(still_usec, SECONDS, "still_seconds"),
	HANG(took_usec, SECONDS, "took_seconds"),
	HANG(program, IS, "program"),
	HANG(pid, IS, "pid"),
	HANG(tid, IS, "tid"),
	HANG(threads, IS, "threads"),
	HANG(kind, IS, "kind"),
	HANG(call, IS, "call"),
	HANG(function, IS, "function"),
	HANG(object, IS, "object"),
	HANG(sleep_usec, SECONDS, "sleep_seconds"),
	HANG(other, IS, "other"),
	HANG(other_pid, IS, "other_pid"),
	HANG(timeslices, IS, "timeslices"),
	HANG(timeslices_usec, SECONDS, "timeslices_seconds"),
	FIELD(hang, stack, IS, OWN, "stack"),
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
