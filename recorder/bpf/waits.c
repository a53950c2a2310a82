/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What threads that do not run wait for: one pass by BPF.  Loaded apart from
 * the records and the snapshot, which do not fail where this does.
 */
#include "recorder/bpf/waits.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/bpf/account.h"
#include "recorder/bpf/btf_path.h"
#include "recorder/bpf/snapshot.h"
#include "recorder/bpf/waits_record.h"

#include "recorder/bpf/waits.skel.h"
#include "recorder/bpf/waits_old.skel.h"

enum {
	ITER_THREADS = 32,		/* of one read */
	SHARE = 512,			/* threads of one step in a pass */

	KNOWN_SLOTS = 2048,		/* addresses, a power of two */
	KNOWN_MAX = KNOWN_SLOTS / 2,
	/* Bits of a thread's state: include/linux/sched.h */
	STATE_UNINTERRUPTIBLE = 0x2, STATE_STOPPED = 0x4, STATE_TRACED = 0x8,
	STATE_NOLOAD = 0x400, STATE_FROZEN = 0x8000,
};

/* From a thread's stack to its registers where BPF cannot tell. */
#if defined(__x86_64__)
enum { REGISTERS_OFFSET = 16384 - 168 };
#else
enum { REGISTERS_OFFSET = 0 };
#endif

/* One way of looking. */
struct backend {
	const char *name;
	bool looks_up;		/* else past all threads of the node */
	bool names;		/* functions; and measures the offset */
};

static const struct backend backends[] = {
	{ .name = "bpf", .looks_up = true, .names = true },
	{ .name = "bpf.iter", .names = true },
	{ .name = "bpf.iter.calls" },
};

enum { BACKENDS = sizeof(backends) / sizeof(backends[0]) };

static struct {
	struct waits_bpf *skeleton;	/* NULL: not loaded */
	struct bpf_link *look_up, *find_path, *walk;	/* of the backend */
	const struct backend *backend;
	void (*told)(struct sw_followed *followed, uint64_t io_usec);
} pass;

/* Functions by the address of a call in them; what is 0 is free. */
static struct {
	size_t count;
	unsigned long long address[KNOWN_SLOTS];
	uint16_t function[KNOWN_SLOTS];
} known;

static int run(const struct bpf_program *program)
{
	LIBBPF_OPTS(bpf_test_run_opts, options);

	return bpf_prog_test_run_opts(bpf_program__fd(program), &options);
}

/* What the pure function makes of it decides, here and in the kernel. */
static void fill_kinds(struct waits_bpf__bss *shared)
{
	struct sw_wait_sight sight = { .state = 'S' };
	enum sw_wait_kind kind;
	unsigned i;

	for (i = 0; i < SW_WAITS_CALLS; i++) {
		sight.syscall = (int)i;
		kind = sw_wait_explain(&sight).kind;
		shared->call_asked[i] =
			(unsigned char)sw_wait_asked_call((int)i);
		if (sw_wait_is_file_call((int)i))
			shared->call_kind[i] = SW_WAITS_BY_FILE;
		else if (kind != SW_WAIT_IO && kind != SW_WAIT_OTHER)
			shared->call_kind[i] = (unsigned char)kind;
	}
	/* A server may keep the locks, and not answer. */
	shared->call_kind[SYS_fcntl] = 0;
#ifdef SYS_io_uring_enter
	/* It may wait for an end, or be reading itself. */
	shared->call_kind[SYS_io_uring_enter] = 0;
#endif
	sight.syscall = SYS_ppoll;
	for (i = 0; i < SW_ASKED_COUNT; i++) {
		sight.asked = (enum sw_asked)i;
		shared->asked_kind[i] =
			(unsigned char)sw_wait_explain(&sight).kind;
	}
	sight.syscall = SYS_read;
	for (i = 0; i < SW_WAITS_MODES; i++) {
		sight.file_mode = i << 12;
		kind = sw_wait_explain(&sight).kind;
		if (kind != SW_WAIT_IO && kind != SW_WAIT_OTHER)
			shared->mode_kind[i] = (unsigned char)kind;
	}
}

/* Both objects are used by one skeleton: their data lie alike. */
#define SAME(member) \
	_Static_assert( \
		offsetof(struct waits_bpf__bss, member) == \
			offsetof(struct waits_old_bpf__bss, member), \
		"compiled without bpf_rdonly_cast")
