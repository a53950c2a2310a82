/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs inside a step, from the kernel's accounts of tasks that end:
 * the backend of root without BPF.  Every end is told, with status, bytes and
 * peak memory, but of all processes on the node: whose it was follows from its
 * parent.  What it does not tell: what else a process has executed (its name
 * is the kernel's 15 characters at its end), who was killed for memory, the
 * orphans of a step that do not come to this process, and what each thread
 * has run since the last tick of the clock, which is most of what short
 * programs run.  So all is "at least", and no row is complete.  Gives up
 * before Linux 5.19.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/kernel/share.h"
#include "recorder/processes/tree.h"
#include "recorder/programs/lineage.h"
#include "recorder/programs/taskstats.h"
#include "recorder/programs/programs_internal.h"
#include "recorder/tables/events.h"

enum {
	/* Of 6500 messages that there is room for, 4000 at 30,000 a second. */
	DRAIN_NSEC = 120000000,
	EVENTS_MAX = 64,
};

/* What a job of this node may have in the table of all. */
struct job {
	struct job *next;
	const struct sw_share *memory;	/* which job it is */
	struct sw_share *kin;
	unsigned steps;
};

/* One step that is followed. */
struct step {
	struct sw_lineage_owner owner;	/* first: it is the step's */
	struct job *job;		/* NULL: it shares with nobody */
	struct sw_programs *programs;
	uint64_t lost_before, lost_told;
	uint64_t tree_usec;		/* of the last sample */
	unsigned event_count;
};

/* The socket and who is whose, one for all steps. */
static struct {
	unsigned users;
	int fd, timer_fd;
	uint64_t lost;			/* messages, on the node */
	uint64_t purged;		/* of these: looked after */
	struct sw_lineage lineage;
	struct sw_share_pool kin;	/* of the lineage's entries */
	struct job *jobs;
} feed;

/* NULL: it shares with nobody, or there is no memory. */
static struct job *join(const struct sw_share *memory)
{
	struct job *job = feed.jobs;

	if (!memory)
		return NULL;
	while (job && job->memory != memory)
		job = job->next;
	if (!job) {
		job = calloc(1, sizeof(*job));
		if (!job)
			return NULL;
		job->memory = memory;
		feed.kin.capacity = SW_LINEAGE_SHARED;
		job->kin = sw_share_open(&feed.kin, memory->user->uid);
		job->next = feed.jobs;
		feed.jobs = job;
	}
	job->steps++;
	return job;
}

static void leave(struct job *job)
{
	struct job **link = &feed.jobs;

	if (!job || --job->steps > 0)
		return;
	while (*link != job)
		link = &(*link)->next;
	*link = job->next;
	sw_share_close(job->kin);
	free(job);
}

/* Ends that were not taken, as far as they may be of this step. */
static uint64_t lost_of(const struct step *step)
{
	return feed.lost + feed.lineage.missed + step->owner.missed;
}

static void set_timer(void)
{
	const struct itimerspec time = { .it_value.tv_nsec = DRAIN_NSEC };

	timerfd_settime(feed.timer_fd, 0, &time, NULL);
}

static int open_feed(int proc_fd, struct sw_error *error)
{
	if (feed.users++ > 0)
		return 0;
	feed.lost = feed.purged = 0;
	feed.fd = sw_taskstats_open(error);
	if (feed.fd < 0)
		goto no_socket;
	feed.timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (feed.timer_fd < 0)
		goto no_timer;
	if (sw_lineage_open(&feed.lineage, proc_fd) == 0)
		return 0;
	close(feed.timer_fd);
no_timer:
	sw_error_errno(error, "taskstats: the programs cannot be followed");
	close(feed.fd);
no_socket:
	feed.users--;
	return -1;
}

static void close_feed(void)
{
	if (--feed.users > 0)
		return;
	close(feed.fd);
	close(feed.timer_fd);
	sw_lineage_close(&feed.lineage);
}

static void *create(struct sw_programs *programs, struct sw_error *error)
{
	struct step *step = calloc(1, sizeof(*step));

	if (!step) {
		sw_error_set(error, "taskstats: no memory");
		return NULL;
	}
	if (open_feed(programs->target.proc_fd, error) < 0) {
		free(step);
		return NULL;
	}
	step->programs = programs;
	step->job = join(programs->target.share);
	if (step->job)
		step->owner.share = step->job->kin;
	step->lost_before = step->lost_told = lost_of(step);
	return step;
}

static void destroy(void *state)
{
	struct step *step = state;

	sw_lineage_forget(&feed.lineage, &step->owner);
	leave(step->job);
	close_feed();
	free(step);
}

static int attach(void *state, pid_t pid, struct sw_error *error)
{
	struct step *step = state;
	const struct sw_programs_target *target = &step->programs->target;

	set_timer();
	if (sw_lineage_add(&feed.lineage, pid, &step->owner) < 0)
		return sw_error_errno(error, "taskstats: the command cannot "
					     "be followed");
	/* "stepwell run" inherits the orphans of its command, and no others. */
	if (!target->has_many)
		sw_lineage_inherit(&feed.lineage, &step->owner);
	return 0;
}

static int get_fd(void *state)
{
	(void)state;
	return feed.timer_fd;
}

/* The scheduler's time, to a tick; ticks only say how to share it out. */
static void add_cpu(struct sw_program *program,
		    const struct sw_taskstats_sums *sums)
{
	uint64_t cpu_usec = sums->cpu_nsec / SW_NSEC_PER_USEC;
	uint64_t ticked = sums->user_usec + sums->system_usec, system_usec = 0;

	if (ticked)
		system_usec =
			(uint64_t)((double)cpu_usec *
				   (double)sums->system_usec / (double)ticked);
	program->system_usec += system_usec;
	program->user_usec += cpu_usec - system_usec;
}

/* What was said of it while it lived is part of what is said now. */
static void take_back(struct sw_program *program, struct sw_kin *kin)
{
	program->user_usec -= kin->user_usec;
	program->system_usec -= kin->system_usec;
	kin->user_usec = kin->system_usec = 0;
}

static void tell_killed(struct step *step, const struct sw_program *program,
			const struct sw_kin *kin, uint64_t now_usec)
{
	const struct sw_programs_target *target = &step->programs->target;

	if ((kin->wait_status & 0x7f) == 0 || !target->event ||
	    kin->pid == target->root_pid || step->event_count == EVENTS_MAX)
		return;
	step->event_count++;
	target->event(target->context, &(struct sw_event){
		.time_usec = now_usec, .kind = "killed",
		.program = program->name, .pid = (uint64_t)kin->pid,
		.value = (uint64_t)(kin->wait_status & 0x7f) });
}

/* A process of the step has ended. */
static void bury(struct sw_lineage_owner *owner, struct sw_kin *kin)
{
	struct step *step = (struct step *)owner;
	uint64_t now_usec = sw_clock_boottime_usec();
	struct sw_program *program;

	if (kin->program != SW_NO_PROGRAM)
		take_back(&step->programs->program[kin->program], kin);
	sw_programs_belong(step->programs, &kin->program, kin->comm,
			   sw_excess_u64(now_usec, kin->elapsed_usec));
	program = &step->programs->program[kin->program];
	program->ended++;
	program->last_end_usec = now_usec;
	sw_sketch_add(&program->elapsed_usec, kin->elapsed_usec);
	add_cpu(program, &kin->sums);
	program->run_queue_wait_usec =
		sw_sum_u64(program->run_queue_wait_usec,
			   kin->sums.run_delay_nsec / SW_NSEC_PER_USEC);
	program->rchar = sw_sum_u64(program->rchar, kin->sums.rchar);
	program->wchar = sw_sum_u64(program->wchar, kin->sums.wchar);
	program->read_bytes =
		sw_sum_u64(program->read_bytes, kin->sums.read_bytes);
	program->written_bytes =
		sw_sum_u64(program->written_bytes, kin->sums.write_bytes);
	program->peak_bytes = sw_max_u64(program->peak_bytes, kin->peak_bytes);
	sw_program_count_end(program, kin->wait_status);
	tell_killed(step, program, kin, now_usec);
}

/* One whose end was lost: it has ended, that is all. */
static void lose(struct sw_lineage_owner *owner, struct sw_kin *kin)
{
	struct step *step = (struct step *)owner;
	struct sw_program *program;

	if (kin->program == SW_NO_PROGRAM)
		return;
	program = &step->programs->program[kin->program];
	program->ended++;
	program->is_changed = true;
}

/* Until there are no more. */
static void receive_all(void)
{
	unsigned char bytes[SW_TASKSTATS_BYTES_MAX];
	struct sw_taskstats_end end;
	ssize_t length;

	while ((length = sw_taskstats_receive(feed.fd, bytes, sizeof(bytes))) !=
	       0) {
		if (length < 0) {
			/* At least one; the kernel has the number. */
			feed.lost++;
			continue;
		}
		switch (sw_taskstats_parse(bytes, (size_t)length, &end)) {
		case SW_TASKSTATS_END:
			sw_lineage_take(&feed.lineage, &end);
			break;
		case SW_TASKSTATS_OTHER:
			break;
		default:
			feed.lost++;	/* not told in known words */
		}
	}
}

static void see_living(struct step *step, const struct sw_process *process)
{
	struct sw_kin *kin =
		sw_lineage_see(&feed.lineage, process->pid, &step->owner);
	struct sw_program *program;
	long hz = sysconf(_SC_CLK_TCK);

	if (!kin)
		return;
	if (kin->program != SW_NO_PROGRAM)
		take_back(&step->programs->program[kin->program], kin);
	sw_programs_belong(
		step->programs, &kin->program, process->comm,
		process->start_ticks *
			(SW_USEC_PER_SEC / (uint64_t)(hz > 0 ? hz : 100)));
	program = &step->programs->program[kin->program];
	kin->user_usec = process->user_usec;
	kin->system_usec = process->system_usec;
	program->user_usec += kin->user_usec;
	program->system_usec += kin->system_usec;
	program->peak_bytes =
		sw_max_u64(program->peak_bytes, process->hiwater_bytes);
	program->is_changed = true;
}

/* Before the ends: who has ended since is not to come back. */
static void see_tree(struct step *step)
{
	const struct sw_tree *tree = step->programs->target.tree;
	size_t i;

	if (!tree || sw_tree_time_usec(tree) == step->tree_usec)
		return;
	step->tree_usec = sw_tree_time_usec(tree);
	for (i = 0; i < sw_tree_count(tree); i++) {
		if (sw_tree_process(tree, i)->state != 'Z')
			see_living(step, sw_tree_process(tree, i));
	}
}

static void check_lost(struct step *step, uint64_t now_usec)
{
	const struct sw_programs_target *target = &step->programs->target;
	uint64_t lost;

	if (feed.lost) {
		lost = sw_taskstats_lost(feed.fd, target->proc_fd);
		if (!sw_is_missing(lost) && lost > feed.lost)
			feed.lost = lost;
	}
	if (feed.lost > feed.purged)
		sw_lineage_purge(&feed.lineage, lose);
	feed.purged = feed.lost;
	lost = lost_of(step);
	if (lost > step->lost_told && target->event)
		target->event(target->context, &(struct sw_event){
			.time_usec = now_usec, .kind = "lost",
			.value = lost - step->lost_before });
	step->lost_told = lost;
}

static void drain(void *state, uint64_t now_usec)
{
	struct step *step = state;

	see_tree(step);
	receive_all();
	/* Whose parent is gone by now, its end is in the socket. */
	if (sw_lineage_resolve(&feed.lineage, false, bury) > 0) {
		receive_all();
		sw_lineage_resolve(&feed.lineage, true, bury);
	}
	check_lost(step, now_usec);
	set_timer();
}

const struct sw_programs_backend sw_programs_backend_taskstats = {
	.name = "taskstats",
	.create = create,
	.attach = attach,
	.fd = get_fd,
	.drain = drain,
	.destroy = destroy,
};
