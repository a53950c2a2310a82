/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Send a record for each fork, exec and exit in a step as it happens.  A
 * process belongs to the step if its parent does; the recorder adds the first
 * one.  Records for which there is no room are counted in `lost`.
 */
#include "recorder/bpf/bpf_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "recorder/bpf/bpf_failures_share.h"
#include "recorder/bpf/bpf_names.h"
#include "recorder/bpf/bpf_sums.h"
#include "recorder/bpf/bpf_task.h"
#include "recorder/bpf/exec_record.h"

enum {
	PROCESSES_MAX = 32768,
	RING_SIZE = 4 << 20,
	/* SIGNAL_GROUP_EXIT of include/linux/sched/signal.h */
	GROUP_EXIT = 4,
	/* PF_EXITING of include/linux/sched.h */
	IS_EXITING = 4,
	SIGNAL_CHILD = 17,
	/*
	 * Signals that do not end a process by default: 17-23 and 28, SIGCHLD,
	 * SIGCONT, stops, SIGURG and SIGWINCH, as numbered on x86 and arm64.
	 */
	HARMLESS = 0x7f << 17 | 1 << 28,
	/* SI_QUEUE and SI_TKILL of include/uapi/asm-generic/siginfo.h */
	SENT_BY_QUEUE = -1,
	SENT_TO_THREAD = -6,
	/* MM_FILEPAGES of include/linux/mm_types_task.h */
	FILE_PAGES = 0,
	/* include/uapi/linux/magic.h */
	PROC_MAGIC = 0x9fa0,
	SYSFS_MAGIC = 0x62656572,
	/* More is an error of the clocks: a tick is 10 ms at most. */
	TICK_NSEC_MAX = 12000000,
};

#define IGNORED ((void *)1)	/* SIG_IGN */

/*
 * Values of info for senders without a siginfo: SEND_SIG_NOINFO is a process,
 * SEND_SIG_PRIV the kernel (include/linux/sched/signal.h).
 */
#define OF_PROCESS 0
#define OF_KERNEL 1

/* First members of siginfo (include/uapi/asm-generic/siginfo.h) */
struct signal_info {
	int number, error, code;
};

/* Processes of the steps by pid, with the sums of their exited threads */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PROCESSES_MAX);
	__type(key, int);
	__type(value, struct sw_record_process);
} processes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, RING_SIZE);
} records SEC(".maps");

/*
 * Number of followed processes per group of pids.  If it is 0, the event is not
 * about a followed process.  This takes one cache line, while the map takes
 * several pages, which are cold at fork and free.  In its own section, shared
 * with failures.bpf.c.
 */
__u32 followed[SW_RECORD_GROUPS] SEC(".data.followed");

/*
 * Number of exits noted but not reported yet.  It is nearly always 0, which
 * saves looking at each freed task, whose memory is cold.  On a cache line of
 * its own: the others are only read.
 */
struct {
	__u64 ends, unused[7];
} untold __attribute__((aligned(64)));

/*
 * Number of followed processes: of all, of each user, of each job, and the
 * limit.  No job may use up the room of others.
 */
int all_processes;
int user_processes[SW_RECORD_OWNERS];
struct sw_record_owner owners[SW_RECORD_OWNERS];
const volatile int processes_max = PROCESSES_MAX;

enum { STARTS, EXECS, ENDS };	/* indices into lost[] */

/*
 * Scheduler clock minus bpf_ktime_get_ns(), as measured by the recorder; 0:
 * unknown
 */
__u64 clock_offset;

/*
 * Nonzero if on_signal and on_free are available.  They report exits, when all
 * threads have exited; otherwise thread starts are counted, at some cost for
 * each.
 */
const volatile int has_later_hooks;

/* Producer position of the last wake-up */
__u64 woken_at;

/*
 * Wake the recorder when the ring is a quarter full; below that, its periodic
 * read is enough.  A wake-up costs more than the rest of a record, so while one
 * is pending, repeat it only once per further sixteenth.
 */
static __u64 wake_flag(void)
{
	__u64 end;

	if (bpf_ringbuf_query(&records, BPF_RB_AVAIL_DATA) <= RING_SIZE / 4)
		return BPF_RB_NO_WAKEUP;
	end = bpf_ringbuf_query(&records, BPF_RB_PROD_POS);
	if (end - woken_at <= RING_SIZE / 16)
		return BPF_RB_NO_WAKEUP;
	woken_at = end;
	return BPF_RB_FORCE_WAKEUP;
}

static struct sw_record_owner *owner_of(__u32 number)
{
	return &owners[number & (SW_RECORD_OWNERS - 1)];
}

static void count_lost(__u32 owner, int which)
{
	__sync_fetch_and_add(&owner_of(owner)->lost[which], 1);
}

