/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What processes have used so far and what they do now: one pass over the
 * threads of those that the recorder names, of those that exec.bpf.c follows.
 *
 * look_up goes from the process to its threads and costs nothing for those of
 * others; it needs bpf_rdonly_cast (6.2).  walk is called for every thread on
 * the node (5.8).  find, also for every one, puts in the processes that were
 * not seen to begin.
 */
#include "recorder/bpf_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "recorder/bpf_sums.h"
#include "recorder/snapshot_record.h"

enum {
	PROCESSES_MAX = 32768,		/* as exec.bpf.c has it */
	/* Of include/linux/sched.h: PF_EXITING, PF_..., states. */
	IS_EXITING = 4,
	STATE_RUNNING = 0,
	STATE_UNINTERRUPTIBLE = 2,
	STATE_NOLOAD = 0x400,
	/* Of include/linux/mm_types_task.h. */
	FILE_PAGES = 0, ANON_PAGES, SWAP_PAGES, SHMEM_PAGES,
};

extern void *bpf_rdonly_cast(const void *pointer, __u32 type) __ksym __weak;
extern struct task_struct *bpf_task_from_pid(__s32 pid) __ksym __weak;
extern void bpf_task_release(struct task_struct *task) __ksym __weak;

/* That of exec.bpf.c. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PROCESSES_MAX);
	__type(key, int);
	__type(value, struct sw_record_process);
} processes SEC(".maps");

/* Whom the recorder asks for, and the answers. */
int wanted[SW_SNAPSHOT_BATCH];
unsigned int wanted_count;
struct sw_snapshot_process seen[SW_SNAPSHOT_BATCH];

/* Possible CPUs, 0: pages are not summed exactly; and how far from an address
 * that stands for those of all CPUs the one of a CPU is. */
unsigned int cpus;
unsigned long cpu_offset[SW_SNAPSHOT_CPUS_MAX];

/* Only to learn these offsets. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, unsigned long);
} sample SEC(".maps");

#define AS(type, pointer) \
	((struct type *)bpf_rdonly_cast((const void *)(pointer), \
		bpf_core_type_id_kernel(struct type)))

struct pages {
	const struct mm_struct *mm;
	long long count[4];
};

static long add_cpu(__u32 cpu, void *context)
{
	struct pages *sum = context;
	const struct mm_struct *mm = AS(mm_struct, sum->mm);
	unsigned long offset;

	if (cpu >= SW_SNAPSHOT_CPUS_MAX)
		return 1;
	offset = cpu_offset[cpu];
#define ADD(which) \
	(sum->count[which] += AS(refcount_struct, offset + \
		(unsigned long)mm->rss_stat[which].counters)->refs.counter)
	ADD(FILE_PAGES);
	ADD(ANON_PAGES);
	ADD(SWAP_PAGES);
	ADD(SHMEM_PAGES);
#undef ADD
	return 0;
}

/* With what the CPUs have not added to the sums yet. */
static void sum_pages(struct sw_snapshot_memory *to, const struct mm_struct *mm)
{
	struct pages sum = { .mm = mm };

	if (!bpf_core_field_exists(mm->rss_stat[0].counters))
		return;
	bpf_loop(cpus, add_cpu, &sum, 0);
	to->file += sum.count[FILE_PAGES];
	to->anon += sum.count[ANON_PAGES];
	to->swap += sum.count[SWAP_PAGES];
	to->shmem += sum.count[SHMEM_PAGES];
}

