/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find out what threads wait for: one pass over the threads that are not
 * running, of the processes named by the recorder, out of those that exec.bpf.c
 * follows.  If the system call or its file explains the wait, the thread is
 * only counted; for the others, all available details are reported, including
 * the stack.
 *
 * look_up goes from the process to its threads and needs bpf_rdonly_cast and
 * bpf_task_from_pid (6.2).  walk runs for every thread on the node (5.8).  Both
 * are iterators, since only those may get a task by its pid and read its stack:
 * look_up is one over a map of one element.
 */
#include "recorder/bpf/bpf_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "recorder/bpf/bpf_task.h"
#include "recorder/bpf/exec_record.h"
#include "recorder/bpf/waits_record.h"
#include "recorder/waits/wait_asked.h"

enum {
	PROCESSES_MAX = 32768,		/* as in exec.bpf.c */
	THREADS_MAX = 4096,		/* per process */
	/* include/linux/sched.h */
	IS_WORKER = 0x10,
	STATE_RUNNING = 0,
	STATE_UNINTERRUPTIBLE = 2,
	STATE_STOPPED = 0x4 | 0x8 | 0x8000,	/* includes traced and frozen */
	/* arch/x86/include/asm/thread_info.h: TS_COMPAT */
	IS_COMPAT = 2,
	S_FORMAT_SHIFT = 12,
	FAULT_WORDS = 256,	/* stack words searched in a page fault */
};

#ifdef SW_WITHOUT_CAST	/* see bpf_task.h */
/* Nothing that uses them may change, or the data get another layout. */
#define bpf_task_from_pid(pid) ((struct task_struct *)(long)(pid))
#define bpf_task_release(task) ((void)(task))
#else
extern struct task_struct *bpf_task_from_pid(int pid) __ksym __weak;
extern void bpf_task_release(struct task_struct *task) __ksym __weak;
#endif

/* Shared with exec.bpf.c */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PROCESSES_MAX);
	__type(key, int);
	__type(value, struct sw_record_process);
} processes SEC(".maps");

/*
 * Kind of wait of each system call, and of each type of file: enum
 * sw_wait_kind; 0: not sufficient.
 */
unsigned char call_kind[SW_WAITS_CALLS];
unsigned char mode_kind[SW_WAITS_MODES];

/*
 * The way a call specifies events, enum sw_asked_call; and the kind of wait by
 * requested events, enum sw_wait_kind.
 */
unsigned char call_asked[SW_WAITS_CALLS];
unsigned char asked_kind[SW_ASKED_COUNT];

/*
 * Offset from a thread's stack to its user-mode registers; and the recorder's
 * own registers and stack, from which the offset is computed.
 */
unsigned long registers_offset;
unsigned long own_registers, own_stack;

/* Requested processes, each with the index of its account, and the results. */
int wanted[SW_WAITS_BATCH];
unsigned char wanted_share[SW_WAITS_BATCH];
unsigned int wanted_count;
unsigned int room[SW_WAITS_SHARES];	/* thread slots left per account */
struct sw_waits_process seen[SW_WAITS_BATCH];
struct sw_waits_thread threads[SW_WAITS_THREADS];
unsigned int thread_count;

/* Addresses for which the recorder wants names */
unsigned long long addresses[SW_WAITS_NAMES];
unsigned int address_count;
char names[SW_WAITS_NAMES][SW_WAITS_NAME_SIZE];

/* Path that a thread looks up, and two of its user-mode registers */
int wanted_thread;
char path[SW_WAITS_PATH_SIZE];
unsigned long long frame_pointer, link;	/* 0: none */

/* Return the system call number, or -1. */
static __always_inline int call_of(const struct task_struct *task,
				   struct sw_waits_thread *to)
{
	const struct pt_regs *registers =
		(const void *)((unsigned long)task->stack + registers_offset);
	const struct pt_regs___arm64 *arm = (const void *)registers;

	/* A kernel worker (io_uring), created in another thread's call. */
	if (task->flags & IS_WORKER)
		return -1;
	if (bpf_core_field_exists(registers->orig_ax)) {
		if (bpf_core_field_exists(task->thread_info.status) &&
		    (task->thread_info.status & IS_COMPAT))
			return -1;
		to->fd = (int)BPF_CORE_READ(registers, di);
		return (int)BPF_CORE_READ(registers, orig_ax);
	}
	if (bpf_core_field_exists(arm->syscallno)) {
		to->fd = (int)BPF_CORE_READ(arm, orig_x0);
		return BPF_CORE_READ(arm, syscallno);
	}
	return -1;
}