/* Return whether the job may have one more process; see share.h. */
static int has_share(__u32 number)
{
	const struct sw_record_owner *owner = owner_of(number);
	int left = processes_max - all_processes;

	if (!number)
		return left > 0;
	return owner->processes +
	       user_processes[owner->user & (SW_RECORD_OWNERS - 1)] < left;
}

static void count_process(__u32 number, int more)
{
	struct sw_record_owner *owner = owner_of(number);

	__sync_fetch_and_add(&all_processes, more);
	__sync_fetch_and_add(&owner->processes, more);
	__sync_fetch_and_add(
		&user_processes[owner->user & (SW_RECORD_OWNERS - 1)], more);
}

static __u32 *group_of(int pid)
{
	return &followed[(__u32)pid % SW_RECORD_GROUPS];
}

/* Return the process of this pid if it is followed. */
static struct sw_record_process *find(int pid)
{
	if (!*group_of(pid))
		return 0;
	return bpf_map_lookup_elem(&processes, &pid);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	struct sw_record_process none = { .threads = 1 }, *process;
	int pid = child->pid;
	int tgid = child->tgid;
	int parent_tgid;
	struct sw_record_fork *record;

	if (pid != tgid && has_later_hooks)
		return 0;
	parent_tgid = parent->tgid;
	process = find(parent_tgid);
	if (!process)
		return 0;
	if (pid != tgid) {
		if (process->threads)
			__sync_fetch_and_add(&process->threads, 1);
		return 0;
	}
	none.task = (unsigned long)child;
	none.owner = process->owner;
	if (!has_share(none.owner) ||
	    bpf_map_update_elem(&processes, &tgid, &none, BPF_NOEXIST) < 0) {
		count_lost(none.owner, STARTS);
		return 0;
	}
	count_process(none.owner, 1);
	__sync_fetch_and_add(group_of(tgid), 1);
	record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);
	if (!record) {
		count_lost(none.owner, STARTS);
		return 0;
	}
	record->head.kind = SW_RECORD_FORK;
	record->head.pid = tgid;
	record->head.time_nsec = bpf_ktime_get_boot_ns();
	record->parent = parent_tgid;
	record->unused = 0;
	bpf_ringbuf_submit(record, wake_flag());
	return 0;
}

/*
 * Drop failures of the previous program: exec makes them good.  The new program
 * may read files that the old one opened for it.
 */
static void forget_failures(int tgid)
{
	struct sw_failures *kept = bpf_map_lookup_elem(&failures, &tgid);
	int i;

	if (!kept)
		return;
	kept->open_ones = 0;
	for (i = 0; i < SW_FAILURES_KEPT; i++) {
		kept->failure[i].kind = SW_FAILURE_NONE;
		kept->failure[i].time_nsec = 0;
	}
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, int old_pid,
	     struct linux_binprm *bprm)
{
	int tgid = task->tgid;
	struct sw_record_process *process;
	struct sw_record_exec *record;

	process = find(tgid);
	if (!process)
		return 0;
	/* The other threads have exited, and their exits were seen. */
	process->threads = 1;
	process->ended = 0;
	/* Changes if another thread than the main one called exec. */
	process->task = (unsigned long)task;
	process->before_pages = task->signal->maxrss;
	forget_failures(tgid);
	record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);
	if (!record) {
		count_lost(process->owner, EXECS);
		return 0;
	}
	record->head.kind = SW_RECORD_EXEC;
	record->head.pid = tgid;
	record->head.time_nsec = bpf_ktime_get_boot_ns();
	record->path[0] = '\0';
	bpf_probe_read_kernel_str(record->path, sizeof(record->path),
				  bprm->filename);
	bpf_ringbuf_submit(record, wake_flag());
	return 0;
}

/*
 * Note the process's own peak memory, and how much of it was files.  From 6.16
 * on its memory still exists here.  Before, the high-water mark includes the
 * time before exec, with all of the parent's memory if shared (vfork).
 */
static void note_memory(struct sw_record_end *end, struct task_struct *task,
			__u64 before_pages)
{
	const struct mm_struct *mm = task->mm;
	__u64 maxrss = end->maxrss_pages;

	end->own_maxrss_pages = maxrss > before_pages ? maxrss : 0;
	end->file_pages = -1;
	if (mm && !bpf_core_type_exists(struct mm_rss_stat))
		end->file_pages = mm->rss_stat[FILE_PAGES].count;
}

/* Note the exit; signal_struct may be freed later. */
static void note_end(struct sw_record_end *end, struct task_struct *task,
		     __u64 before_pages)
{
	struct signal_struct *signal = task->signal;
	struct task_struct *leader = task->group_leader;

	end->start_nsec = start_of(leader);
	end->maxrss_pages = signal->maxrss;
	end->wait_status = signal->flags & GROUP_EXIT ?
			   signal->group_exit_code : leader->exit_code;
	end->is_oom_victim = signal->oom_mm != 0;
	end->time_nsec = bpf_ktime_get_boot_ns();
	note_memory(end, task, before_pages);
}

