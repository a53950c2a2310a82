/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a thread began, and what it has used; only *.bpf.c. */
#ifndef SW_RECORDER_BPF_SUMS_H
#define SW_RECORDER_BPF_SUMS_H

#include "recorder/bpf_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

/* Nanoseconds since the boot, as /proc/PID/stat has it in ticks. */
static __always_inline __u64 start_of(const struct task_struct *task)
{
	const struct task_struct___before_5_5 *old = (const void *)task;

	if (bpf_core_field_exists(task->start_boottime))
		return task->start_boottime;
	return old->real_start_time;
}

/* Where threads of one process may add at once, and where only one does. */
#define ADD_SHARED(to, value) \
	do { \
		__u64 more = (__u64)(value); \
		/* Most of a thread's are 0, and a locked sum is dear. */ \
		if (more) \
			__sync_fetch_and_add(&(to), more); \
	} while (0)
#define ADD_ALONE(to, value) ((to) += (value))

/*
 * A macro: a pointer that is handed on to a function may lose the type that
 * the verifier knows.  Kernels without an account have none of its members.
 */
#define ADD_THREAD(sums, task, add) \
	do { \
		add((sums)->runtime_nsec, (task)->se.sum_exec_runtime); \
		add((sums)->user_nsec, (task)->utime); \
		add((sums)->system_nsec, (task)->stime); \
		add((sums)->minflt, (task)->min_flt); \
		add((sums)->majflt, (task)->maj_flt); \
		add((sums)->voluntary, (task)->nvcsw); \
		add((sums)->nonvoluntary, (task)->nivcsw); \
		if (bpf_core_field_exists((task)->sched_info.run_delay)) \
			add((sums)->run_delay_nsec, \
			    (task)->sched_info.run_delay); \
		if (bpf_core_field_exists((task)->ioac.rchar)) { \
			add((sums)->rchar, (task)->ioac.rchar); \
			add((sums)->wchar, (task)->ioac.wchar); \
			add((sums)->syscr, (task)->ioac.syscr); \
			add((sums)->syscw, (task)->ioac.syscw); \
		} \
		if (bpf_core_field_exists((task)->ioac.read_bytes)) { \
			add((sums)->read_bytes, (task)->ioac.read_bytes); \
			add((sums)->write_bytes, (task)->ioac.write_bytes); \
			add((sums)->cancelled_bytes, \
			    (task)->ioac.cancelled_write_bytes); \
		} \
	} while (0)

#endif
