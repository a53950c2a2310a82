/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process tree of a command. */
#include "recorder/processes/tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/pages.h"
#include "common/units.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/kernel/process.h"
#include "recorder/kernel/share.h"
#include "recorder/processes/helpers.h"
#include "recorder/processes/reaped.h"
#include "recorder/processes/roots.h"
#include "recorder/processes/run_queue.h"
#include "recorder/processes/totals.h"
#include "recorder/processes/visits.h"

enum {
	SLOTS = 4 * SW_TREE_PROCESSES_MAX,
	CHILDREN_TEXT_SIZE = 16384,
	MANY_THREADS = 2,	/* more than one, exact number not known */
	PAID_AT_ONCE = 32,	/* processes */
};

/* A generation of the tree with a hash table of its pids. */
struct snapshot {
	size_t count;
	struct sw_process process[SW_TREE_PROCESSES_MAX];
	uint16_t slot[SLOTS];		/* index + 1; 0: free */
};

struct sw_tree {
	int proc_fd;
	pid_t root_pid;		/* 0: all children of the parent */
	/*
	 * The process that reaps the orphans or the tasks.  Its reaped children
	 * belong to the tree, it does not.  0: a recorded tree without one.
	 */
	pid_t parent_pid;
	bool is_own;		/* the parent is this process */
	struct snapshot *now, *before;
	uint64_t left_out;
	uint64_t time_usec;	/* of the last refresh */
	uint64_t garbled;
	struct sw_totals totals;
	struct sw_totals dead;	/* of processes that have exited */
	struct sw_reaped reaped_at_start;
	struct sw_run_queue run_queue;
	struct sw_roots roots;	/* found by other means */
	struct sw_share *share;	/* pays for the memory of processes */
	size_t paid;		/* number of processes paid for */
};

/* Processes of the tree being refreshed that are to be visited together. */
static struct {
	size_t count;
	struct sw_visit visit[SW_VISITS_MAX];
} wanted;

static size_t slot_of(const struct snapshot *snapshot, pid_t pid)
{
	size_t slot = (size_t)pid * 2654435761u % SLOTS;

	while (snapshot->slot[slot] &&
	       snapshot->process[snapshot->slot[slot] - 1].pid != pid)
		slot = (slot + 1) % SLOTS;
	return slot;
}

static const struct sw_process *find(const struct snapshot *snapshot,
				     const struct sw_process *same)
{
	uint16_t index = snapshot->slot[slot_of(snapshot, same->pid)];
	const struct sw_process *found;

	if (!index)
		return NULL;
	found = &snapshot->process[index - 1];
	return found->start_ticks == same->start_ticks ? found : NULL;
}

/* Keep the last values seen, so that totals do not decrease. */
static bool recall(const struct sw_tree *tree, struct sw_visit *visit)
{
	const struct snapshot *before = tree->before;
	uint16_t index = before->slot[slot_of(before, visit->pid)];

	if (!index)
		return false;
	visit->process = before->process[index - 1];
	visit->status = SW_READ_OK;
	return true;
}

/* Return the memory of both generations for this many processes. */
static size_t bytes_of(size_t processes)
{
	return processes * 2 * sizeof(struct sw_process);
}

static bool has_room(struct sw_tree *tree)
{
	size_t count = tree->now->count;

	if (count == SW_TREE_PROCESSES_MAX)
		return false;
	if (count < tree->paid)
		return true;
	if (!sw_share_take(tree->share, bytes_of(PAID_AT_ONCE)))
		return false;
	tree->paid += PAID_AT_ONCE;
	return true;
}

/* Store what was read; a process that has exited is not an error. */
static void take(struct sw_tree *tree, struct sw_visit *visit)
{
	struct snapshot *now = tree->now;
	size_t slot = slot_of(now, visit->pid);
	const struct sw_process *before;
	struct sw_process *process;

	if (now->slot[slot])
		return;
	if (!has_room(tree) || (visit->is_stuck && !recall(tree, visit))) {
		tree->left_out++;
		return;
	}
	tree->garbled += visit->status == SW_READ_GARBAGE ||
			 visit->process.is_garbled;
	if (visit->status != SW_READ_OK ||
	    sw_roots_is_other(&tree->roots, &visit->process))
		return;
	process = &now->process[now->count];
	*process = visit->process;
	before = find(tree->before, process);
	process->file_max_bytes = sw_max_u64(process->rss_file_bytes,
		before ? before->file_max_bytes : SW_MISSING);
	now->slot[slot] = (uint16_t)++now->count;
}

static void visit_wanted(struct sw_tree *tree)
{
	size_t i, count = wanted.count;

	wanted.count = 0;
	if (count == 0)
		return;
	sw_visits(tree->proc_fd, wanted.visit, count);
	for (i = 0; i < count; i++)
		take(tree, &wanted.visit[i]);
}

/* Request a visit of pid, once per pass and batched with others. */
static void want(struct sw_tree *tree, pid_t pid)
{
	if (tree->now->slot[slot_of(tree->now, pid)])
		return;
	if (!has_room(tree)) {
		tree->left_out++;
		return;
	}
	wanted.visit[wanted.count++] = (struct sw_visit){ .pid = pid };
	if (wanted.count == SW_VISITS_MAX)
		visit_wanted(tree);
}

