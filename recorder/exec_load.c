/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The BPF program exec.bpf.c, brought into the kernel.  Gives up in a pid
 * namespace, without CAP_BPF and CAP_PERFMON (or root), and without BTF.
 */
#include "recorder/exec_load.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/exec_record.h"
#include "recorder/process.h"

enum { CLOCK_TRIES = 3 };

static int be_quiet(enum libbpf_print_level level, const char *format,
		    va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

/* Before 5.11 a process cannot be seen at the very end. */
static struct exec_bpf *open_and_load(bool has_later_hooks)
{
	struct exec_bpf *skeleton = exec_bpf__open();
	int saved;

	if (!skeleton)
		return NULL;
	bpf_program__set_autoload(skeleton->progs.on_signal,
				  has_later_hooks);
	bpf_program__set_autoload(skeleton->progs.on_free,
				  has_later_hooks);
	bpf_program__set_autoload(skeleton->progs.compare_clocks,
				  has_later_hooks);
	skeleton->rodata->has_later_hooks = has_later_hooks;
	if (exec_bpf__load(skeleton) == 0 &&
	    exec_bpf__attach(skeleton) == 0)
		return skeleton;
	saved = errno;
	exec_bpf__destroy(skeleton);
	errno = saved;
	return NULL;
}

struct exec_bpf *sw_exec_load(struct sw_error *error)
{
	struct exec_bpf *skeleton;

	/* BPF knows pids as the first namespace has them: elsewhere another's. */
	if (!sw_process_has_first_pids()) {
		sw_error_set(error, "bpf: the recorder is in a pid namespace, "
			     "as in a container");
		return NULL;
	}
	libbpf_set_print(be_quiet);
	skeleton = open_and_load(true);
	if (!skeleton)
		skeleton = open_and_load(false);
	if (!skeleton)
		sw_error_errno(error, "bpf: exec records cannot be had here");
	return skeleton;
}

static uint32_t *group_of(struct exec_bpf *skeleton, pid_t pid)
{
	return &skeleton->bss->followed[(uint32_t)pid % SW_RECORD_GROUPS];
}

int sw_exec_follow(struct exec_bpf *skeleton, pid_t pid)
{
	/* It may have threads: how many is known when it executes. */
	static const struct sw_record_process none;
	uint32_t *group = group_of(skeleton, pid);
	struct bpf_map *processes = skeleton->maps.processes;

	/* Before it is there, so that its next event is seen. */
	__atomic_add_fetch(group, 1, __ATOMIC_SEQ_CST);
	if (bpf_map__update_elem(processes, &pid, sizeof(pid), &none,
				 sizeof(none), BPF_NOEXIST) == 0)
		return 0;
	__atomic_sub_fetch(group, 1, __ATOMIC_SEQ_CST);
	if (errno != EEXIST)
		return -1;
	if (bpf_map__update_elem(processes, &pid, sizeof(pid), &none,
				 sizeof(none), BPF_EXIST) == 0)
		return 0;
	if (errno == ENOENT)
		errno = ESRCH;
	return -1;
}

void sw_exec_forget(struct exec_bpf *skeleton, pid_t pid)
{
	struct bpf_map *processes = skeleton->maps.processes;
	struct sw_record_process process;

	/* Who takes it out, here or at its end, counts it out. */
	if (bpf_map__lookup_elem(processes, &pid, sizeof(pid), &process,
				 sizeof(process), 0) < 0 ||
	    bpf_map__delete_elem(processes, &pid, sizeof(pid), 0) < 0)
		return;
	__atomic_sub_fetch(group_of(skeleton, pid), 1, __ATOMIC_SEQ_CST);
	__atomic_sub_fetch(&skeleton->bss->untold.ends, process.last_ones,
			   __ATOMIC_SEQ_CST);
}

void sw_exec_compare_clocks(struct exec_bpf *skeleton)
{
	int fd = bpf_program__fd(skeleton->progs.compare_clocks), i;
	LIBBPF_OPTS(bpf_test_run_opts, options);
	uint64_t offset = 0, found;

	for (i = 0; i < CLOCK_TRIES; i++) {
		/* Brings the run queue up to date. */
		sched_yield();
		if (fd < 0 || bpf_prog_test_run_opts(fd, &options) < 0)
			return;
		found = skeleton->bss->clock_found;
		/* The clock is ahead or behind: the distance has a sign. */
		if (i == 0 || (int64_t)(found - offset) > 0)
			offset = found;
	}
	skeleton->bss->clock_offset = offset;
}
