/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find out what threads that are not running wait for: one pass by BPF.  Loaded
 * apart from the records and the snapshot, so that a failure here does not
 * affect them.
 */
#include "recorder/bpf/waits.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/bpf/account.h"
#include "recorder/bpf/waits_load.h"

enum {
	ITER_THREADS = 32,		/* per read */
	SHARE = 512,			/* threads of one step per pass */

	KNOWN_SLOTS = 2048,		/* addresses, a power of two */
	KNOWN_MAX = KNOWN_SLOTS / 2,
	/* Task state bits: include/linux/sched.h */
	STATE_UNINTERRUPTIBLE = 0x2, STATE_STOPPED = 0x4, STATE_TRACED = 0x8,
	STATE_NOLOAD = 0x400, STATE_FROZEN = 0x8000,
};

static struct sw_waits_pass pass;

/* Callback of the current pass */
static void (*tell)(struct sw_followed *followed, uint64_t io_usec);

/* Functions by an address in them; 0: free */
static struct {
	size_t count;
	unsigned long long address[KNOWN_SLOTS];
	uint16_t function[KNOWN_SLOTS];
} known;

int sw_waits_open(const struct bpf_map *processes, const char *only,
		  struct sw_error *error)
{
	if (sw_waits_load(&pass, processes, only) == 0)
		return 0;
	return sw_error_errno(error, "bpf: waiting threads cannot be sampled "
			      "here");
}

const char *sw_waits_backend(void)
{
	return pass.way ? pass.way->name : NULL;
}

/* Return the slot of an address, or a free one for it. */
static size_t slot_of(unsigned long long address)
{
	size_t slot = (size_t)(address * 0x9e3779b97f4a7c15u >> 32);

	while (known.address[slot % KNOWN_SLOTS] &&
	       known.address[slot % KNOWN_SLOTS] != address)
		slot++;
	return slot % KNOWN_SLOTS;
}

/* Resolve the names of the requested addresses. */
static void take_names(void)
{
	struct waits_bpf__bss *shared = pass.skeleton->bss;
	unsigned i;

	if (shared->address_count == 0)
		return;
	memset(shared->names, 0, sizeof(shared->names));
	if (sw_waits_run(pass.skeleton->progs.name) < 0)
		memset(shared->names, 0, sizeof(shared->names));
	for (i = 0; i < shared->address_count; i++) {
		size_t slot = slot_of(shared->addresses[i]);

		shared->names[i][SW_WAITS_NAME_SIZE - 1] = '\0';
		known.address[slot] = shared->addresses[i];
		known.function[slot] = sw_wait_function(shared->names[i]);
	}
	shared->address_count = 0;
}

/* Modules are loaded and removed, but rarely: clear the table when full. */
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
		tell(followed, io_usec);
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
	if (sw_waits_run_once(pass.look_up) < 0)
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

/* Return whether the process has waiting threads and a tally. */
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

/* Walk all threads of the node, most of which are not wanted. */
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

	if (!pass.way) {
		errno = ENODEV;
		return -1;
	}
	tell = told;
	for (account = sw_account_first(); account; account = account->next) {
		account->share = share;
		pass.skeleton->bss->room[share] = SHARE;
		share = (share + 1) % SW_WAITS_SHARES;
		if (account->waits)
			sw_wait_tally_begin(account->waits, now_usec);
	}
	rc = pass.way->looks_up ? look_up(table) : walk(table);
	for (account = sw_account_first(); account; account = account->next) {
		if (account->waits)
			sw_wait_tally_end(account->waits,
					  sw_account_running(account));
	}
	return rc;
}

/* Query BPF about one thread.  Return NULL if unavailable. */
static struct waits_bpf__bss *find_thread(pid_t tid)
{
	struct waits_bpf__bss *shared;

	if (!pass.way || !pass.way->looks_up)
		return NULL;
	shared = pass.skeleton->bss;
	shared->wanted_thread = tid;
	return sw_waits_run_once(pass.find_path) < 0 ? NULL : shared;
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
