/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the loop, and the helper process (serve() and below).
 *
 * Counter sources whose calls may block.
 */
#include "recorder/sources/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/kernel/become.h"
#include "recorder/kernel/rights.h"
#include "recorder/processes/helpers.h"
#include "recorder/sources/reading.h"

/* A process silent for this long hangs; a driver may have to be woken up. */
#define SILENCE_USEC (10 * SW_USEC_PER_SEC)
#define OPEN_USEC (60 * SW_USEC_PER_SEC)
/* Time until a source that hung is tried again */
#define BACK_OFF_USEC (3600 * SW_USEC_PER_SEC)

enum {
	TENTH = 10,		/* SW_EVERY_TENTH, in seconds */
	STARTS_MAX = 8,
	COPY_TRIES = 100,	/* the rows change once per second */
	END_TRIES = 50,		/* of 2 ms */
	PROC_FD = 3, SYS_FD = 4,	/* in the helper process */
};

enum opened { NOT_YET, THERE, NOT_THERE };

/* Results of a source, in memory shared by both processes */
struct board {
	atomic_uint sequence;	/* odd: being written */
	atomic_uint opened;
	uint32_t status;
	uint64_t count, left_out;
	bool is_known[SW_SUBJECTS_MAX];
	struct sw_subject subject[SW_SUBJECTS_MAX];
	uint64_t cells[];
};

/* State of the helper process */
struct place {
	_Atomic uint64_t alive_usec;	/* begin or end of the last call */
	atomic_uint source;		/* source in use; or count */
};

struct entry {
	const struct sw_source *source;
	uint64_t until_usec;	/* hung: skipped until then; 0: no */
	struct board *board;
	size_t board_bytes, rows_bytes;
};

struct sw_helper {
	const struct sw_target *target;
	size_t count;
	struct entry entry[SW_HELPER_SOURCES_MAX];
	struct place *place;		/* shared by both processes */
	pid_t pid;			/* 0: not running */
	unsigned starts;
};

static void publish(struct entry *entry, struct sw_reading *reading,
		    enum sw_read_status status)
{
	struct board *board = entry->board;
	const struct sw_rows *rows = &reading->rows;
	unsigned sequence = atomic_load(&board->sequence);
	size_t i;

	atomic_store(&board->sequence, sequence + 1);
	atomic_thread_fence(memory_order_seq_cst);
	board->status = (uint32_t)status;
	board->count = rows->count;
	board->left_out = rows->left_out;
	memcpy(board->cells, rows->cells, entry->rows_bytes);
	for (i = 0; i < rows->count; i++) {
		uint64_t index = sw_rows_index(rows, i);

		if (index < SW_SUBJECTS_MAX && !board->is_known[index])
			board->is_known[index] = sw_reading_describe(
				reading, index, &board->subject[index]);
	}
	atomic_thread_fence(memory_order_seq_cst);
	atomic_store(&board->sequence, sequence + 2);
}

/* Keep only the two directories of the recorder; no terminal, no output. */
static void leave_recorder(const struct sw_target *from,
			   struct sw_target *target, pid_t parent)
{
	int proc_fd = fcntl(from->proc_fd, F_DUPFD, SYS_FD + 1);
	int sys_fd = fcntl(from->sys_fd, F_DUPFD, SYS_FD + 1);
	int null_fd = open("/dev/null", O_RDWR);
	int i;

	for (i = 0; i < 3; i++)
		dup2(null_fd, i);
	dup2(proc_fd, PROC_FD);
	dup2(sys_fd, SYS_FD);
	close_range(SYS_FD + 1, ~0u, 0);
	*target = (struct sw_target){
		.cgroup_fd = -1,
		.proc_fd = proc_fd < 0 ? -1 : PROC_FD,
		.sys_fd = sys_fd < 0 ? -1 : SYS_FD,
	};
	sw_become_child(parent);
	prctl(PR_SET_NAME, "stepwell-helper");
	/* Libraries of drivers run here. */
	if (geteuid() == 0)
		sw_rights_keep(SW_RIGHTS_NONE);
}

static bool is_due(const struct sw_reading *reading, uint64_t round)
{
	return reading->source->cadence == SW_EVERY_PERIOD ||
	       round % TENTH == 0;
}

static bool is_absent(const struct entry *entry)
{
	return atomic_load(&entry->board->opened) == NOT_THERE;
}

/* Neither skipped nor known to be absent */
static bool is_wanted(const struct entry *entry)
{
	return !entry->until_usec && !is_absent(entry);
}

