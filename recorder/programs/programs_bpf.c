/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs inside a step, from records that a BPF program makes of every
 * fork, exec and exit: complete, or what was lost is counted.  Needs
 * CAP_BPF and CAP_PERFMON (or root) and a kernel with BTF.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/pages.h"
#include "common/units.h"
#include "recorder/bpf/account.h"
#include "recorder/bpf/bpf_up.h"
#include "recorder/bpf/exec_load.h"
#include "recorder/bpf/exec_record.h"
#include "recorder/bpf/failures.h"
#include "recorder/bpf/followed.h"
#include "recorder/bpf/polls.h"
#include "recorder/bpf/snapshot.h"
#include "recorder/bpf/spins.h"
#include "recorder/bpf/waits.h"
#include "recorder/kernel/process.h"
#include "recorder/programs/spinning.h"
#include "recorder/programs/stall_event.h"
#include "recorder/programs/programs_internal.h"
#include "recorder/programs/why.h"
#include "recorder/tables/events.h"
#include "recorder/waits/wait_tally.h"

/* One step that is followed. */
/* Of one step, and of all: each takes a file descriptor. */
enum { POLLS_MAX = 128, POLLS_ALL_MAX = 512 };

/* Fewer looks say too little of a process. */
enum { TICKS_MIN = 20 };

struct bpf {
	struct sw_programs *programs;
	struct sw_account account;
	struct sw_wait_tally waits;
	unsigned owner;		/* the job's number: exec_load.h */
	uint64_t lost_before, lost_told;
	size_t event_count, live_count;
	unsigned polls_count;	/* processes that are watched */
	bool has_ranks;		/* a launcher of MPI has run */
	bool wants_polls;	/* some of its processes do */
	bool has_gaps;		/* an end was not told */
	bool has_no_looks;	/* and will have none */
};

/*
 * The kernel's side, one for all steps: each one loaded costs every fork on
 * the node.  It stays until the process ends.
 */
static struct {
	struct exec_bpf *skeleton;	/* NULL: not loaded */
	struct ring_buffer *ring;
	bool is_looked_at;		/* since the last wake-up */
	bool has_waits;			/* likewise */
	unsigned polls_count;
	struct sw_followed_table followed;
} feed;

static void end_polls(struct sw_followed *live)
{
	struct bpf *owner = live->owner;

	if (!live->polls_fd)
		return;
	close(live->polls_fd);
	live->polls_fd = 0;
	owner->polls_count--;
	feed.polls_count--;
}

static void remove_live(struct sw_followed *live)
{
	struct bpf *owner = live->owner;

	end_polls(live);
	sw_spinning_end(live, NULL);
	owner->live_count--;
	sw_followed_remove(&feed.followed, live);
}

/* Whom a record is about: its pid may have been another's until now. */
static struct sw_followed *find_told(pid_t pid, uint64_t time_nsec)
{
	struct sw_followed *live = sw_followed_find(&feed.followed, pid);

	return live && time_nsec >= live->since_nsec ? live : NULL;
}

static struct sw_followed *add_live(struct bpf *owner, pid_t pid, int task)
{
	struct sw_followed *live = sw_followed_find(&feed.followed, pid);

	/* The end of an earlier process of this number was lost. */
	if (live) {
		((struct bpf *)live->owner)->has_gaps = true;
		remove_live(live);
	}
	live = sw_followed_add(&feed.followed, pid);
	if (!live)
		return NULL;
	live->program = SW_NO_PROGRAM;
	live->owner = owner;
	if (task >= 0) {
		live->task = (unsigned)task;
		live->account = &owner->account;
	}
	owner->live_count++;
	return live;
}