SAME(thread_count);
SAME(wanted_count);
SAME(own_registers);
SAME(own_stack);
SAME(address_count);
SAME(addresses);
SAME(names);
SAME(path);
SAME(wanted_thread);
SAME(call_kind);
SAME(mode_kind);
SAME(registers_offset);
SAME(call_asked);
SAME(asked_kind);
SAME(wanted);
SAME(wanted_share);
SAME(room);
SAME(seen);
SAME(threads);
#undef SAME
_Static_assert(sizeof(struct waits_bpf__bss) ==
		       sizeof(struct waits_old_bpf__bss),
	       "compiled without bpf_rdonly_cast");

/* For a kernel that has no bpf_rdonly_cast: see bpf_task.h. */
static struct waits_bpf *open_old(const struct bpf_object_open_opts *options)
{
	struct waits_bpf *skeleton = calloc(1, sizeof(*skeleton));

	if (!skeleton)
		return NULL;
	/* The same programs and maps, of other bytes. */
	if (waits_bpf__create_skeleton(skeleton) == 0) {
		skeleton->skeleton->data = waits_old_bpf__elf_bytes(
			&skeleton->skeleton->data_sz);
		if (bpf_object__open_skeleton(skeleton->skeleton,
					      options) == 0)
			return skeleton;
	}
	waits_bpf__destroy(skeleton);
	return NULL;
}

/* Load what the backend needs; 0, or -1 and nothing is loaded. */
static int load(const struct backend *backend, const struct bpf_map *processes)
{
	LIBBPF_OPTS(bpf_object_open_opts, options,
		    .btf_custom_path = sw_btf_path());
	struct waits_bpf *skeleton = backend->looks_up ?
			waits_bpf__open_opts(&options) : open_old(&options);

	if (!skeleton)
		return -1;
	bpf_program__set_autoload(skeleton->progs.look_up, backend->looks_up);
	bpf_program__set_autoload(skeleton->progs.find_path, backend->looks_up);
	bpf_program__set_autoload(skeleton->progs.walk, !backend->looks_up);
	bpf_program__set_autoload(skeleton->progs.name, backend->names);
	bpf_program__set_autoload(skeleton->progs.measure, backend->names);
	bpf_map__set_autocreate(skeleton->maps.once, backend->looks_up);
	if (bpf_map__reuse_fd(skeleton->maps.processes,
			      bpf_map__fd(processes)) < 0 ||
	    waits_bpf__load(skeleton) < 0) {
		waits_bpf__destroy(skeleton);
		return -1;
	}
	pass.skeleton = skeleton;
	pass.backend = backend;
	return 0;
}

static struct bpf_link *attach_once(const struct bpf_program *program)
{
	union bpf_iter_link_info info = {
		.map.map_fd = (uint32_t)bpf_map__fd(
			pass.skeleton->maps.once) };
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = &info,
		    .link_info_len = sizeof(info));

	return bpf_program__attach_iter(program, &options);
}

/* One of those, which tells nothing by itself. */
static int run_once(const struct bpf_link *link)
{
	int fd = bpf_iter_create(bpf_link__fd(link));
	char nothing[8];
	ssize_t length;

	if (fd < 0)
		return -1;
	while ((length = read(fd, nothing, sizeof(nothing))) > 0)
		;
	close(fd);
	return length < 0 ? -1 : 0;
}

static int start(const struct backend *backend, const struct bpf_map *processes)
{
	struct waits_bpf *skeleton;

	if (load(backend, processes) < 0)
		return -1;
	skeleton = pass.skeleton;
	fill_kinds(skeleton->bss);
	skeleton->bss->registers_offset = REGISTERS_OFFSET;
	if (backend->names) {
		if (run(skeleton->progs.measure) < 0)
			goto error;
		skeleton->bss->registers_offset =
			skeleton->bss->own_registers -
			skeleton->bss->own_stack;
	}
	if (backend->looks_up) {
		pass.look_up = attach_once(skeleton->progs.look_up);
		pass.find_path = attach_once(skeleton->progs.find_path);
	} else {
		pass.walk = bpf_program__attach_iter(skeleton->progs.walk,
						     NULL);
	}
	if (pass.walk || (pass.look_up && pass.find_path))
		return 0;
error:
	sw_waits_close();
	return -1;
}

int sw_waits_open(const struct bpf_map *processes, const char *only,
		  struct sw_error *error)
{
	const char *snapshot = sw_snapshot_backend();
	size_t i;

	for (i = 0; snapshot && i < BACKENDS; i++) {
		if (only && strcmp(only, backends[i].name) != 0)
			continue;
		/* It is the snapshot that finds those put in by hand. */
		if (backends[i].looks_up && strcmp(snapshot, "bpf") != 0)
			continue;
		if (start(&backends[i], processes) == 0)
			return 0;
	}
	return sw_error_errno(error, "bpf: waiting threads cannot be sampled "
			      "here");
}

