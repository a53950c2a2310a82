/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Add the usage of a thread to a process's sums; for *.bpf.c only. */
#ifndef SW_RECORDER_BPF_SUMS_H
#define SW_RECORDER_BPF_SUMS_H

#include "recorder/bpf/bpf_types.h"

/* For sums that threads update concurrently, and for those with one writer */
#define ADD_SHARED(to, value) \
	do { \
		__u64 more = (__u64)(value); \
		/* Most are 0, and atomic adds are expensive. */ \
		if (more) \
			__sync_fetch_and_add(&(to), more); \
	} while (0)
#define ADD_ALONE(to, value) ((to) += (value))

/*
 * A macro: a pointer passed to a function may lose the type known to the
 * verifier.  Kernels without I/O accounting have none of its members.
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