static void take_fork(const struct sw_record_fork *record)
{
	struct sw_followed *parent = find_told(record->parent,
					       record->head.time_nsec),
			   *child;
	struct bpf *owner;
	unsigned program;

	/* A child that was put in by hand, before its parent told of it. */
	if (!parent || sw_followed_find(&feed.followed, record->head.pid))
		return;
	owner = parent->owner;
	program = parent->program;
	child = add_live(owner, record->head.pid,
			 parent->account ? (int)parent->task : -1);
	owner->has_gaps |= !child;
	/* Until it executes it runs its parent's program. */
	if (child && program != SW_NO_PROGRAM)
		sw_programs_belong(owner->programs, &child->program,
				   owner->programs->program[program].name,
				   record->head.time_nsec / SW_NSEC_PER_USEC);
}

/* What a launcher of MPI starts, and tasks of a step with several. */
static void want_polls(struct bpf *owner, struct sw_followed *live,
			const char *program)
{
	if (sw_polls_is_launcher(program))
		owner->has_ranks = true;
	else if ((owner->has_ranks || owner->account.task_count > 1) &&
		 !live->polls_fd && !live->wants_polls && !live->is_restless)
		owner->wants_polls = live->wants_polls = true;
}

/* What watches is brought up last, and the first ranks may be earlier. */
static void begin_polls(struct bpf *owner, struct sw_followed *live)
{
	int fd = -1;

	live->wants_polls = false;
	if (owner->polls_count < POLLS_MAX && feed.polls_count < POLLS_ALL_MAX)
		fd = sw_polls_watch(live->pid);
	if (fd > 0) {
		live->polls_fd = fd;
		owner->polls_count++;
		feed.polls_count++;
	}
}

/* Who waits often does not poll, and would pay for each time. */
static void look_at_polls(struct bpf *owner)
{
	bool wants_polls = false;
	size_t i;

	if (!owner->wants_polls && !owner->polls_count)
		return;
	for (i = 0; i < feed.followed.count; i++) {
		struct sw_followed *live = &feed.followed.entry[i];

		if (live->owner != owner)
			continue;
		if (live->is_restless) {
			live->wants_polls = false;
			end_polls(live);
		} else if (live->wants_polls &&
			   live->calm_nsec >= SW_POLLS_CALM_NSEC) {
			begin_polls(owner, live);
		}
		wants_polls |= live->wants_polls;
	}
	owner->wants_polls = wants_polls;
}

static void take_exec(const struct sw_record_exec *record)
{
	struct sw_followed *live =
		find_told(record->head.pid, record->head.time_nsec);
	const char *slash = strrchr(record->path, '/');
	char program[SW_PROGRAM_SIZE];
	size_t length;

	if (!live)
		return;
	/* It was held until now; what it executes later is still of it. */
	if (live->since_nsec && live->program == SW_NO_PROGRAM)
		live->since_nsec = record->head.time_nsec;
	slash = slash ? slash + 1 : record->path;
	length = strnlen(slash, sizeof(program) - 1);
	memcpy(program, slash, length);
	program[length] = '\0';
	sw_programs_belong(((struct bpf *)live->owner)->programs,
			   &live->program, length ? program : "?",
			   record->head.time_nsec / SW_NSEC_PER_USEC);
	want_polls(live->owner, live, program);
}

/*
 * The runtime is exact to a tick of the last thread; user and system time are
 * counted in ticks, so they only say how to share it out.
 */
static void add_cpu(struct sw_program *program,
		    const struct sw_record_sums *sums)
{
	uint64_t runtime_usec = sums->runtime_nsec / SW_NSEC_PER_USEC;
	uint64_t ticked = sums->user_nsec + sums->system_nsec;
	uint64_t system_usec = 0;

	if (ticked)
		system_usec =
			(uint64_t)((double)runtime_usec *
				   (double)sums->system_nsec / (double)ticked);
	program->system_usec += system_usec;
	program->user_usec += runtime_usec - system_usec;
}

/*
 * Of its CPU time what it polled, by how often it was found at that; of who was
 * watched for a part of it nothing is said.
 */
static void add_polls(struct sw_program *program,
		      const struct sw_followed *live,
		      const struct sw_record_sums *sums)
{
	uint64_t usec;

	if (sums->ticks < TICKS_MIN || live->is_restless)
		return;
	usec = (uint64_t)((double)sums->runtime_nsec / SW_NSEC_PER_USEC *
			  (double)sums->mpi_ticks / (double)sums->ticks);
	program->polled++;
	program->mpi_usec += usec;
	if (program->polled == 1 || usec < program->mpi_least_usec)
		program->mpi_least_usec = usec;
}