/*
 * Resolve the names of a file that was read, if its dentry is still valid:
 * memory that was freed has other contents.  Skip files that are not on a disk.
 */
static __always_inline void name_read(union sw_failure_read *read)
{
	struct dentry *entry = (struct dentry *)(unsigned long)read->at.entry;
	__u64 inode = read->at.inode, number = read->at.number;
	__u64 magic = BPF_CORE_READ(entry, d_sb, s_magic);

	read->file.device = 0;
	if (entry && (unsigned long)BPF_CORE_READ(entry, d_inode) == inode &&
	    BPF_CORE_READ(entry, d_inode, i_ino) == number &&
	    magic != PROC_MAGIC && magic != SYSFS_MAGIC)
		read_names(&read->file, entry);
}

/* Finish the failures of an exiting process; drop them if it succeeded. */
static __always_inline void end_failures(int tgid, int has_failed)
{
	struct sw_failures *kept;
	int i;

	if (!has_failed) {
		drop_failures(tgid);
		return;
	}
	kept = bpf_map_lookup_elem(&failures, &tgid);
	if (!kept)
		return;
	for (i = 0; i < SW_READS_KEPT; i++)
		name_read(&kept->read[i]);
}

/* Stop following a process.  Return 1 to only one of two concurrent callers. */
static int take_out(int tgid, __u32 owner, __u64 last_ones)
{
	if (bpf_map_delete_elem(&processes, &tgid) < 0)
		return 0;
	__sync_fetch_and_add(group_of(tgid), -1);
	count_process(owner, -1);
	if (last_ones)
		__sync_fetch_and_add(&untold.ends, -last_ones);
	return 1;
}

static void tell_exit(int tgid, const struct sw_record_process *process,
		      __u64 tail_nsec)
{
	__u64 last_ones = process->last_ones;
	__u32 owner = process->owner;
	struct sw_record_exit *record;

	record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);
	end_failures(tgid, record && process->end.wait_status != 0);
	if (!record) {
		if (take_out(tgid, owner, last_ones))
			count_lost(owner, ENDS);
		return;
	}
	record->head.kind = SW_RECORD_EXIT;
	record->head.pid = tgid;
	record->head.time_nsec = process->end.time_nsec;
	record->end = process->end;
	record->signal = process->signal;
	if (!has_later_hooks)
		record->signal.number = -1;
	record->sums = process->sums;
	record->sums.runtime_nsec += tail_nsec;
	/* From here on the map entry may belong to another process. */
	if (take_out(tgid, owner, last_ones))
		bpf_ringbuf_submit(record, wake_flag());
	else
		bpf_ringbuf_discard(record, BPF_RB_NO_WAKEUP);
}

/*
 * Return the time the task has run since the scheduler last updated its sum: up
 * to a tick, which is more than most programs of a script take.  Includes time
 * stolen by a hypervisor: the kernel keeps that in a per-CPU variable, whose
 * address BPF programs cannot get in kernels without CONFIG_KALLSYMS_ALL.
 */
static __u64 run_since(struct task_struct *task)
{
	const struct rq *rq;
	__u64 since;

	if (!clock_offset || !bpf_core_field_exists(task->se.cfs_rq) ||
	    !bpf_core_field_exists(task->se.cfs_rq->rq))
		return 0;
	rq = task->se.cfs_rq->rq;
	/* The task clock stops in interrupts. */
	since = bpf_ktime_get_ns() + clock_offset -
		(rq->clock - rq->clock_task) - task->se.exec_start;
	return since < TICK_NSEC_MAX ? since : 0;
}

/*
 * Return whether all threads have come here.  signal->live is not exact: a
 * thread leaves it earlier, wakes its joiner, and may come here after the last
 * one.  Then it counts as another last one.
 */
static int have_all_ended(const struct sw_record_process *process,
			  struct task_struct *task)
{
	if (!has_later_hooks && process->threads)
		return process->ended >= process->threads;
	return task->signal->live.counter <= 0;
}

/* Return whether no other thread is left that could come here. */
static int is_alone(struct task_struct *task)
{
	return task->signal->nr_threads <=
	       1 + (task->group_leader->pid != task->pid);
}