static bool visit_children_of_thread(struct sw_tree *tree, const char *path)
{
	char text[CHILDREN_TEXT_SIZE];
	struct sw_kernfile file;
	const char *p = text;
	uint64_t pid;
	bool is_read;

	is_read = sw_kernfile_open(&file, tree->proc_fd, path) == SW_READ_OK &&
		  sw_kernfile_read(&file, text, sizeof(text)) == SW_READ_OK;
	sw_kernfile_close(&file);
	if (!is_read)
		return false;
	while (sw_kern_parse_u64(&p, &pid) == 0) {
		if (!tree->is_own || !sw_helpers_have((pid_t)pid))
			want(tree, (pid_t)pid);
		p += *p == ' ';
	}
	return true;
}

static void look_at_thread(struct sw_tree *tree, struct sw_process *process,
			   pid_t thread)
{
	bool is_to_run = thread == process->pid && process->state == 'R';
	uint64_t wait_usec = sw_run_queue_sample(&tree->run_queue,
						 tree->proc_fd, process->pid,
						 thread, is_to_run);

	process->run_queue_wait_usec =
		sw_sum_u64(process->run_queue_wait_usec, wait_usec);
}

struct thread_visit {
	struct sw_tree *tree;
	struct sw_process *process;	/* NULL: not in the tree */
};

static void take_thread(void *context, pid_t pid, const char *thread)
{
	const struct thread_visit *visit = context;
	char path[64];

	snprintf(path, sizeof(path), "%d/task/%.16s/children", (int)pid,
		 thread);
	visit_children_of_thread(visit->tree, path);
	if (visit->process)
		look_at_thread(visit->tree, visit->process, atoi(thread));
}

/* Each thread has its own children and its own waits for a CPU. */
static void visit_children(struct sw_tree *tree, pid_t pid, uint64_t threads,
			   struct sw_process *process)
{
	struct thread_visit visit = { tree, process };
	char name[16];

	if (threads > 1) {
		sw_process_each_thread(tree->proc_fd, pid, take_thread, &visit);
		return;
	}
	snprintf(name, sizeof(name), "%d", (int)pid);
	take_thread(&visit, pid, name);
}

static void swap(struct sw_tree *tree)
{
	struct snapshot *now = tree->before;

	tree->before = tree->now;
	tree->now = now;
	now->count = 0;
	memset(now->slot, 0, sizeof(now->slot));
	tree->left_out = 0;
	tree->garbled = 0;
}

static void add_reaped(struct sw_tree *tree, struct sw_totals *sum)
{
	struct sw_reaped reaped;

	if (!tree->parent_pid)
		return;
	sw_reaped_read(&reaped, tree->proc_fd, tree->parent_pid,
		       tree->is_own);
	sw_totals_reap(sum, &reaped, &tree->reaped_at_start);
}

/* Keep in the tree what no parent inherits from an exited process. */
static void bury(struct sw_tree *tree)
{
	const struct snapshot *before = tree->before;
	size_t i;

	for (i = 0; i < before->count; i++) {
		const struct sw_process *process = &before->process[i];
		struct sw_totals *dead = &tree->dead;

		if (find(tree->now, process))
			continue;
		dead->voluntary_switches = sw_sum_u64(dead->voluntary_switches,
			process->voluntary_switches);
		dead->nonvoluntary_switches = sw_sum_u64(
			dead->nonvoluntary_switches,
			process->nonvoluntary_switches);
	}
}

static void total_up(struct sw_tree *tree, struct sw_totals sum)
{
	size_t i;

	for (i = 0; i < tree->now->count; i++)
		sw_totals_add(&sum, &tree->now->process[i]);
	sw_totals_raise(&tree->totals, &sum);
}

/* Count down, because removing a root moves the last one to its index. */
static void settle_roots(struct sw_tree *tree)
{
	size_t i = tree->roots.count;

	while (i-- > 0) {
		const struct sw_root *root = &tree->roots.items[i];
		const struct sw_process key = {
			.pid = root->pid, .start_ticks = root->start_ticks };
		const struct sw_process *now = find(tree->now, &key);
		struct snapshot *snapshot = tree->now;

		sw_roots_settle(&tree->roots, i, now, now &&
				snapshot->slot[slot_of(snapshot, now->parent)]);
	}
}

