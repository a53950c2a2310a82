/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sample the part of a process's CPU time spent in MPI libraries, which poll
 * while they wait: one sample per fixed amount of CPU time.
 */
#include "recorder/bpf/bpf_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "recorder/bpf/exec_record.h"

/* Shared with exec.bpf.c */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, struct sw_record_process);
} processes SEC(".maps");

enum { NAME_SIZE = 16 };

struct library {
	char name[NAME_SIZE];
};

static long read_library(struct task_struct *task, struct vm_area_struct *area,
			 void *context)
{
	struct library *library = context;
	struct file *file = area->vm_file;

	(void)task;
	if (file)
		bpf_probe_read_kernel_str(
			library->name, sizeof(library->name),
			file->f_path.dentry->d_name.name);
	return 0;
}

#define BEGINS(name, a, b, c, d, e) \
	((name)[0] == (a) && (name)[1] == (b) && (name)[2] == (c) && \
	 (name)[3] == (d) && (name)[4] == (e))

/*
 * libmpi*, libpmpi*: MPI itself; libuc[pst]*: UCX; libopen-*, mca_*: parts of
 * Open MPI; libfabric, libpsm*, libhcoll: the transports below.
 */
static int is_of_mpi(const char *name)
{
	if (BEGINS(name, 'm', 'c', 'a', '_', name[4]))
		return 1;
	if (name[0] != 'l' || name[1] != 'i' || name[2] != 'b')
		return 0;
	name += 3;
	return (name[0] == 'm' && name[1] == 'p' && name[2] == 'i') ||
	       BEGINS(name, 'p', 'm', 'p', 'i', name[4]) ||
	       (name[0] == 'u' && name[1] == 'c' &&
		(name[2] == 'p' || name[2] == 's' || name[2] == 't')) ||
	       BEGINS(name, 'o', 'p', 'e', 'n', '-') ||
	       BEGINS(name, 'f', 'a', 'b', 'r', 'i') ||
	       (name[0] == 'p' && name[1] == 's' && name[2] == 'm') ||
	       BEGINS(name, 'h', 'c', 'o', 'l', 'l');
}

static unsigned long place_of(struct task_struct *task)
{
	const struct pt_regs *registers =
		(const struct pt_regs *)bpf_task_pt_regs(task);
	const struct pt_regs___arm64 *arm64 = (const void *)registers;

	if (bpf_core_field_exists(registers->ip))
		return registers->ip;
	return bpf_core_field_exists(arm64->pc) ? arm64->pc : 0;
}

SEC("perf_event")
int on_tick(void *unused)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct library library = { 0 };
	struct sw_record_process *process;
	int pid = task->tgid;

	(void)unused;
	process = bpf_map_lookup_elem(&processes, &pid);
	if (!process)
		return 0;
	/* Its mappings are being changed: skip this sample. */
	if (bpf_find_vma(task, place_of(task), read_library, &library, 0) < 0)
		return 0;
	__sync_fetch_and_add(&process->sums.ticks, 1);
	if (is_of_mpi(library.name))
		__sync_fetch_and_add(&process->sums.mpi_ticks, 1);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