/* Note that a call of this source begins; count: no call. */
static void note_place(struct sw_helper *helper, size_t source)
{
	atomic_store(&helper->place->source, (unsigned)source);
	atomic_store(&helper->place->alive_usec, sw_clock_boottime_usec());
}

__attribute__((noreturn)) static void serve(struct sw_helper *helper,
					    pid_t parent)
{
	const struct timespec pause = { .tv_sec = 1 };
	struct sw_reading reading[SW_HELPER_SOURCES_MAX];
	bool is_open[SW_HELPER_SOURCES_MAX] = { false };
	struct sw_target target;
	size_t i, count = 0;
	uint64_t round = 0;

	leave_recorder(helper->target, &target, parent);
	for (i = 0; i < helper->count; i++) {
		struct entry *entry = &helper->entry[i];
		void *memory = calloc(1, sw_reading_bytes(entry->source));

		if (!memory)
			_exit(1);
		if (!is_wanted(entry))
			continue;
		note_place(helper, i);
		sw_reading_init(&reading[i], entry->source, memory);
		is_open[i] =
			sw_reading_open(&reading[i], &target) == SW_READ_OK;
		atomic_store(&entry->board->opened,
			     is_open[i] ? THERE : NOT_THERE);
		count += is_open[i];
	}
	while (count > 0) {
		for (i = 0; i < helper->count; i++) {
			if (!is_open[i] || !is_due(&reading[i], round))
				continue;
			note_place(helper, i);
			publish(&helper->entry[i], &reading[i],
				sw_reading_take(&reading[i], &target));
		}
		note_place(helper, helper->count);
		round++;
		nanosleep(&pause, NULL);
	}
	_exit(0);
}

/*
 * A child that sends no signal at exit, so that waitid() for the command's
 * processes does not return it.
 */
static void start_process(struct sw_helper *helper)
{
	size_t i, wanted = 0;
	pid_t parent = getpid();
	long pid;

	for (i = 0; i < helper->count; i++) {
		if (!is_wanted(&helper->entry[i]))
			continue;
		atomic_store(&helper->entry[i].board->opened, NOT_YET);
		atomic_store(&helper->entry[i].board->sequence, 0);
		wanted++;
	}
	if (wanted == 0 || helper->starts == STARTS_MAX)
		return;
	helper->starts++;
	note_place(helper, helper->count);
	pid = syscall(SYS_clone, 0, NULL, NULL, NULL, 0);
	if (pid == 0)
		serve(helper, parent);
	if (pid < 0)
		return;
	helper->pid = (pid_t)pid;
	if (sw_helpers_add(helper->pid) < 0)
		kill(helper->pid, SIGKILL);
}