void sw_tree_refresh(struct sw_tree *tree)
{
	struct sw_totals sum;
	size_t i;

	tree->time_usec = sw_clock_boottime_usec();
	swap(tree);
	sum = sw_totals_missing;
	/* The parent of all comes first. */
	add_reaped(tree, &sum);
	if (tree->root_pid)
		want(tree, tree->root_pid);
	for (i = 0; i < tree->roots.count; i++)
		want(tree, tree->roots.items[i].pid);
	if (tree->parent_pid)
		visit_children(tree, tree->parent_pid,
			       tree->is_own ? 1 : MANY_THREADS, NULL);
	visit_wanted(tree);
	sw_run_queue_begin(&tree->run_queue);
	for (i = 0; i < tree->now->count; i++) {
		struct sw_process *process = &tree->now->process[i];

		process->run_queue_wait_usec = SW_MISSING;
		visit_children(tree, process->pid, process->thread_count,
			       process);
		/* Visit all children of this generation together. */
		if (i + 1 == tree->now->count)
			visit_wanted(tree);
	}
	sw_run_queue_end(&tree->run_queue);
	settle_roots(tree);
	/* A tree with roots has no parent that could report it. */
	if (tree->roots.has_gone)
		sum = tree->roots.gone;
	bury(tree);
	sum.voluntary_switches = tree->dead.voluntary_switches;
	sum.nonvoluntary_switches = tree->dead.nonvoluntary_switches;
	total_up(tree, sum);
	tree->totals.run_queue_wait_usec = tree->run_queue.total_usec;
}

static bool is_own_proc(int proc_fd)
{
	char link[32], own[32];
	ssize_t n = readlinkat(proc_fd, "self", link, sizeof(link) - 1);

	if (n < 0)
		return false;
	link[n] = '\0';
	snprintf(own, sizeof(own), "%d", (int)getpid());
	return !strcmp(link, own);
}

static struct sw_tree *allocate(int proc_fd, struct sw_error *error)
{
	struct sw_tree *tree = calloc(1, sizeof(*tree));

	if (tree) {
		tree->now = sw_pages_take(sizeof(*tree->now));
		tree->before = sw_pages_take(sizeof(*tree->before));
	}
	if (!tree || !tree->now || !tree->before) {
		sw_tree_destroy(tree);
		sw_error_set(error,
			     "not enough memory to follow the processes");
		return NULL;
	}
	tree->proc_fd = proc_fd;
	tree->paid = PAID_AT_ONCE;
	tree->totals = tree->dead = sw_totals_missing;
	return tree;
}

struct sw_tree *sw_tree_create_of(int proc_fd, pid_t root_pid,
				  struct sw_error *error)
{
	struct sw_tree *tree = allocate(proc_fd, error);

	if (tree)
		tree->root_pid = root_pid;
	return tree;
}

struct sw_tree *sw_tree_create(int proc_fd, pid_t root_pid,
			       struct sw_error *error)
{
	struct sw_tree *tree = sw_tree_create_of(proc_fd, root_pid, error);

	if (!tree)
		return NULL;
	tree->is_own = is_own_proc(proc_fd);
	if (tree->is_own) {
		tree->parent_pid = getpid();
		sw_reaped_read(&tree->reaped_at_start, proc_fd,
			       tree->parent_pid, true);
	}
	return tree;
}

struct sw_tree *sw_tree_create_below(int proc_fd, pid_t parent_pid,
				     struct sw_error *error)
{
	struct sw_tree *tree = allocate(proc_fd, error);

	if (!tree)
		return NULL;
	/* All children that it has ever reaped belong to this step. */
	tree->parent_pid = parent_pid;
	return tree;
}

bool sw_tree_add_root(struct sw_tree *tree, pid_t pid, uint64_t start_ticks)
{
	return sw_roots_add(&tree->roots, pid, start_ticks);
}

void sw_tree_charge(struct sw_tree *tree, struct sw_share *share)
{
	tree->share = share;
	tree->run_queue.share = share;
}

void sw_tree_destroy(struct sw_tree *tree)
{
	if (!tree)
		return;
	sw_run_queue_fini(&tree->run_queue);
	sw_roots_fini(&tree->roots);
	sw_share_give(tree->share, bytes_of(tree->paid - PAID_AT_ONCE));
	sw_pages_give(tree->now, sizeof(*tree->now));
	sw_pages_give(tree->before, sizeof(*tree->before));
	free(tree);
}

size_t sw_tree_count(const struct sw_tree *tree)
{
	return tree->now->count;
}

const struct sw_process *sw_tree_process(const struct sw_tree *tree,
					 size_t index)
{
	return &tree->now->process[index];
}

const struct sw_process *sw_tree_fallen(const struct sw_tree *tree)
{
	const struct sw_process *fallen = NULL;
	size_t i;

	for (i = 0; i < tree->before->count; i++) {
		const struct sw_process *before = &tree->before->process[i];
		const struct sw_process *now = find(tree->now, before);

		if (before->is_dying || (now && !now->is_dying) ||
		    sw_is_missing(before->rss_anon_bytes))
			continue;
		if (!fallen || before->rss_anon_bytes > fallen->rss_anon_bytes)
			fallen = before;
	}
	return fallen;
}

uint64_t sw_tree_time_usec(const struct sw_tree *tree)
{
	return tree->time_usec;
}

uint64_t sw_tree_left_out(const struct sw_tree *tree)
{
	return tree->left_out;
}

uint64_t sw_tree_garbled(const struct sw_tree *tree)
{
	return tree->garbled;
}

const struct sw_totals *sw_tree_totals(const struct sw_tree *tree)
{
	return &tree->totals;
}