/* Return the kind of a wait for events; without events it is a sleep. */
static __always_inline unsigned int
kind_of_asked(const struct task_struct *task, unsigned int how)
{
	const struct pt_regs *registers =
		(const void *)((unsigned long)task->stack + registers_offset);
	const struct pt_regs___arm64 *arm = (const void *)registers;
	unsigned long long argument[SW_ASKED_ARGUMENTS] = {};
	unsigned int asked;

	if (bpf_core_field_exists(registers->orig_ax)) {
		argument[0] = BPF_CORE_READ(registers, di);
		argument[1] = BPF_CORE_READ(registers, si);
		argument[2] = BPF_CORE_READ(registers, dx);
		argument[4] = BPF_CORE_READ(registers, r8);
	} else {
		argument[0] = BPF_CORE_READ(arm, orig_x0);
		argument[1] = BPF_CORE_READ(arm, regs[1]);
		argument[2] = BPF_CORE_READ(arm, regs[2]);
		argument[4] = BPF_CORE_READ(arm, regs[4]);
	}
	asked = sw_asked_about(how, argument);
	return asked < SW_ASKED_COUNT ? asked_kind[asked] : 0;
}

static __always_inline void take_device(struct sw_waits_thread *to,
					const struct super_block *super)
{
	to->magic = (unsigned int)BPF_CORE_READ(super, s_magic);
	to->device = BPF_CORE_READ(super, s_dev);
}

static __always_inline void take_file(struct sw_waits_thread *to,
				      const struct task_struct *task)
{
	const struct fdtable *table = BPF_CORE_READ(task, files, fdt);
	const struct inode *inode;
	struct file **slots, *file = 0;

	if (!table || to->fd < 0 ||
	    (unsigned int)to->fd >= BPF_CORE_READ(table, max_fds))
		return;
	slots = BPF_CORE_READ(table, fd);
	bpf_probe_read_kernel(&file, sizeof(file), slots + to->fd);
	if (!file)
		return;
	inode = BPF_CORE_READ(file, f_inode);
	to->mode = BPF_CORE_READ(inode, i_mode);
	to->inode = BPF_CORE_READ(inode, i_ino);
	to->size = (unsigned long long)BPF_CORE_READ(inode, i_size);
	take_device(to, BPF_CORE_READ(inode, i_sb));
}

/* Get the device that a path lookup has reached. */
static __always_inline void take_path(struct sw_waits_thread *to,
				      const struct task_struct *task)
{
	const struct nameidata *lookup;
	const struct dentry *dentry;

	lookup = BPF_CORE_READ(task, nameidata);
	if (!lookup)
		return;
	dentry = BPF_CORE_READ(lookup, path.dentry);
	if (dentry)
		take_device(to, BPF_CORE_READ(dentry, d_sb));
}

/* Return the wait, enum sw_wait_kind; 0: it needs *to and the stack. */
static __always_inline unsigned int look_at(struct sw_waits_thread *to,
					    const struct task_struct *task,
					    unsigned int state)
{
	unsigned int kind = 0, how = 0, call;

	to->state = state;
	to->in_iowait = BPF_CORE_READ_BITFIELD_PROBED(task, in_iowait);
	to->mode = to->magic = to->device = 0;
	to->inode = to->size = 0;
	to->depth = 0;
	to->fd = -1;
	call = (unsigned int)call_of(task, to);
	to->call = (int)call;
	if (call < SW_WAITS_CALLS) {
		/* Keep the compiler from dropping the mask below. */
		barrier_var(call);
		kind = call_kind[call & (SW_WAITS_CALLS - 1)];
		how = call_asked[call & (SW_WAITS_CALLS - 1)];
	}
	if (how)
		kind = kind_of_asked(task, how);
	if (kind == SW_WAITS_BY_FILE) {
		take_file(to, task);
		kind = mode_kind[to->mode >> S_FORMAT_SHIFT &
				 (SW_WAITS_MODES - 1)];
	} else {
		to->fd = -1;
		if (!kind)
			take_path(to, task);
	}
	/*
	 * It may be in a fault within the call, or in file I/O; or it was
	 * stopped by a signal, and the call is restarted afterwards.
	 */
	if ((state & (STATE_UNINTERRUPTIBLE | STATE_STOPPED)) || to->in_iowait)
		return 0;
	return kind;
}