/* Return whether the parent will get SIGCHLD. */
static int tells_parent(const struct task_struct *leader)
{
	const struct sighand_struct *parent = leader->real_parent->sighand;

	return leader->exit_signal == SIGNAL_CHILD && parent &&
	       parent->action[SIGNAL_CHILD - 1].sa.sa_handler != IGNORED;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	int tgid = task->tgid;
	struct sw_record_process *process = find(tgid);
	__u64 since;

	if (!process)
		return 0;
	since = run_since(task);
	ADD_THREAD(&process->sums, task, ADD_SHARED);
	ADD_SHARED(process->sums.runtime_nsec, since);
	if (!has_later_hooks)
		__sync_fetch_and_add(&process->ended, 1);
	if (!have_all_ended(process, task))
		return 0;
	process->last_nsec = task->se.sum_exec_runtime + since;
	process->last_pid = task->pid;
	note_end(&process->end, task, process->before_pages);
	if (!has_later_hooks ||
	    (!tells_parent(task->group_leader) && is_alone(task))) {
		tell_exit(tgid, process, 0);
		return 0;
	}
	__sync_fetch_and_add(&untold.ends, 1);
	__sync_fetch_and_add(&process->last_ones, 1);
	return 0;
}

/*
 * Report an exit when the parent is notified: the time until then includes
 * freeing the memory of the process.
 */
static __always_inline void tell_parent(struct task_struct *task)
{
	struct sw_record_process *process;
	__u64 run_nsec;
	int tgid;

	if (!(task->flags & IS_EXITING))
		return;
	tgid = task->tgid;
	process = find(tgid);
	if (!process || !process->end.time_nsec)
		return;
	run_nsec = task->se.sum_exec_runtime + run_since(task);
	/* In a process with threads, this may be another thread's. */
	if (process->last_pid != task->pid || run_nsec < process->last_nsec)
		run_nsec = process->last_nsec;
	tell_exit(tgid, process, run_nsec - process->last_nsec);
}

/* Return true if the current process sent it, not a kernel timer or limit. */
static __always_inline int is_of_process(unsigned long info)
{
	struct signal_info begins = { 0 };

	if (info == OF_PROCESS || info == OF_KERNEL)
		return info == OF_PROCESS;
	bpf_probe_read_kernel(&begins, sizeof(begins), (const void *)info);
	return begins.code == 0 || begins.code == SENT_BY_QUEUE ||
	       begins.code == SENT_TO_THREAD;
}

/* Note the sender of a signal, except for faults and signals to itself. */
static __always_inline void note_signal(struct sw_record_process *process,
					struct task_struct *from, int tgid,
					int number, unsigned long info)
{
	struct sw_record_signal *signal = &process->signal;
	struct sw_record_process *sender;
	int sender_tgid = from->tgid;

	if (!is_of_process(info)) {
		/* For faults, the kernel's records say more. */
		if (info != OF_KERNEL && sender_tgid == tgid)
			return;
		signal->number = number;
		signal->sender = signal->is_of_job = 0;
		signal->name[0] = '\0';
		return;
	}
	if (sender_tgid == tgid)
		return;
	sender = find(sender_tgid);
	signal->number = number;
	signal->sender = sender_tgid;
	signal->is_of_job = sender && sender->owner == process->owner;
	bpf_probe_read_kernel_str(signal->name, sizeof(signal->name),
				  from->group_leader->comm);
}

SEC("tp_btf/signal_generate")
int BPF_PROG(on_signal, int number, void *info, struct task_struct *to)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct sw_record_process *process;
	unsigned long where;
	int tgid;

	if (number == SIGNAL_CHILD) {
		tell_parent(task);
		return 0;
	}
	if (number <= 0 || (number < 32 && (HARMLESS >> number) & 1))
		return 0;
	tgid = to->tgid;
	process = find(tgid);
	/* An exited process cannot be affected any more. */
	if (!process || process->end.time_nsec)
		return 0;
	/* Read it as a number: the verifier takes the pointer for non-NULL. */
	bpf_probe_read_kernel(&where, sizeof(where), &ctx[1]);
	note_signal(process, task, tgid, number, where);
	return 0;
}

/*
 * Scheduler clock minus bpf_ktime_get_ns(), right after an update of this CPU's
 * run queue; too small by the time since.
 */
__u64 clock_found;

SEC("raw_tp")
int compare_clocks(void *context)
{
	struct task_struct *task = bpf_get_current_task_btf();

	(void)context;
	if (bpf_core_field_exists(task->se.cfs_rq) &&
	    bpf_core_field_exists(task->se.cfs_rq->rq))
		clock_found = task->se.cfs_rq->rq->clock - bpf_ktime_get_ns();
	return 0;
}

/* Report the exit if the parent ignored it after all. */
SEC("tp_btf/sched_process_free")
int BPF_PROG(on_free, struct task_struct *task)
{
	struct sw_record_process *process;
	int pid;

	if (!untold.ends)
		return 0;
	pid = task->pid;
	if (pid != task->tgid)
		return 0;
	process = find(pid);
	if (process && process->end.time_nsec &&
	    (!process->task || process->task == (unsigned long)task))
		tell_exit(pid, process, 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
