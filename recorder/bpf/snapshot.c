/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Take one pass over the processes that BPF reports on.  Loaded apart from the
 * records, so that a failure here does not affect them.
 */
#include "recorder/bpf/snapshot.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/bpf/account.h"
#include "recorder/bpf/btf_path.h"
#include "recorder/bpf/snapshot_record.h"

#include "recorder/bpf/snapshot.skel.h"
#include "recorder/bpf/snapshot_old.skel.h"

enum {
	ITER_THREADS = 64,	/* per read */
};

/* A way of taking the snapshot */
struct backend {
	const char *name;
	bool looks_up;	/* by process; false: walks all threads of the node */
	bool sums_pages;	/* exactly, including per-CPU deltas */
	int (*look)(struct sw_followed_table *table);
};

static struct {
	struct snapshot_bpf *skeleton;	/* NULL: not loaded */
	struct bpf_link *find, *walk;
	const struct backend *backend;
} pass;

/* Results of a walk so far, in the order of the table */
static struct {
	ptrdiff_t count;
	struct sw_snapshot_process seen[SW_FOLLOWED_MAX];
} walked;

/* Run an iterator to its end and pass each record to take. */
static int iterate(struct bpf_link *link,
		   void (*take)(struct sw_followed_table *table,
				const struct sw_snapshot_thread *told),
		   struct sw_followed_table *table)
{
	struct sw_snapshot_thread told[ITER_THREADS];
	int fd = bpf_iter_create(bpf_link__fd(link));
	ssize_t length;
	size_t i;

	if (fd < 0)
		return -1;
	while ((length = read(fd, told, sizeof(told))) > 0) {
		for (i = 0; i < (size_t)length / sizeof(told[0]); i++)
			take(table, &told[i]);
	}
	close(fd);
	return length < 0 ? -1 : 0;
}

/* Complete the processes whose start BPF has not seen, once for each. */
static void find_by_hand(struct sw_followed_table *table)
{
	bool has_any = false;
	size_t i;

	for (i = 0; i < table->count; i++) {
		has_any |= table->entry[i].is_by_hand;
		table->entry[i].is_by_hand = false;
	}
	if (has_any && pass.find)
		iterate(pass.find, NULL, NULL);
}

static int run_batch(struct sw_followed **batch, unsigned count)
{
	struct snapshot_bpf__bss *shared = pass.skeleton->bss;
	LIBBPF_OPTS(bpf_test_run_opts, options);
	unsigned i;

	for (i = 0; i < count; i++)
		shared->wanted[i] = batch[i]->pid;
	shared->wanted_count = count;
	if (bpf_prog_test_run_opts(
		    bpf_program__fd(pass.skeleton->progs.look_up),
		    &options) < 0)
		return -1;
	for (i = 0; i < count; i++)
		sw_account_see(batch[i], &shared->seen[i]);
	return 0;
}

/* Limit the share of a step in a pass. */
static bool may_look_at(struct sw_followed *followed)
{
	if (!followed->account)
		return false;
	if (followed->account->looked_at < SW_ACCOUNT_SHARE) {
		followed->account->looked_at++;
		return true;
	}
	sw_account_see(followed, NULL);
	return false;
}

static int look_up(struct sw_followed_table *table)
{
	struct sw_followed *batch[SW_SNAPSHOT_BATCH];
	unsigned count = 0;
	size_t i;

	find_by_hand(table);
	for (i = 0; i < table->count; i++) {
		if (may_look_at(&table->entry[i]))
			batch[count++] = &table->entry[i];
		if (count < SW_SNAPSHOT_BATCH)
			continue;
		if (run_batch(batch, count) < 0)
			return -1;
		count = 0;
	}
	return count ? run_batch(batch, count) : 0;
}

/* Start with the sums of the exited threads; the live ones are added later. */
static void begin_walk(struct sw_followed *followed,
		       struct sw_snapshot_process *seen)
{
	struct sw_record_process process;
	int key = followed->pid;

	memset(seen, 0, sizeof(*seen));
	if (bpf_map__lookup_elem(pass.skeleton->maps.processes, &key,
				 sizeof(key), &process, sizeof(process), 0) ==
	    0)
		seen->sums = process.sums;
}

static void take_thread(struct sw_followed_table *table,
			const struct sw_snapshot_thread *told)
{
	const struct sw_snapshot_process *thread = &told->thread;
	const struct sw_followed *followed = sw_followed_find(table,
							      told->pid);
	struct sw_snapshot_process *seen;

	if (!followed || followed - table->entry >= walked.count)
		return;
	seen = &walked.seen[followed - table->entry];
	sw_sums_add(&seen->sums, &thread->sums);
	seen->is_there = 1;
	seen->threads++;
	seen->running += thread->running;
	seen->blocked += thread->blocked;
	if (!thread->start_nsec)
		return;
	/* main thread */
	seen->start_nsec = thread->start_nsec;
	seen->memory = thread->memory;
}

/* Walk all threads of the node, most of which are not wanted. */
static int walk(struct sw_followed_table *table)
{
	ptrdiff_t i;

	walked.count = (ptrdiff_t)table->count;
	for (i = 0; i < walked.count; i++)
		begin_walk(&table->entry[i], &walked.seen[i]);
	if (iterate(pass.walk, take_thread, table) < 0)
		return -1;
	for (i = 0; i < walked.count; i++) {
		if (may_look_at(&table->entry[i]))
			sw_account_see(&table->entry[i], &walked.seen[i]);
	}
	return 0;
}

