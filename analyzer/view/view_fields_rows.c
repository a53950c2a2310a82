/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of arrays in a view: programs, tasks, mounts, events. */
#include "analyzer/view/field_rows.h"

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
	STOP,	/* ends without known status */
	PROGRAM(ended, "ended", IS, ADD, NULL),
	FIELD(program, unseen_ends, IS, ADD, NULL),
	PROGRAM(peak_bytes, "peak_bytes", IS, MAX, "peak_bytes"),
	PROGRAM(peak_anon_bytes, "peak_anon_bytes", IS, MAX, NULL),
	STOP,	/* lower bound or not */
	FIELD(program, is_peak_sampled, IS, ANY, NULL),
	FIELD(program, is_cpu_of_ended, IS, ANY, NULL),
	FIELD(program, is_victim_guessed, IS, ANY, NULL),
	PROGRAM(read_bytes, "read_bytes", IS, ADD, "read_bytes"),
	PROGRAM(written_bytes, "written_bytes", IS, ADD, "written_bytes"),
	PROGRAM(call_read_bytes, "rchar", IS, ADD, "call_read_bytes"),
	PROGRAM(call_written_bytes, "wchar", IS, ADD, "call_written_bytes"),
	PROGRAM(opens, "opens", IS, ADD, "opens"),
	PROGRAM(sampled_usec, "sampled_usec", SECONDS, ADD, "sampled_seconds"),
	PROGRAM(metadata_usec, "metadata_usec", SECONDS, ADD,
		"metadata_seconds"),
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
	/* Quantiles do not add up; keep those that are equal. */
	PROGRAM(elapsed_p50_usec, "elapsed_p50_usec", SECONDS, SAME, "p50"),
	PROGRAM(elapsed_p95_usec, "elapsed_p95_usec", SECONDS, SAME, "p95"),
	PROGRAM(elapsed_max_usec, "elapsed_max_usec", SECONDS, MAX, "max"),
	GROUP(NULL),
	PROGRAM(exited_ok, "exited_ok", IS, ADD, "exited_ok"),
	PROGRAM(exited_nonzero, "exited_nonzero", IS, ADD, "exited_nonzero"),
	PROGRAM(forked_nonzero, "forked_nonzero", IS, ADD, "forked_nonzero"),
	PROGRAM(forked_not_found, "forked_not_found", IS, ADD, NULL),
	PROGRAM(first_not_found_usec, "first_not_found_usec", IS, MIN, NULL),
	PROGRAM(first_failed_usec, "first_failed_usec", IS, MIN, NULL),
	PROGRAM(ok_shortest_usec, "ok_shortest_usec", SECONDS, MIN, NULL),
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
	PROGRAM(killed_by_job, "killed_by_job", IS, ADD, "killed_by_job"),
	PROGRAM(killed_by_other, "killed_by_other", IS, ADD,
		"killed_by_other"),
	PROGRAM(killer, "killer", IS, KNOWN, "killer"),
	PROGRAM(killed_cpu_usec, "killed_cpu_usec", SECONDS, MAX, NULL),
	PROGRAM(killed_bytes, "killed_bytes", IS, MAX, NULL),
	PROGRAM(failed_cpu_usec, "failed_cpu_usec", SECONDS, MAX, NULL),
	PROGRAM(failed_written_bytes, "failed_written_bytes", IS, MAX, NULL),
	PROGRAM(failed_start_usec, "failed_start_usec", IS, MAX, NULL),
	PROGRAM(started_by, "started_by", IS, KNOWN, "started_by"),
	END
};

#define TASK(member, column, as, key) COLUMN(task, member, column, as, OWN, key)

const struct sw_field sw_task_fields[] = {
	TASK(rank, "task", IS, "rank"),
	TASK(local_task, "local_task", IS, "local_rank"),
	TASK(pid, "pid", IS, "pid"),
	STOP,	/* times, and how it ended */
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

#define PLACE(member, as, key) ROW(sw_place_task, member, NULL, as, OWN, key)

const struct sw_field sw_place_task_fields[] = {
	PLACE(rank, IS, "rank"),
	STOP,	/* the CPUs, and their topology */
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
	HANG(is_connecting, BOOL, "is_connecting"),
	HANG(timeslices, IS, "timeslices"),
	HANG(timeslices_usec, SECONDS, "timeslices_seconds"),
	FIELD(hang, stack, IS, OWN, "stack"),
	FIELD(hang, stack_left_out, IS, OWN, "stack_left_out"),
	END
};

#define PIPE(member) ROW(sw_view_pipe, member, #member, IS, OWN, NULL)

const struct sw_field sw_pipe_fields[] = {
	PIPE(time_usec),
	PIPE(program),
	PIPE(pid),
	PIPE(cpu_usec),
	PIPE(age_usec),
	PIPE(is_writing),
	PIPE(others),
	PIPE(other),
	PIPE(other_pid),
	PIPE(other_cpu_usec),
	PIPE(other_age_usec),
	PIPE(other_run_queue_wait_usec),
	END
};
