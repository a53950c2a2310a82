/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns of the table "step_summaries", in their order: a row is a step on
 * a node.  The recorder makes the table and its rows from this list, readers
 * make theirs.  A column is
 *	TEXT(name, bytes, readers, help)
 *	NUMBER(name, unit, kind, readers, help)
 *	LIMITED(RESOURCE, name, help), for each enum sw_limited_by
 * Its readers are the NIGHT (the sweep, which decodes no other column) and
 * OTHERS (doctor, import), OTHERS alone, or NEVER a program of ours.
 */
#ifndef SW_COMMON_SUMMARY_FIELDS_H
#define SW_COMMON_SUMMARY_FIELDS_H

/* The job, also in the table "profiles". */
#define SW_SUMMARY_JOB_FIELDS(TEXT, NUMBER) \
	TEXT(cluster, SW_MESSAGE_NAME_SIZE, NIGHT, \
	     "The name of the cluster in Slurm.") \
	TEXT(job_name, SW_MESSAGE_NAME_SIZE, OTHERS, \
	     "The job's name, as given by its user.") \
	NUMBER(job_id, "", STATE, NIGHT, "Slurm's job ID.") \
	NUMBER(array_job_id, "", STATE, NIGHT, \
	     "The job ID of the array; missing: not part of one.") \
	NUMBER(array_task_id, "", STATE, NIGHT, "The index in the array.") \
	NUMBER(het_job_id, "", STATE, NIGHT, \
	     "The job ID of the heterogeneous job; missing: not part " \
	     "of one.") \
	NUMBER(het_component, "", STATE, NIGHT, \
	     "The component of the heterogeneous job.") \
	NUMBER(restart_count, "", STATE, NIGHT, \
	     "How often the job was requeued before.") \
	NUMBER(uid, "", STATE, NIGHT, "The job's user.")