/* A macro for the reason that ADD_THREAD is one. */
#define TAKE_MEMORY(to, mm) \
	do { \
		(to)->start_code = (mm)->start_code; \
		(to)->start_stack = (mm)->start_stack; \
		(to)->hiwater = (mm)->hiwater_rss; \
		if (bpf_core_type_exists(struct mm_rss_stat)) { \
			const struct mm_struct___before_6_2 *old = \
				(const void *)(mm); \
			(to)->file = old->rss_stat.count[FILE_PAGES]; \
			(to)->anon = old->rss_stat.count[ANON_PAGES]; \
			(to)->swap = old->rss_stat.count[SWAP_PAGES]; \
			(to)->shmem = old->rss_stat.count[SHMEM_PAGES]; \
		} else { \
			(to)->file = (mm)->rss_stat[FILE_PAGES].count; \
			(to)->anon = (mm)->rss_stat[ANON_PAGES].count; \
			(to)->swap = (mm)->rss_stat[SWAP_PAGES].count; \
			(to)->shmem = (mm)->rss_stat[SHMEM_PAGES].count; \
		} \
	} while (0)

static unsigned int state_of(const struct task_struct *task)
{
	const struct task_struct___before_5_14 *old = (const void *)task;

	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return (unsigned int)old->state;
}

/* A macro, too. */
#define TAKE_THREAD(to, task) \
	do { \
		unsigned int state = state_of(task); \
		(to)->threads++; \
		(to)->running += state == STATE_RUNNING; \
		(to)->blocked += (state & (STATE_UNINTERRUPTIBLE | \
					   STATE_NOLOAD)) == \
				 STATE_UNINTERRUPTIBLE; \
		ADD_THREAD(&(to)->sums, task, ADD_ALONE); \
	} while (0)

struct walk {
	struct sw_snapshot_process *to;
	unsigned long next, head;	/* of the list of threads */
	unsigned long mm;
};

static long take_next(__u32 index, void *context)
{
	struct walk *walk = context;
	struct sw_snapshot_process *to = walk->to;
	struct task_struct *task;

	(void)index;
	if (walk->next == walk->head || !walk->next || !to)
		return 1;
	task = AS(task_struct, walk->next -
		  bpf_core_field_offset(struct task_struct, thread_node));
	walk->next = (unsigned long)task->thread_node.next;
	/*
	 * Among its process's ended ones already, or soon: until then it is
	 * missing rather than counted twice.
	 */
	if (task->flags & IS_EXITING)
		return 0;
	walk->mm = (unsigned long)task->mm;
	TAKE_THREAD(to, task);
	return 0;
}

static void take_process(struct sw_snapshot_process *to, int pid,
			 struct sw_record_process *process)
{
	struct walk walk = { .to = to };
	struct signal_struct *signal;
	struct task_struct *task;
	struct mm_struct *mm;

	task = AS(task_struct, process->task);
	/* It may have ended, and its memory be another's. */
	if (task->pid != pid || task->tgid != pid)
		return;
	signal = task->signal;
	if (!signal)
		return;
	/* Before its threads: one that ends meanwhile is not counted twice. */
	to->sums = process->sums;
	to->start_nsec = task->start_boottime;
	walk.head = (unsigned long)signal +
		    bpf_core_field_offset(struct signal_struct, thread_head);
	walk.next = (unsigned long)signal->thread_head.next;
	bpf_loop(SW_SNAPSHOT_THREADS_MAX, take_next, &walk, 0);
	to->is_there = 1;
	if (signal->nr_threads > SW_SNAPSHOT_THREADS_MAX)
		to->left_out = (unsigned int)signal->nr_threads -
			       SW_SNAPSHOT_THREADS_MAX;
	if (walk.mm) {
		mm = AS(mm_struct, walk.mm);
		TAKE_MEMORY(&to->memory, mm);
		if (cpus)
			sum_pages(&to->memory, mm);
	}
}

static long take_wanted(__u32 index, void *context)
{
	static const struct sw_snapshot_process none;
	struct sw_record_process *process;
	struct sw_snapshot_process *to;
	int pid;

	(void)context;
	if (index >= SW_SNAPSHOT_BATCH)
		return 1;
	to = &seen[index];
	pid = wanted[index];
	*to = none;
	process = bpf_map_lookup_elem(&processes, &pid);
	if (process && process->task)
		take_process(to, pid, process);
	return 0;
}

