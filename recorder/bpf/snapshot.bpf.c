/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Take a snapshot of usage and state of processes: one pass over the threads of
 * the processes named by the recorder, out of those that exec.bpf.c follows.
 *
 * look_up goes from the process to its threads and costs nothing for other
 * processes; it needs bpf_rdonly_cast (6.2).  walk runs for every thread on the
 * node (5.8).  find, also run for each thread, completes the processes whose
 * start was not seen.
 */
#include "recorder/bpf/bpf_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "recorder/bpf/bpf_sums.h"
#include "recorder/bpf/bpf_task.h"
#include "recorder/bpf/snapshot_record.h"

enum {
	PROCESSES_MAX = 32768,		/* as in exec.bpf.c */
	/* include/linux/sched.h: PF_EXITING, PF_..., states */
	IS_EXITING = 4,
	STATE_RUNNING = 0,
	STATE_UNINTERRUPTIBLE = 2,
	STATE_NOLOAD = 0x400,
	/* include/linux/mm_types_task.h */
	FILE_PAGES = 0, ANON_PAGES, SWAP_PAGES, SHMEM_PAGES,
};

/* Shared with exec.bpf.c */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PROCESSES_MAX);
	__type(key, int);
	__type(value, struct sw_record_process);
} processes SEC(".maps");

/* Processes requested by the recorder, and the results */
int wanted[SW_SNAPSHOT_BATCH];
unsigned int wanted_count;
struct sw_snapshot_process seen[SW_SNAPSHOT_BATCH];

/*
 * Number of possible CPUs (0: pages are not summed exactly), and each CPU's
 * offset from a per-CPU address
 */
unsigned int cpus;
unsigned long cpu_offset[SW_SNAPSHOT_CPUS_MAX];

/* Used only to determine these offsets */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, unsigned long);
} sample SEC(".maps");

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

/* Add the deltas that CPUs have not folded into the sums yet. */
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

/* Older verifiers do not follow a pointer into an array of these. */
#define OLD_PAGES(mm, which) BPF_CORE_READ(mm, rss_stat.count[which].counter)

/* A macro for the same reason as ADD_THREAD */
#define TAKE_MEMORY(to, mm) \
	do { \
		(to)->start_code = (mm)->start_code; \
		(to)->start_stack = (mm)->start_stack; \
		(to)->hiwater = (mm)->hiwater_rss; \
		if (bpf_core_type_exists(struct mm_rss_stat)) { \
			const struct mm_struct___before_6_2 *old = \
				(const void *)(mm); \
			(to)->file = OLD_PAGES(old, FILE_PAGES); \
			(to)->anon = OLD_PAGES(old, ANON_PAGES); \
			(to)->swap = OLD_PAGES(old, SWAP_PAGES); \
			(to)->shmem = OLD_PAGES(old, SHMEM_PAGES); \
		} else { \
			(to)->file = (mm)->rss_stat[FILE_PAGES].count; \
			(to)->anon = (mm)->rss_stat[ANON_PAGES].count; \
			(to)->swap = (mm)->rss_stat[SWAP_PAGES].count; \
			(to)->shmem = (mm)->rss_stat[SHMEM_PAGES].count; \
		} \
	} while (0)

/* A macro, too */
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
	unsigned long next, head;	/* of the thread list */
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
	 * It is, or soon will be, counted among the exited threads: better to
	 * miss it until then than to count it twice.
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
	/* The process may have exited and its memory been reused. */
	if (task->pid != pid || task->tgid != pid)
		return;
	signal = task->signal;
	if (!signal)
		return;
	/* Before the threads: one that exits now is not counted twice. */
	to->sums = process->sums;
	to->start_nsec = start_of(task);
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
	/* The verifier only allows pointers to be subtracted from pointers. */
	/* Keep the compiler from dropping the mask below. */
	barrier_var(cpu);
	cpu_offset[cpu % SW_SNAPSHOT_CPUS_MAX] = (unsigned long)own -
			  (unsigned long)AS(list_head, *all);
	cpus = cpu + 1;
	return 0;
}

/* Determine the offset of each CPU's per-CPU data; run once. */
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
		told.thread.start_nsec = start_of(task);
		if (mm)
			TAKE_MEMORY(&told.thread.memory, mm);
	}
	bpf_seq_write(context->meta->seq, &told, sizeof(told));
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
