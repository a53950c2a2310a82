/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Load exec.bpf.c.  Fails in a pid namespace, without CAP_BPF and CAP_PERFMON
 * (or root), and without BTF.
 */
#include "recorder/bpf/exec_load.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "recorder/bpf/btf_path.h"
#include "recorder/kernel/process.h"
#include "recorder/kernel/share.h"

enum { CLOCK_TRIES = 3 };

static unsigned processes_max;	/* 0: limit of exec.bpf.c */

/* Jobs by owner number */
static struct {
	const struct sw_share *job;	/* NULL: free */
	unsigned steps;
} joined[SW_RECORD_OWNERS];

void sw_exec_limit(unsigned processes)
{
	processes_max = processes;
}

static int be_quiet(enum libbpf_print_level level, const char *format,
		    va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

/* Before 5.11, the hooks after the exit of a process are missing. */
static struct exec_bpf *open_and_load(bool has_later_hooks)
{
	LIBBPF_OPTS(bpf_object_open_opts, options,
		    .btf_custom_path = sw_btf_path());
	struct exec_bpf *skeleton = exec_bpf__open_opts(&options);
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
	if (processes_max) {
		bpf_map__set_max_entries(skeleton->maps.processes,
					 processes_max);
		skeleton->rodata->processes_max = (int)processes_max;
		if (processes_max < SW_FAILURES_PROCESSES)
			skeleton->data_shares->shares.room = (int)processes_max;
	}
	/* Processes without a share belong to the recorder's user. */
	skeleton->data_shares->shares.owner[0].uid = getuid();
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

	/* BPF uses pids of the initial namespace, which differ elsewhere. */
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
		sw_error_errno(error,
			       "bpf: exec records are not available here");
	return skeleton;
}

static bool is_of_user(unsigned owner, const struct sw_share *job)
{
	return joined[owner].job && joined[owner].job->user == job->user;
}

/* Return the index of a user's process count, shared by all his jobs. */
static unsigned find_user(const struct exec_bpf *skeleton,
			  const struct sw_share *job)
{
	const struct sw_record_owner *owners = skeleton->bss->owners;
	bool is_taken[SW_RECORD_OWNERS] = { false };
	unsigned i, user = 1;

	for (i = 1; i < SW_RECORD_OWNERS; i++) {
		if (is_of_user(i, job))
			return owners[i].user;
		if (joined[i].job)
			is_taken[owners[i].user % SW_RECORD_OWNERS] = true;
	}
	while (user < SW_RECORD_OWNERS - 1 && is_taken[user])
		user++;
	return user;
}

/*
 * Find a free owner number, preferably one without processes: their losses
 * would be counted to the previous owner.
 */
static unsigned find_free(const struct exec_bpf *skeleton)
{
	unsigned i, found = 0;

	for (i = 1; i < SW_RECORD_OWNERS; i++) {
		if (joined[i].job)
			continue;
		if (skeleton->bss->owners[i].processes == 0)
			return i;
		found = i;
	}
	return found;
}

unsigned sw_exec_join(struct exec_bpf *skeleton, const struct sw_share *job)
{
	unsigned owner;

	if (!job)
		return 0;
	for (owner = 1; owner < SW_RECORD_OWNERS; owner++) {
		if (joined[owner].job == job)
			break;
	}
	if (owner == SW_RECORD_OWNERS) {
		owner = find_free(skeleton);
		if (!owner)
			return 0;
		skeleton->bss->owners[owner].user = find_user(skeleton, job);
		skeleton->data_shares->shares.owner[owner].user =
			skeleton->bss->owners[owner].user;
		skeleton->data_shares->shares.owner[owner].uid = job->user->uid;
		joined[owner].job = job;
	}
	joined[owner].steps++;
	return owner;
}

void sw_exec_leave(unsigned owner)
{
	if (owner && --joined[owner].steps == 0)
		joined[owner].job = NULL;
}

uint64_t sw_exec_lost(const struct exec_bpf *skeleton, unsigned owner)
{
	const struct sw_record_owner *of = &skeleton->bss->owners[owner];
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < sizeof(of->lost) / sizeof(of->lost[0]); i++)
		lost += __atomic_load_n(&of->lost[i], __ATOMIC_RELAXED);
	return lost;
}

uint64_t sw_exec_lost_failures(const struct exec_bpf *skeleton, unsigned owner)
{
	return __atomic_load_n(&skeleton->data_shares->shares.owner[owner].lost,
			       __ATOMIC_RELAXED);
}