SEC("raw_tp")
int look_up(void *context)
{
	(void)context;
	bpf_loop(wanted_count, take_wanted, 0, 0);
	return 0;
}

/*
 * The scheduler's clock less bpf_ktime_get_ns(), right after this CPU's run
 * queue was brought up to date; too small by the time that has passed since.
 */
__u64 clock_offset;

SEC("raw_tp")
int compare_clocks(void *context)
{
	struct task_struct *task = bpf_get_current_task_btf();

	(void)context;
	if (bpf_core_field_exists(task->se.cfs_rq) &&
	    bpf_core_field_exists(task->se.cfs_rq->rq))
		clock_offset = task->se.cfs_rq->rq->clock - bpf_ktime_get_ns();
	return 0;
}

static long measure_cpu(__u32 cpu, void *context)
{
	const unsigned long *all = context;
	int key = 0;
	void *own;

	if (cpu >= SW_SNAPSHOT_CPUS_MAX)
		return 1;
	own = bpf_map_lookup_percpu_elem(&sample, &key, cpu);
	if (!own)
		return 1;
	/* The verifier lets only pointers be taken from pointers. */
	/* Where the compiler cannot see that it is needless. */
	barrier_var(cpu);
	cpu_offset[cpu % SW_SNAPSHOT_CPUS_MAX] = (unsigned long)own -
			  (unsigned long)AS(list_head, *all);
	cpus = cpu + 1;
	return 0;
}

/* Once: where a CPU has its own of what each has one of. */
SEC("raw_tp")
int measure(void *context)
{
	const struct bpf_array *array = AS(bpf_array, &sample);
	unsigned long all;

	(void)context;
	bpf_probe_read_kernel(&all, sizeof(all), &array->pptrs[0]);
	bpf_loop(SW_SNAPSHOT_CPUS_MAX, measure_cpu, &all, 0);
	return 0;
}

/* Threads that do not run, of the wanted processes. */
struct sw_snapshot_wait waits[SW_SNAPSHOT_WAITS];
unsigned int wait_count, waits_left_out;
/* By number: is the first argument of this system call a descriptor? */
unsigned char takes_fd[SW_SNAPSHOT_SYSCALLS];

static void see_call(struct sw_snapshot_wait *wait, const struct pt_regs *regs,
		     unsigned long *first)
{
	const struct pt_regs___x86 *x86 = (const void *)regs;
	const struct pt_regs___arm64 *arm64 = (const void *)regs;

	wait->syscall = -1;
	*first = 0;
	if (bpf_core_field_exists(x86->orig_ax)) {
		wait->syscall = (int)x86->orig_ax;
		*first = x86->di;
	} else if (bpf_core_field_exists(arm64->syscallno)) {
		wait->syscall = arm64->syscallno;
		*first = arm64->regs[0];
	}
}

static void see_file(struct sw_snapshot_wait *wait,
		     const struct task_struct *task, unsigned long number)
{
	const struct files_struct *files = task->files;
	const struct fdtable *table;
	const struct inode *inode;
	struct file *file = 0;

	if (!files)
		return;
	table = files->fdt;
	if (number >= table->max_fds)
		return;
	bpf_probe_read_kernel(&file, sizeof(file), &table->fd[number]);
	if (!file)
		return;
	inode = AS(file, file)->f_inode;
	wait->file_mode = inode->i_mode;
	wait->file_magic = (unsigned int)inode->i_sb->s_magic;
}