/* A macro: the pointer has to keep the type known to the verifier. */
#define TAKE_STACK(to, task) \
	do { \
		long length = bpf_get_task_stack(task, (to)->stack, \
						 sizeof((to)->stack), 0); \
		(to)->depth = length > 0 ? (unsigned int)length / 8 : 0; \
	} while (0)

struct fault {
	struct sw_waits_thread *to;
	unsigned long mm, next;		/* address on the stack */
};

/* Frames of the fault handler contain the VMA, recognized by its mm. */
static long take_word(__u32 index, void *context)
{
	struct fault *fault = context;
	const struct vm_area_struct *area = 0;
	const struct file *file;

	(void)index;
	if (bpf_probe_read_kernel(&area, sizeof(area),
				  (const void *)fault->next) < 0 ||
	    !fault->to)
		return 1;
	fault->next += sizeof(area);
	if ((long)area >= 0 ||
	    (unsigned long)BPF_CORE_READ(area, vm_mm) != fault->mm)
		return 0;
	file = BPF_CORE_READ(area, vm_file);
	if (!file)
		return 0;
	take_device(fault->to, BPF_CORE_READ(file, f_inode, i_sb));
	return 1;
}

/* Prepare the search for a page fault's file, which no register holds. */
static __always_inline void begin_fault(struct fault *fault,
					struct sw_waits_thread *to,
					const struct task_struct *task)
{
	const struct thread_struct___arm64 *arm = (const void *)&task->thread;

	fault->to = to;
	fault->mm = (unsigned long)task->mm;
	fault->next = 0;
	if (to->call >= 0 || (task->flags & IS_WORKER))
		return;
	if (bpf_core_field_exists(task->thread.sp))
		fault->next = BPF_CORE_READ(task, thread.sp);
	else if (bpf_core_field_exists(arm->cpu_context.sp))
		fault->next = BPF_CORE_READ(arm, cpu_context.sp);
}

struct walk {
	struct sw_waits_process *to;
	unsigned long next, head;	/* of the thread list */
	unsigned int share;
	int pid;
};

static void take_thread(struct walk *walk, struct task_struct *task,
			unsigned int state)
{
	struct sw_waits_process *process = walk->to;
	struct task_struct *known;
	struct sw_waits_thread *to;
	unsigned int at = thread_count, kind;
	struct fault fault;

	if (!process)
		return;
	if (at >= SW_WAITS_THREADS) {
		process->left_out++;
		return;
	}
	to = &threads[at];
	kind = look_at(to, task, state);
	if (kind) {
		process->kind[kind & (SW_WAITS_KINDS - 1)]++;
		return;
	}
	if (!room[walk->share & (SW_WAITS_SHARES - 1)]) {
		process->left_out++;
		return;
	}
	room[walk->share & (SW_WAITS_SHARES - 1)]--;
	to->pid = walk->pid;
	to->tid = task->pid;
	to->switches = task->nvcsw + task->nivcsw;
	begin_fault(&fault, to, task);
	if (fault.mm && fault.next)
		bpf_loop(FAULT_WORDS, take_word, &fault, 0);
	known = bpf_task_from_pid(to->tid);
	if (known) {
		TAKE_STACK(to, known);
		bpf_task_release(known);
	}
	thread_count = at + 1;
}

static long take_next(__u32 index, void *context)
{
	struct walk *walk = context;
	struct task_struct *task;
	unsigned int state;

	(void)index;
	if (walk->next == walk->head || !walk->next)
		return 1;
	task = AS(task_struct, walk->next -
		  bpf_core_field_offset(struct task_struct, thread_node));
	walk->next = (unsigned long)task->thread_node.next;
	state = state_of(task);
	if (state != STATE_RUNNING && !task->exit_state)
		take_thread(walk, task, state);
	return 0;
}