/* Who waits without a pause; from now on it is known that none did, too. */
static void look_at_spins(struct bpf *owner)
{
	struct sw_programs *programs = owner->programs;
	size_t i;

	if (!sw_spins_is_open())
		return;
	for (i = 0; i < programs->count; i++) {
		if (sw_is_missing(programs->program[i].spin.usec))
			programs->program[i].spin.usec = 0;
	}
	for (i = 0; i < feed.followed.count; i++) {
		struct sw_followed *live = &feed.followed.entry[i];

		if (live->owner == owner && live->program != SW_NO_PROGRAM)
			sw_spinning_look(live,
					 &programs->program[live->program],
					 programs->target.proc_fd);
	}
}

/* None may be followed from its beginning, or the step be over too soon. */
static bool may_sample(const struct bpf *bpf)
{
	return bpf->account.task_count && !bpf->has_no_looks &&
	       !bpf->programs->target.is_late;
}

static bool is_coming(void *state)
{
	return may_sample(state) && !sw_bpf_is_done(SW_BPF_LOOKS);
}

static void settle(void *state)
{
	((struct bpf *)state)->has_no_looks |= !sw_bpf_is_done(SW_BPF_LOOKS);
}

static const char *sample_backend(void *state)
{
	return may_sample(state) && sw_bpf_is_done(SW_BPF_LOOKS)
		       ? sw_snapshot_backend()
		       : NULL;
}

static const char *waits_backend(void *state)
{
	return sample_backend(state) ? sw_waits_backend() : NULL;
}

static void take_exit(const struct sw_record_exit *record)
{
	struct sw_followed *live =
		find_told(record->head.pid, record->head.time_nsec);
	uint64_t end_usec = record->head.time_nsec / SW_NSEC_PER_USEC;
	uint64_t start_nsec = record->end.start_nsec;
	const struct sw_record_sums *sums = &record->sums;
	struct sw_program *program;
	struct sw_cause cause;
	struct bpf *owner;

	sw_why_take(&cause, record);
	if (!live)
		return;
	owner = live->owner;
	sw_account_bury(live, record);
	if (live->program == SW_NO_PROGRAM) {
		remove_live(live);
		return;
	}
	program = &owner->programs->program[live->program];
	program->ended++;
	program->last_end_usec = end_usec;
	/* What was held until now runs since then. */
	if (!owner->programs->target.is_late && live->since_nsec > start_nsec)
		start_nsec = live->since_nsec;
	sw_sketch_add(&program->elapsed_usec,
		      sw_excess_u64(end_usec, start_nsec / SW_NSEC_PER_USEC));
	add_cpu(program, sums);
	add_polls(program, live, sums);
	sw_spinning_end(live, program);
	program->run_queue_wait_usec = sw_sum_u64(
		program->run_queue_wait_usec,
		sw_account_run_delay_nsec(live, sums->run_delay_nsec,
					  record->head.time_nsec) /
			SW_NSEC_PER_USEC);
	program->io_wait_usec = sw_sum_u64(
		program->io_wait_usec, waits_backend(owner) ? 0 : SW_MISSING);
	program->rchar = sw_sum_u64(program->rchar, sums->rchar);
	program->wchar = sw_sum_u64(program->wchar, sums->wchar);
	program->opens = sw_sum_u64(program->opens, sw_failures_counts_opens() ?
				    sums->opens : SW_MISSING);
	program->read_bytes = sw_sum_u64(program->read_bytes, sums->read_bytes);
	program->written_bytes =
		sw_sum_u64(program->written_bytes, sums->write_bytes);
	program->peak_bytes = sw_max_u64(
		program->peak_bytes,
		record->end.maxrss_pages * (uint64_t)sysconf(_SC_PAGESIZE));
	program->oom_killed =
		sw_sum_u64(program->oom_killed, record->end.is_oom_victim != 0);
	sw_program_count_end(program, record->end.wait_status);
	sw_why_tell_killed(program, record, &owner->programs->target,
			   &owner->event_count);
	sw_why_tell(program, &cause, &owner->programs->target);
	remove_live(live);
}