void sw_waits_close(void)
{
	bpf_link__destroy(pass.look_up);
	bpf_link__destroy(pass.find_path);
	bpf_link__destroy(pass.walk);
	waits_bpf__destroy(pass.skeleton);
	memset(&pass, 0, sizeof(pass));
	memset(&known, 0, sizeof(known));
}

const char *sw_waits_backend(void)
{
	return pass.backend ? pass.backend->name : NULL;
}

/* Its slot, or the free one that it would have. */
static size_t slot_of(unsigned long long address)
{
	size_t slot = (size_t)(address * 0x9e3779b97f4a7c15u >> 32);

	while (known.address[slot % KNOWN_SLOTS] &&
	       known.address[slot % KNOWN_SLOTS] != address)
		slot++;
	return slot % KNOWN_SLOTS;
}

/* The addresses that are asked for have their names. */
static void take_names(void)
{
	struct waits_bpf__bss *shared = pass.skeleton->bss;
	unsigned i;

	if (shared->address_count == 0)
		return;
	memset(shared->names, 0, sizeof(shared->names));
	if (run(pass.skeleton->progs.name) < 0)
		memset(shared->names, 0, sizeof(shared->names));
	for (i = 0; i < shared->address_count; i++) {
		size_t slot = slot_of(shared->addresses[i]);

		shared->names[i][SW_WAITS_NAME_SIZE - 1] = '\0';
		known.address[slot] = shared->addresses[i];
		known.function[slot] = sw_wait_function(shared->names[i]);
	}
	shared->address_count = 0;
}

/* Modules come and go, but seldom: at times all are asked for anew. */
static void ask_name(unsigned long long address)
{
	struct waits_bpf__bss *shared = pass.skeleton->bss;
	size_t slot = slot_of(address);
	unsigned i;

	if (!address || known.address[slot])
		return;
	for (i = 0; i < shared->address_count; i++) {
		if (shared->addresses[i] == address)
			return;
	}
	if (known.count == KNOWN_MAX) {
		take_names();
		memset(&known, 0, sizeof(known));
	}
	known.count++;
	shared->addresses[shared->address_count++] = address;
	if (shared->address_count == SW_WAITS_NAMES)
		take_names();
}

static void ask_names(const struct sw_waits_thread *thread)
{
	unsigned i;

	for (i = 0; i < thread->depth && i < SW_WAITS_STACK; i++)
		ask_name(thread->stack[i]);
}

static char letter_of(unsigned int state)
{
	if (state & (STATE_STOPPED | STATE_FROZEN))
		return 'T';
	if (state & STATE_TRACED)
		return 't';
	if (!(state & STATE_UNINTERRUPTIBLE))
		return 'S';
	return state & STATE_NOLOAD ? 'I' : 'D';
}

static void fill_stack(struct sw_wait_sight *sight,
		       const struct sw_waits_thread *thread)
{
	uint16_t function;
	unsigned i;

	for (i = 0; i < thread->depth && i < SW_WAITS_STACK &&
	     sight->depth < SW_WAIT_STACK; i++) {
		size_t slot = slot_of(thread->stack[i]);

		function = known.address[slot] ? known.function[slot] :
						 SW_WAIT_FUNCTIONS;
		if (function < SW_WAIT_FUNCTIONS)
			sight->function[sight->depth++] = function;
	}
}

static void take_thread(struct sw_followed *followed,
			const struct sw_waits_thread *thread)
{
	struct sw_wait_seen seen = {
		.sight = {
			.state = letter_of(thread->state),
			.in_iowait = thread->in_iowait,
			.syscall = thread->call,
			.file_mode = thread->mode,
			.file_magic = thread->magic,
		},
		.pid = thread->pid,
		.tid = thread->tid,
		.fd = thread->fd,
		.device = thread->device,
		.inode = thread->inode,
		.file_bytes = thread->size,
		.switches = thread->switches,
	};
	uint64_t io_usec;

	fill_stack(&seen.sight, thread);
	io_usec = sw_wait_tally_see(followed->account->waits, &seen);
	if (io_usec)
		pass.told(followed, io_usec);
}

static void take_process(struct sw_followed *followed,
			 const struct sw_waits_process *process)
{
	struct sw_wait_tally *tally = followed->account->waits;
	unsigned kind;

	for (kind = 1; kind < SW_WAIT_KINDS; kind++) {
		if (process->kind[kind])
			sw_wait_tally_count(tally, (enum sw_wait_kind)kind,
					    process->kind[kind]);
	}
	tally->left_out += process->left_out;
}

static int run_batch(struct sw_followed_table *table,
		     struct sw_followed **batch, unsigned count)
{
	struct waits_bpf__bss *shared = pass.skeleton->bss;
	struct sw_followed *followed;
	unsigned i;