#define SW_SUMMARY_STEP_FIELDS(TEXT, NUMBER) \
	TEXT(step_id, 32, NIGHT, "\"0\", \"batch\", \"extern\".") \
	TEXT(backend, 32, NEVER, "The backend that saw the step's processes.") \
	TEXT(final_source, 16, NIGHT, \
	     "Where the final values come from; \"late\": a later " \
	     "row.") \
	NUMBER(start_realtime_usec, "usec", STATE, NIGHT, \
	     "When the step started, CLOCK_REALTIME.") \
	NUMBER(end_realtime_usec, "usec", STATE, NIGHT, \
	     "When it ended, likewise.") \
	NUMBER(task_count, "count", STATE, NIGHT, "Tasks of the step.") \
	NUMBER(node_task_count, "count", STATE, NEVER, "Tasks on this node.") \
	NUMBER(node_count, "count", STATE, NEVER, "Nodes of the step.") \
	NUMBER(node_index, "", STATE, NEVER, \
	     "The index of this node among them, from 0.") \
	NUMBER(requested_cpus_milli, "count", STATE, NIGHT, \
	     "CPUs requested on this node, in thousandths.") \
	NUMBER(requested_memory_bytes, "bytes", GAUGE, NIGHT, \
	     "Memory requested on this node.") \
	NUMBER(input_bytes, "bytes", GAUGE, NIGHT, \
	     "STEPWELL_INPUT_BYTES, if the user set it.") \
	NUMBER(wait_status, "", STATE, NIGHT, \
	     "The wait status, as in wait(2).") \
	NUMBER(is_armed, "", STATE, NEVER, \
	     "1: counters were attached before its tasks executed.") \
	NUMBER(samples, "count", STATE, NEVER, "Samples taken.") \
	NUMBER(lost_samples, "count", STATE, NEVER, \
	     "Samples that were due but not taken.") \
	NUMBER(usage_usec, "usec", COUNTER, NIGHT, "CPU time.") \
	NUMBER(user_usec, "usec", COUNTER, NEVER, "CPU time in user mode.") \
	NUMBER(system_usec, "usec", COUNTER, NEVER, "CPU time in the kernel.") \
	NUMBER(throttled_usec, "usec", COUNTER, NIGHT, \
	     "Time lost to a CPU quota, summed over the CPUs.") \
	NUMBER(peak_cores_milli, "count", PEAK, NIGHT, \
	     "CPUs busy between two samples at least half a second " \
	     "apart, at most, in thousandths; of a shorter step all " \
	     "along.") \
	NUMBER(need_bytes, "bytes", PEAK, NIGHT, \
	     "Memory that the step needed: the low end of the " \
	     "interval.") \
	NUMBER(peak_bytes, "bytes", PEAK, NEVER, \
	     "memory.peak, including page cache.") \
	NUMBER(floor_bytes, "bytes", PEAK, NIGHT, \
	     "Advice may not go below this.") \
	NUMBER(oom_kills, "count", STATE, NIGHT, \
	     "Processes that the kernel's OOM killer killed.") \
	NUMBER(read_bytes, "bytes", COUNTER, NIGHT, "Read by system calls.") \
	NUMBER(written_bytes, "bytes", COUNTER, NIGHT, \
	     "Written by system calls.") \
	NUMBER(cpu_some_usec, "usec", COUNTER, NIGHT, "cpu.pressure, some.") \
	NUMBER(memory_full_usec, "usec", COUNTER, NIGHT, \
	     "memory.pressure, full.") \
	NUMBER(io_full_usec, "usec", COUNTER, NIGHT, "io.pressure, full.") \
	NUMBER(gpu_count, "count", GAUGE, NEVER, \
	     "GPUs allocated to it on this node.") \
	NUMBER(gpu_seen_usec, "usec", COUNTER, NIGHT, \
	     "Time for which these were sampled, summed over them.") \
	NUMBER(gpu_busy_usec, "usec", COUNTER, NIGHT, \
	     "The part of it in which a kernel ran.") \
	NUMBER(gpu_memory_bytes, "bytes", PEAK, NEVER, \
	     "Memory in use on the fullest of them.") \
	NUMBER(stall_usec, "usec", COUNTER, NEVER, \
	     "Time in which a thread waited for the file system that " \
	     "cost most.") \
	NUMBER(stall_idle_usec, "usec", COUNTER, NIGHT, \
	     "The part of it in which no thread of the step ran.") \
	NUMBER(stall_intervals, "count", COUNTER, NEVER, \
	     "Intervals of such waits.") \
	TEXT(stall_kind, 16, NEVER, \
	     "What most of these waits were for: read, write, " \
	     "metadata.") \
	TEXT(stall_fs, 16, NIGHT, \
	     "The kind of that file system: nfs, lustre, local.") \
	TEXT(stall_mount, 128, NIGHT, \
	     "Where the node has it mounted; none that a user " \
	     "mounted.")

/* What limited the step, in microseconds of its time. */
#define SW_SUMMARY_LIMITED_FIELDS(LIMITED) \
	LIMITED(CPU, cpu, "Time in which it ran, or its quota was used up.") \
	LIMITED(IO, io, "Time lost to a file system or block device.") \
	LIMITED(MEMORY, memory, "Time lost to short memory.") \
	LIMITED(NETWORK, network, "Time lost to a link that it filled.") \
	LIMITED(LOCK, lock, "Time lost to locks, or to turns at one.") \
	LIMITED(GPU, gpu, "Time in which the busiest of its GPUs was busy.") \
	LIMITED(NODE, node, "Time in which others had its CPUs.") \
	LIMITED(WAITING, waiting, "Time lost to peers, pipes, children, sleep.")

#define SW_SUMMARY_LAST_FIELDS(TEXT, NUMBER) \
	NUMBER(disk_bytes_per_sec, "bytes/s", PEAK, OTHERS, \
	     "Read and written on block devices, at most, over half a " \
	     "second or more.") \
	NUMBER(net_bytes_per_sec, "bytes/s", PEAK, OTHERS, \
	     "Received or sent over IP, whichever was more, likewise.") \
	TEXT(failed_program, 64, NIGHT, \
	     "The program by which the step failed, if that is " \
	     "certain.") \
	TEXT(failed_cause, 16, NIGHT, \
	     "Why: missing_file, permission, no_space, quota, " \
	     "library, interpreter, program, memory, refused, " \
	     "io_error, crash.")

#endif