static int take_record(void *context, void *data, size_t size)
{
	const struct sw_record_head *head = data;

	(void)context;
	if (size >= sizeof(struct sw_record_fork) &&
	    head->kind == SW_RECORD_FORK)
		take_fork(data);
	else if (size >= sizeof(struct sw_record_exec) &&
		 head->kind == SW_RECORD_EXEC)
		take_exec(data);
	else if (size >= sizeof(struct sw_record_exit) &&
		 head->kind == SW_RECORD_EXIT)
		take_exit(data);
	return 0;
}

static int open_feed(struct sw_error *error)
{
	if (feed.ring)
		return 0;
	sw_bpf_await(SW_BPF_RECORDS);
	feed.skeleton = sw_bpf_records(error);
	if (!feed.skeleton)
		return -1;
	feed.ring = ring_buffer__new(bpf_map__fd(feed.skeleton->maps.records),
				     take_record, NULL, NULL);
	return feed.ring ? 0
			 : sw_error_errno(error, "bpf: exec records are not "
					  "available here");
}

static void *create(struct sw_programs *programs, struct sw_error *error)
{
	struct bpf *bpf;

	if (open_feed(error) < 0)
		return NULL;
	bpf = sw_pages_take(sizeof(*bpf));
	if (!bpf) {
		sw_error_set(error, "bpf: not enough memory");
		return NULL;
	}
	bpf->programs = programs;
	sw_account_open(&bpf->account);
	bpf->account.waits = &bpf->waits;
	bpf->owner = sw_exec_join(feed.skeleton, programs->target.share);
	bpf->lost_before = bpf->lost_told =
		sw_exec_lost(feed.skeleton, bpf->owner);
	return bpf;
}

static void destroy(void *state)
{
	struct bpf *bpf = state;
	size_t i = 0;

	/* What lives on is nobody's; the last one moves up. */
	while (bpf->live_count > 0 && i < feed.followed.count) {
		struct sw_followed *live = &feed.followed.entry[i];

		if (live->owner != bpf) {
			i++;
			continue;
		}
		sw_exec_forget(feed.skeleton, live->pid);
		remove_live(live);
	}
	sw_exec_leave(bpf->owner);
	sw_account_close(&bpf->account);
	sw_pages_give(bpf, sizeof(*bpf));
}

static int attach(void *state, pid_t pid, struct sw_error *error)
{
	struct bpf *bpf = state;
	const struct sw_programs_target *target = &bpf->programs->target;
	char program[SW_PROGRAM_SIZE];
	struct sw_followed *live;
	int task;

	/* Ends of earlier processes of this number may not have been read. */
	ring_buffer__consume(feed.ring);
	/* Of what began before, only a part is followed. */
	task = target->is_late ? -1 : sw_account_add_task(&bpf->account);
	feed.is_looked_at = false;
	live = add_live(bpf, pid, task);
	if (live) {
		live->is_by_hand = true;
		live->since_nsec = sw_clock_boottime_usec() * SW_NSEC_PER_USEC;
	}
	if (!live)
		goto error;
	if (sw_exec_follow(feed.skeleton, bpf->owner, pid) < 0) {
		remove_live(live);
		goto error;
	}
	if (sw_process_has_exited(target->proc_fd, pid)) {
		/* Nothing would tell its end, and its number comes again. */
		sw_exec_forget(feed.skeleton, pid);
		remove_live(live);
		errno = ESRCH;
		goto error;
	}
	if (!target->is_late)
		return 0;
	sw_process_read_comm(target->proc_fd, pid, program, sizeof(program));
	if (program[0])
		sw_programs_belong(bpf->programs, &live->program, program,
				   sw_clock_boottime_usec());
	return 0;
error:
	return sw_error_errno(error, "bpf: the command cannot be followed");
}

