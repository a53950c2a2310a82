/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers for reading threads; for *.bpf.c only. */
#ifndef SW_RECORDER_BPF_TASK_H
#define SW_RECORDER_BPF_TASK_H

#include "recorder/bpf/bpf_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

/*
 * Kernels before 6.2 lack this function, and libbpf before 1.6 then searches
 * modules for it, which needs CAP_SYS_ADMIN.  For these kernels there is a
 * second object without it, whose programs with casts are never loaded.
 */
#ifdef SW_WITHOUT_CAST
#define AS(type, pointer) ((struct type *)(pointer))
#else
extern void *bpf_rdonly_cast(const void *pointer, __u32 type) __ksym __weak;

#define AS(type, pointer) \
	((struct type *)bpf_rdonly_cast((const void *)(pointer), \
		bpf_core_type_id_kernel(struct type)))
#endif

static __always_inline unsigned int state_of(const struct task_struct *task)
{
	const struct task_struct___before_5_14 *old = (const void *)task;

	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return (unsigned int)old->state;
}

/* Start time in ns since boot; in ticks in /proc/PID/stat */
static __always_inline __u64 start_of(const struct task_struct *task)
{
	const struct task_struct___before_5_5 *old = (const void *)task;

	if (bpf_core_field_exists(task->start_boottime))
		return task->start_boottime;
	return old->real_start_time;
}

/* May the user trace it?  MMF_DUMPABLE_MASK, include/linux/sched/coredump.h. */
static __always_inline int is_dumpable(const struct task_struct *task)
{
	const struct mm_struct___6_18 *mm = (const void *)task->mm;
	const struct mm_struct___before_6_18 *old = (const void *)mm;
	unsigned long flags = 1;

	if (!mm)
		return 0;
	if (bpf_core_field_exists(mm->flags.__mm_flags))
		flags = BPF_CORE_READ(mm, flags.__mm_flags[0]);
	else if (bpf_core_field_exists(old->flags))
		flags = BPF_CORE_READ(old, flags);
	return (flags & 3) == 1;
}

#endif