static void *share(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static int add_sources(struct sw_helper *helper,
		       const struct sw_source *const *list)
{
	for (; *list && helper->count < SW_HELPER_SOURCES_MAX; list++) {
		struct entry *entry = &helper->entry[helper->count];

		if (!(*list)->is_out_of_process ||
		    ((*list)->is_there && !(*list)->is_there()))
			continue;
		entry->source = *list;
		entry->rows_bytes =
			sw_rows_bytes((*list)->column_count, (*list)->rows_max);
		entry->board_bytes = sizeof(*entry->board) + entry->rows_bytes;
		entry->board = share(entry->board_bytes);
		if (!entry->board)
			return -1;
		helper->count++;
	}
	return 0;
}

struct sw_helper *sw_helper_start(const struct sw_source *const *sources,
				  const struct sw_source *const *hidden,
				  const struct sw_target *target,
				  struct sw_error *error)
{
	struct sw_helper *helper = calloc(1, sizeof(*helper));

	sw_error_set(error, "%s", "");
	if (!helper || add_sources(helper, sources) < 0 ||
	    add_sources(helper, hidden) < 0)
		goto error;
	helper->target = target;
	helper->place = helper->count ? share(sizeof(*helper->place)) : NULL;
	if (!helper->place) {
		if (helper->count)
			goto error;
		sw_helper_stop(helper);
		return NULL;
	}
	start_process(helper);
	return helper;
error:
	sw_error_errno(error, "sources that may block");
	sw_helper_stop(helper);
	return NULL;
}

static uint64_t patience_usec(const struct sw_helper *helper)
{
	size_t i;

	for (i = 0; i < helper->count; i++) {
		if (is_wanted(&helper->entry[i]) &&
		    atomic_load(&helper->entry[i].board->opened) == NOT_YET)
			return OPEN_USEC;
	}
	return SILENCE_USEC;
}

/* It stays a zombie: its CPU time counts as the recorder's own. */
static void give_up(struct sw_helper *helper)
{
	if (helper->pid)
		kill(helper->pid, SIGKILL);
	helper->pid = 0;
}

/* Return whether a skipped source is due to be tried again. */
static bool forgive(struct sw_helper *helper, uint64_t now)
{
	bool is_any = false;
	size_t i;

	for (i = 0; i < helper->count; i++) {
		if (!helper->entry[i].until_usec ||
		    now < helper->entry[i].until_usec)
			continue;
		helper->entry[i].until_usec = 0;
		is_any = true;
	}
	return is_any;
}

/*
 * If the process hangs or has died, start another one without the source that
 * it was calling; that one is tried again later.
 */
static void look_after(struct sw_helper *helper)
{
	uint64_t now = sw_clock_boottime_usec();
	unsigned at;

	if (forgive(helper, now)) {
		give_up(helper);
		start_process(helper);
		return;
	}
	if (!helper->pid ||
	    sw_excess_u64(now, atomic_load(&helper->place->alive_usec)) <
		    patience_usec(helper))
		return;
	at = atomic_load(&helper->place->source);
	if (at < helper->count)
		helper->entry[at].until_usec = now + BACK_OFF_USEC;
	give_up(helper);
	start_process(helper);
}

static struct entry *find(const struct sw_helper *helper,
			  const struct sw_source *source)
{
	size_t i;

	for (i = 0; i < helper->count; i++) {
		if (helper->entry[i].source == source)
			return (struct entry *)&helper->entry[i];
	}
	return NULL;
}

/* Return false if it was being written all the time. */
static bool copy(const struct entry *entry, struct sw_rows *rows,
		 enum sw_read_status *status)
{
	struct board *board = entry->board;
	unsigned sequence;
	int i;

	*status = SW_READ_OK;
	for (i = 0; i < COPY_TRIES; i++) {
		sequence = atomic_load(&board->sequence);
		atomic_thread_fence(memory_order_seq_cst);
		*status = (enum sw_read_status)board->status;
		rows->count = board->count <= rows->max ? board->count : 0;
		rows->left_out = board->left_out;
		memcpy(rows->cells, board->cells, entry->rows_bytes);
		atomic_thread_fence(memory_order_seq_cst);
		if (sequence % 2 == 0 && sequence > 0 &&
		    sequence == atomic_load(&board->sequence))
			return true;
	}
	return false;
}

enum sw_read_status sw_helper_take(struct sw_helper *helper,
				   const struct sw_source *source,
				   struct sw_rows *rows)
{
	struct entry *entry = find(helper, source);
	enum sw_read_status status;

	rows->count = rows->left_out = 0;
	if (!entry || is_absent(entry))
		return SW_READ_ABSENT;
	look_after(helper);
	/* It may have exited meanwhile because no source is there. */
	if (!helper->pid || entry->until_usec)
		return is_absent(entry) ? SW_READ_ABSENT : SW_READ_GONE;
	if (!copy(entry, rows, &status)) {
		rows->count = 0;
		return SW_READ_OK;	/* no rows yet */
	}
	return status;
}

enum sw_read_status sw_helper_opened(const struct sw_helper *helper,
				     const struct sw_source *source)
{
	const struct entry *entry = find(helper, source);

	if (!entry)
		return SW_READ_ABSENT;
	return is_absent(entry) ? SW_READ_ABSENT : SW_READ_OK;
}

bool sw_helper_describe(const struct sw_helper *helper,
			const struct sw_source *source, uint64_t index,
			struct sw_subject *subject)
{
	const struct entry *entry = find(helper, source);

	if (!entry || index >= SW_SUBJECTS_MAX ||
	    !entry->board->is_known[index])
		return false;
	*subject = entry->board->subject[index];
	return true;
}

void sw_helper_stop(struct sw_helper *helper)
{
	const struct timespec pause = { .tv_nsec = 2 * 1000 * 1000 };
	size_t i;

	if (!helper)
		return;
	if (helper->pid)
		kill(helper->pid, SIGKILL);
	/* If stuck in the driver, it is left to init. */
	for (i = 0; helper->pid && i < END_TRIES &&
		    waitpid(helper->pid, NULL, __WALL | WNOHANG) == 0;
	     i++)
		nanosleep(&pause, NULL);
	for (i = 0; i < helper->count; i++)
		munmap(helper->entry[i].board, helper->entry[i].board_bytes);
	if (helper->place)
		munmap(helper->place, sizeof(*helper->place));
	free(helper);
}