bool sw_exec_take_failures(struct exec_bpf *skeleton, pid_t pid,
			   struct sw_failures *failures)
{
	struct sw_failures_shares *shares = &skeleton->data_shares->shares;
	const struct bpf_map *map = skeleton->maps.failures;
	struct sw_failures_owner *owner;

	if (bpf_map__lookup_elem(map, &pid, sizeof(pid), failures,
				 sizeof(*failures), 0) < 0 ||
	    bpf_map__delete_elem(map, &pid, sizeof(pid), 0) < 0)
		return false;
	owner = &shares->owner[failures->owner % SW_RECORD_OWNERS];
	__atomic_sub_fetch(&shares->all, 1, __ATOMIC_SEQ_CST);
	__atomic_sub_fetch(&owner->kept, 1, __ATOMIC_SEQ_CST);
	__atomic_sub_fetch(&shares->users[owner->user % SW_RECORD_OWNERS], 1,
			   __ATOMIC_SEQ_CST);
	return true;
}

static void count_process(struct exec_bpf *skeleton, unsigned number, int more)
{
	struct exec_bpf__bss *shared = skeleton->bss;
	struct sw_record_owner *owner = &shared->owners[number];

	__atomic_add_fetch(&shared->all_processes, more, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&owner->processes, more, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&shared->user_processes[owner->user], more,
			   __ATOMIC_SEQ_CST);
}

static uint32_t *group_of(struct exec_bpf *skeleton, pid_t pid)
{
	uint32_t group = (uint32_t)pid % SW_RECORD_GROUPS;

	return &skeleton->data_followed->followed[group];
}

int sw_exec_follow(struct exec_bpf *skeleton, unsigned owner, pid_t pid)
{
	/* It may have threads; their number is unknown until exec. */
	const struct sw_record_process none = { .owner = owner };
	struct sw_record_process before;
	uint32_t *group = group_of(skeleton, pid);
	struct bpf_map *processes = skeleton->maps.processes;

	/* Count it before it is added, so that its next event is seen. */
	__atomic_add_fetch(group, 1, __ATOMIC_SEQ_CST);
	if (bpf_map__update_elem(processes, &pid, sizeof(pid), &none,
				 sizeof(none), BPF_NOEXIST) == 0) {
		count_process(skeleton, owner, 1);
		return 0;
	}
	__atomic_sub_fetch(group, 1, __ATOMIC_SEQ_CST);
	if (errno != EEXIST)
		return -1;
	if (bpf_map__lookup_elem(processes, &pid, sizeof(pid), &before,
				 sizeof(before), 0) == 0 &&
	    bpf_map__update_elem(processes, &pid, sizeof(pid), &none,
				 sizeof(none), BPF_EXIST) == 0) {
		count_process(skeleton, before.owner, -1);
		count_process(skeleton, owner, 1);
		return 0;
	}
	if (errno == ENOENT)
		errno = ESRCH;
	return -1;
}

void sw_exec_forget(struct exec_bpf *skeleton, pid_t pid)
{
	struct bpf_map *processes = skeleton->maps.processes;
	struct sw_record_process process;
	struct sw_failures failures;

	/* Only the side that removes the entry updates the counts. */
	sw_exec_take_failures(skeleton, pid, &failures);
	if (bpf_map__lookup_elem(processes, &pid, sizeof(pid), &process,
				 sizeof(process), 0) < 0 ||
	    bpf_map__delete_elem(processes, &pid, sizeof(pid), 0) < 0)
		return;
	__atomic_sub_fetch(group_of(skeleton, pid), 1, __ATOMIC_SEQ_CST);
	count_process(skeleton, process.owner, -1);
	__atomic_sub_fetch(&skeleton->bss->untold.ends, process.last_ones,
			   __ATOMIC_SEQ_CST);
}

void sw_exec_compare_clocks(struct exec_bpf *skeleton)
{
	int fd = bpf_program__fd(skeleton->progs.compare_clocks), i;
	LIBBPF_OPTS(bpf_test_run_opts, options);
	uint64_t offset = 0, found;

	for (i = 0; i < CLOCK_TRIES; i++) {
		/* Updates the run queue */
		sched_yield();
		if (fd < 0 || bpf_prog_test_run_opts(fd, &options) < 0)
			return;
		found = skeleton->bss->clock_found;
		/* The clock may be ahead or behind: compare signed. */
		if (i == 0 || (int64_t)(found - offset) > 0)
			offset = found;
	}
	skeleton->bss->clock_offset = offset;
}