static void see_wait(struct sw_snapshot_wait *wait, struct task_struct *task)
{
	unsigned long first;
	unsigned int call;
	long length;

	wait->pid = task->tgid;
	wait->tid = task->pid;
	wait->state = state_of(task);
	wait->in_iowait = BPF_CORE_READ_BITFIELD(task, in_iowait);
	see_call(wait, (const struct pt_regs *)bpf_task_pt_regs(task), &first);
	wait->file_mode = wait->file_magic = 0;
	call = (unsigned int)wait->syscall;
	if (call < SW_SNAPSHOT_SYSCALLS) {
		barrier_var(call);
		if (takes_fd[call % SW_SNAPSHOT_SYSCALLS])
			see_file(wait, task, first);
	}
	length = bpf_get_task_stack(task, wait->stack, sizeof(wait->stack), 0);
	wait->depth = length > 0 ? (unsigned int)length / 8 : 0;
}

static long wait_next(__u32 index, void *context)
{
	struct walk *walk = context;
	struct task_struct *seen, *task;
	unsigned int at;

	(void)index;
	if (walk->next == walk->head || !walk->next)
		return 1;
	seen = AS(task_struct, walk->next -
		  bpf_core_field_offset(struct task_struct, thread_node));
	walk->next = (unsigned long)seen->thread_node.next;
	if (seen->flags & IS_EXITING || state_of(seen) == STATE_RUNNING)
		return 0;
	at = wait_count;
	if (at >= SW_SNAPSHOT_WAITS) {
		waits_left_out++;
		return 0;
	}
	task = bpf_task_from_pid(seen->pid);
	if (!task)
		return 0;
	wait_count = at + 1;
	barrier_var(at);
	see_wait(&waits[at % SW_SNAPSHOT_WAITS], task);
	bpf_task_release(task);
	return 0;
}

static long wait_wanted(__u32 index, void *context)
{
	struct sw_record_process *process;
	struct walk walk = {};
	struct task_struct *task;
	struct signal_struct *signal;
	int pid;

	(void)context;
	if (index >= SW_SNAPSHOT_BATCH)
		return 1;
	pid = wanted[index];
	process = bpf_map_lookup_elem(&processes, &pid);
	if (!process || !process->task)
		return 0;
	task = AS(task_struct, process->task);
	if (task->pid != pid || task->tgid != pid)
		return 0;
	signal = task->signal;
	if (!signal)
		return 0;
	walk.head = (unsigned long)signal +
		    bpf_core_field_offset(struct signal_struct, thread_head);
	walk.next = (unsigned long)signal->thread_head.next;
	bpf_loop(SW_SNAPSHOT_THREADS_MAX, wait_next, &walk, 0);
	return 0;
}

/* Of one element, so that a walk over it is one call. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, int);
} once SEC(".maps");

/*
 * Why the threads do not run.  An iterator, for only such programs may both
 * take a task by its number and look at its stack.
 */
SEC("iter/bpf_map_elem")
int look_at_waits(struct bpf_iter__bpf_map_elem *context)
{
	if (!context->key)
		return 0;
	wait_count = waits_left_out = 0;
	bpf_loop(wanted_count, wait_wanted, 0, 0);
	return 0;
}

SEC("iter/task")
int find(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct sw_record_process *process;
	int pid;

	if (!task)
		return 0;
	pid = task->pid;
	if (pid != task->tgid)
		return 0;
	process = bpf_map_lookup_elem(&processes, &pid);
	if (process && !process->task)
		process->task = (unsigned long)task;
	return 0;
}

SEC("iter/task")
int walk(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct sw_snapshot_thread told = {};
	struct mm_struct *mm;

	if (!task)
		return 0;
	told.pid = task->tgid;
	if (!bpf_map_lookup_elem(&processes, &told.pid) ||
	    task->flags & IS_EXITING)
		return 0;
	told.thread.is_there = 1;
	TAKE_THREAD(&told.thread, task);
	mm = task->mm;
	if (task->pid == told.pid) {
		told.thread.start_nsec = task->start_boottime;
		if (mm)
			TAKE_MEMORY(&told.thread.memory, mm);
	}
	bpf_seq_write(context->meta->seq, &told, sizeof(told));
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