static const struct backend backends[] = {
	{ .name = "bpf", .looks_up = true, .sums_pages = true,
	  .look = look_up },
	{ .name = "bpf", .looks_up = true, .look = look_up },
	{ .name = "bpf.iter", .look = walk },
};

enum { BACKENDS = sizeof(backends) / sizeof(backends[0]) };

/* Both objects use one skeleton, so their data must have the same layout. */
#define SAME(member) \
	_Static_assert( \
		offsetof(struct snapshot_bpf__bss, member) == \
			offsetof(struct snapshot_old_bpf__bss, member), \
		"compiled without bpf_rdonly_cast")
SAME(wanted_count);
SAME(wanted);
SAME(seen);
SAME(cpus);
SAME(cpu_offset);
#undef SAME
_Static_assert(sizeof(struct snapshot_bpf__bss) ==
		       sizeof(struct snapshot_old_bpf__bss),
	       "compiled without bpf_rdonly_cast");

/* Open the object for kernels without bpf_rdonly_cast; see bpf_task.h. */
static struct snapshot_bpf *open_old(const struct bpf_object_open_opts *options)
{
	struct snapshot_bpf *skeleton = calloc(1, sizeof(*skeleton));

	if (!skeleton)
		return NULL;
	/* The same programs and maps, compiled differently */
	if (snapshot_bpf__create_skeleton(skeleton) == 0) {
		skeleton->skeleton->data = snapshot_old_bpf__elf_bytes(
			&skeleton->skeleton->data_sz);
		if (bpf_object__open_skeleton(skeleton->skeleton,
					      options) == 0)
			return skeleton;
	}
	snapshot_bpf__destroy(skeleton);
	return NULL;
}

/* Load what the backend needs.  Return 0, or -1 with nothing loaded. */
static int load(const struct backend *backend, const struct bpf_map *processes)
{
	LIBBPF_OPTS(bpf_object_open_opts, options,
		    .btf_custom_path = sw_btf_path());
	struct snapshot_bpf *skeleton = backend->looks_up ?
			snapshot_bpf__open_opts(&options) : open_old(&options);
	bool is_exact = backend->sums_pages;

	if (!skeleton)
		return -1;
	bpf_program__set_autoload(skeleton->progs.look_up, backend->looks_up);
	bpf_program__set_autoload(skeleton->progs.find, backend->looks_up);
	bpf_program__set_autoload(skeleton->progs.measure, is_exact);
	bpf_program__set_autoload(skeleton->progs.walk, !backend->looks_up);
	bpf_map__set_autocreate(skeleton->maps.sample, is_exact);
	if (bpf_map__reuse_fd(skeleton->maps.processes,
			      bpf_map__fd(processes)) < 0 ||
	    snapshot_bpf__load(skeleton) < 0) {
		snapshot_bpf__destroy(skeleton);
		return -1;
	}
	pass.skeleton = skeleton;
	pass.backend = backend;
	return 0;
}

/* Measure per-CPU offsets if there are few enough CPUs for exact page sums. */
static void measure(void)
{
	LIBBPF_OPTS(bpf_test_run_opts, options);
	struct snapshot_bpf__bss *shared = pass.skeleton->bss;

	if (libbpf_num_possible_cpus() > SW_SNAPSHOT_CPUS_MAX ||
	    bpf_prog_test_run_opts(
		    bpf_program__fd(pass.skeleton->progs.measure),
		    &options) < 0)
		shared->cpus = 0;
}

static void unload(void)
{
	bpf_link__destroy(pass.find);
	bpf_link__destroy(pass.walk);
	snapshot_bpf__destroy(pass.skeleton);
	memset(&pass, 0, sizeof(pass));
}

static int start(const struct backend *backend, const struct bpf_map *processes)
{
	struct snapshot_bpf *skeleton;

	if (load(backend, processes) < 0)
		return -1;
	skeleton = pass.skeleton;
	if (backend->sums_pages)
		measure();
	if (backend->looks_up)
		pass.find = bpf_program__attach_iter(skeleton->progs.find,
						     NULL);
	else
		pass.walk = bpf_program__attach_iter(skeleton->progs.walk,
						     NULL);
	if (backend->looks_up || pass.walk)
		return 0;
	unload();
	return -1;
}

int sw_snapshot_open(const struct bpf_map *processes, const char *only,
		     struct sw_error *error)
{
	size_t i;

	for (i = 0; i < BACKENDS; i++) {
		if (only && strcmp(only, backends[i].name) != 0)
			continue;
		if (start(&backends[i], processes) == 0)
			return 0;
	}
	return sw_error_errno(error, "bpf: processes cannot be sampled here");
}

const char *sw_snapshot_backend(void)
{
	return pass.backend ? pass.backend->name : NULL;
}

int sw_snapshot_take(struct sw_followed_table *table)
{
	if (!pass.backend) {
		errno = ENODEV;
		return -1;
	}
	sw_account_begin(table->count);
	return pass.backend->look(table);
}