static int get_fd(void *state)
{
	(void)state;
	return ring_buffer__epoll_fd(feed.ring);
}

/* Complete as long as nothing was lost; then no count is any more. */
static void check_lost(struct bpf *bpf, uint64_t now_usec)
{
	const struct sw_programs_target *target = &bpf->programs->target;
	uint64_t lost = sw_exec_lost(feed.skeleton, bpf->owner);

	sw_programs_set_complete(bpf->programs,
				 !target->is_late && lost == bpf->lost_before &&
					 !bpf->has_gaps);
	if (lost > bpf->lost_told && target->event)
		target->event(target->context, &(struct sw_event){
			.time_usec = now_usec, .kind = "lost",
			.value = lost - bpf->lost_before });
	bpf->lost_told = lost;
}

static void drain(void *state, uint64_t now_usec)
{
	ring_buffer__consume(feed.ring);
	check_lost(state, now_usec);
}

static void expire(void)
{
	feed.is_looked_at = feed.has_waits = false;
}

static const struct sw_account *sample(void *state)
{
	struct bpf *bpf = state;

	if (!sample_backend(state))
		return NULL;
	if (!feed.is_looked_at) {
		ring_buffer__consume(feed.ring);
		if (sw_snapshot_take(&feed.followed) < 0)
			return NULL;
		feed.is_looked_at = true;
		sw_exec_compare_clocks(feed.skeleton);
	}
	look_at_polls(bpf);
	look_at_spins(bpf);
	bpf->account.counts_opens = sw_failures_counts_opens();
	return &bpf->account;
}

/* A thread has waited for I/O for so long, as well as looks can tell. */
static void add_io_wait(struct sw_followed *live, uint64_t usec)
{
	struct bpf *owner = live->owner;
	struct sw_program *program;

	if (live->program == SW_NO_PROGRAM)
		return;
	program = &owner->programs->program[live->program];
	program->io_wait_usec = sw_sum_u64(program->io_wait_usec, usec);
	program->is_changed = true;
}

static void tell_stall(struct bpf *bpf, const struct sw_stall *stall)
{
	const struct sw_programs_target *target = &bpf->programs->target;
	const struct sw_followed *live =
		sw_followed_find(&feed.followed, stall->waiter.pid);
	const char *program = NULL;

	if (live && live->owner == bpf && live->program != SW_NO_PROGRAM)
		program = bpf->programs->program[live->program].name;
	sw_stall_event_add(stall, target, program);
}

static const struct sw_wait_tally *waits(void *state)
{
	struct bpf *bpf = state;
	struct sw_stall stall;

	if (!waits_backend(state) || !sample(state))
		return NULL;
	if (!feed.has_waits &&
	    sw_waits_take(&feed.followed, sw_clock_boottime_usec(),
			  add_io_wait) < 0)
		return NULL;
	feed.has_waits = true;
	while (sw_wait_tally_stall(&bpf->waits, &stall)) {
		if (bpf->programs->target.event)
			tell_stall(bpf, &stall);
	}
	return &bpf->waits;
}

static void adopt_waits(void *state, const struct sw_wait_tally *tally)
{
	((struct bpf *)state)->waits = *tally;
}

static void prepare(unsigned int nap_msec)
{
	sw_bpf_begin(SW_BPF_LOOKS, nap_msec);
}

static void await(void)
{
	sw_bpf_await(SW_BPF_RECORDS);
}

const struct sw_programs_backend sw_programs_backend_bpf = {
	.name = "bpf",
	.limit = sw_exec_limit,
	.prepare = prepare,
	.news_fd = sw_bpf_fd,
	.await = await,
	.create = create,
	.attach = attach,
	.fd = get_fd,
	.drain = drain,
	.expire = expire,
	.is_coming = is_coming,
	.settle = settle,
	.sample = sample,
	.sample_backend = sample_backend,
	.waits = waits,
	.waits_backend = waits_backend,
	.adopt_waits = adopt_waits,
	.failures_source = sw_failures_source,
	.leave = sw_failures_leave,
	.destroy = destroy,
};