	for (i = 0; i < count; i++) {
		shared->wanted[i] = batch[i]->pid;
		shared->wanted_share[i] =
			(unsigned char)batch[i]->account->share;
	}
	shared->wanted_count = count;
	if (run_once(pass.look_up) < 0)
		return -1;
	for (i = 0; i < count; i++)
		take_process(batch[i], &shared->seen[i]);
	for (i = 0; i < shared->thread_count; i++)
		ask_names(&shared->threads[i]);
	take_names();
	for (i = 0; i < shared->thread_count; i++) {
		followed = sw_followed_find(table, shared->threads[i].pid);
		if (followed)
			take_thread(followed, &shared->threads[i]);
	}
	return 0;
}

/* Has it threads that may wait, and is there somebody to be told? */
static bool is_of_use(const struct sw_followed *followed)
{
	return followed->account && followed->account->waits &&
	       followed->not_running > 0;
}

static int look_up(struct sw_followed_table *table)
{
	struct sw_followed *batch[SW_WAITS_BATCH];
	unsigned count = 0;
	size_t i;

	for (i = 0; i < table->count; i++) {
		if (!is_of_use(&table->entry[i]))
			continue;
		batch[count++] = &table->entry[i];
		if (count < SW_WAITS_BATCH)
			continue;
		if (run_batch(table, batch, count) < 0)
			return -1;
		count = 0;
	}
	return count ? run_batch(table, batch, count) : 0;
}

static void take_told(struct sw_followed_table *table,
		      const struct sw_waits_told *told)
{
	unsigned *room = pass.skeleton->bss->room;
	struct sw_followed *followed = sw_followed_find(table,
							told->thread.pid);

	if (!followed || !is_of_use(followed))
		return;
	if (told->kind) {
		sw_wait_tally_count(followed->account->waits,
				    (enum sw_wait_kind)told->kind, 1);
	} else if (room[followed->account->share] == 0) {
		followed->account->waits->left_out++;
	} else {
		room[followed->account->share]--;
		ask_names(&told->thread);
		take_names();
		take_thread(followed, &told->thread);
	}
}

/* Past all threads of the node, of which few are asked for. */
static int walk(struct sw_followed_table *table)
{
	struct sw_waits_told told[ITER_THREADS];
	int fd = bpf_iter_create(bpf_link__fd(pass.walk));
	ssize_t length;
	size_t i;

	if (fd < 0)
		return -1;
	while ((length = read(fd, told, sizeof(told))) > 0) {
		for (i = 0; i < (size_t)length / sizeof(told[0]); i++)
			take_told(table, &told[i]);
	}
	close(fd);
	return length < 0 ? -1 : 0;
}

int sw_waits_take(struct sw_followed_table *table, uint64_t now_usec,
		  void (*told)(struct sw_followed *followed, uint64_t io_usec))
{
	struct sw_account *account;
	unsigned share = 0;
	int rc;

	if (!pass.backend) {
		errno = ENODEV;
		return -1;
	}
	pass.told = told;
	for (account = sw_account_first(); account; account = account->next) {
		account->share = share;
		pass.skeleton->bss->room[share] = SHARE;
		share = (share + 1) % SW_WAITS_SHARES;
		if (account->waits)
			sw_wait_tally_begin(account->waits, now_usec);
	}
	rc = pass.backend->looks_up ? look_up(table) : walk(table);
	for (account = sw_account_first(); account; account = account->next) {
		if (account->waits)
			sw_wait_tally_end(account->waits,
					  sw_account_running(account));
	}
	return rc;
}

/* What BPF finds of one thread; NULL: nothing. */
static struct waits_bpf__bss *find_thread(pid_t tid)
{
	struct waits_bpf__bss *shared;

	if (!pass.backend || !pass.backend->looks_up)
		return NULL;
	shared = pass.skeleton->bss;
	shared->wanted_thread = tid;
	return run_once(pass.find_path) < 0 ? NULL : shared;
}

void sw_waits_frame(pid_t tid, uint64_t *frame_pointer, uint64_t *link)
{
	const struct waits_bpf__bss *found = find_thread(tid);

	*frame_pointer = found ? found->frame_pointer : 0;
	*link = found ? found->link : 0;
}

void sw_waits_path(pid_t tid, char *path, size_t size)
{
	struct waits_bpf__bss *shared = find_thread(tid);

	path[0] = '\0';
	if (!shared)
		return;
	shared->path[SW_WAITS_PATH_SIZE - 1] = '\0';
	snprintf(path, size, "%s", shared->path);
}