static long take_wanted(__u32 index, void *context)
{
	static const struct sw_waits_process none;
	struct sw_record_process *process;
	struct signal_struct *signal;
	struct task_struct *task;
	struct walk walk = {};

	(void)context;
	if (index >= SW_WAITS_BATCH)
		return 1;
	walk.to = &seen[index];
	walk.pid = wanted[index];
	walk.share = wanted_share[index];
	seen[index] = none;
	process = bpf_map_lookup_elem(&processes, &walk.pid);
	if (!process || !process->task)
		return 0;
	task = AS(task_struct, process->task);
	/* The process may have exited and its memory been reused. */
	if (task->pid != walk.pid || task->tgid != walk.pid)
		return 0;
	signal = task->signal;
	if (!signal)
		return 0;
	walk.head = (unsigned long)signal +
		    bpf_core_field_offset(struct signal_struct, thread_head);
	walk.next = (unsigned long)signal->thread_head.next;
	bpf_loop(THREADS_MAX, take_next, &walk, 0);
	return 0;
}

/* A single element, so that a walk over it is one call */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, int);
} once SEC(".maps");

SEC("iter/bpf_map_elem")
int look_up(struct bpf_iter__bpf_map_elem *context)
{
	if (!context->key)
		return 0;
	thread_count = 0;
	bpf_loop(wanted_count, take_wanted, 0, 0);
	return 0;
}

SEC("iter/task")
int walk(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct sw_waits_told told = {};
	unsigned int state, i;
	struct fault fault;

	if (!task)
		return 0;
	state = state_of(task);
	if (state == STATE_RUNNING || task->exit_state)
		return 0;
	told.thread.pid = task->tgid;
	if (!bpf_map_lookup_elem(&processes, &told.thread.pid))
		return 0;
	told.thread.tid = task->pid;
	told.thread.switches = task->nvcsw + task->nivcsw;
	told.kind = look_at(&told.thread, task, state);
	if (!told.kind) {
		TAKE_STACK(&told.thread, task);
		begin_fault(&fault, &told.thread, task);
		/* Kernels with walk may lack bpf_loop(). */
		for (i = 0; i < FAULT_WORDS && fault.mm && fault.next; i++) {
			if (take_word(i, &fault))
				break;
		}
	}
	bpf_seq_write(context->meta->seq, &told, sizeof(told));
	return 0;
}

/* Run once: the offset is the same for all threads. */
SEC("raw_tp")
int measure(void *context)
{
	struct task_struct *own = bpf_get_current_task_btf();

	(void)context;
	/* The verifier does not allow subtracting from a pointer. */
	own_registers = bpf_task_pt_regs(own);
	own_stack = (unsigned long)own->stack;
	return 0;
}

/* Resolve the names of the functions at these addresses, including modules. */
SEC("raw_tp")
int name(void *context)
{
	unsigned long long address;
	unsigned int i;

	(void)context;
	for (i = 0; i < SW_WAITS_NAMES && i < address_count; i++) {
		/* The return address may be the begin of the next function. */
		address = addresses[i] - 1;
		bpf_snprintf(names[i], SW_WAITS_NAME_SIZE, "%ps", &address,
			     sizeof(address));
	}
	return 0;
}

static __always_inline void take_frame(const struct task_struct *task)
{
	const struct pt_regs *registers =
		(const void *)((unsigned long)task->stack + registers_offset);
	const struct pt_regs___arm64 *arm = (const void *)registers;

	if (bpf_core_field_exists(registers->bp)) {
		frame_pointer = BPF_CORE_READ(registers, bp);
	} else if (bpf_core_field_exists(arm->syscallno)) {
		frame_pointer = BPF_CORE_READ(arm, regs[29]);
		link = BPF_CORE_READ(arm, regs[30]);
	}
}

/* Does not access the file system: the kernel has a copy of the path. */
SEC("iter/bpf_map_elem")
int find_path(struct bpf_iter__bpf_map_elem *context)
{
	struct task_struct *task;
	const char *text = 0;

	if (!context->key)
		return 0;
	path[0] = 0;
	frame_pointer = link = 0;
	task = bpf_task_from_pid(wanted_thread);
	if (!task)
		return 0;
	take_frame(task);
	if (task->nameidata)
		text = BPF_CORE_READ(task, nameidata, name, name);
	if (text)
		bpf_probe_read_kernel_str(path, sizeof(path), text);
	bpf_task_release(task);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
