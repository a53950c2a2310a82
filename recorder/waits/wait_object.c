/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read what a thread waits for from the arguments of its call, which are
 * addresses: of a lock, a time, or a list of descriptors.
 */
#include "recorder/waits/wait_object.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/delta.h"
#include "common/missing.h"
#include "common/units.h"

enum { MUTEX_CONTENDED = 2 };

/* First fields of glibc's mutex on 64 bits; long unchanged */
struct mutex {
	uint32_t lock, count;
	int32_t owner;
	uint32_t users;
};

struct memory {
	int proc_fd;
	pid_t pid;
	int fd;
};

static int read_memory(const struct memory *memory, uint64_t address,
		       void *to, size_t size)
{
	if (!address || address > INT64_MAX ||
	    pread(memory->fd, to, size, (off_t)address) != (ssize_t)size)
		return -1;
	return 0;
}

static bool has_thread(const struct memory *memory, pid_t tid)
{
	char path[48];

	snprintf(path, sizeof(path), "%d/task/%d", (int)memory->pid, (int)tid);
	return tid > 0 && faccessat(memory->proc_fd, path, F_OK, 0) == 0;
}

/*
 * Read a lock that contains its owner, or the tid that a join waits for.
 * Condition variables and semaphores have no owner.
 */
static void take_futex(struct sw_wait_object *object,
		       const struct memory *memory)
{
	struct mutex mutex = { 0 };
	pid_t named;

	if (read_memory(memory, object->argument[0], &mutex.lock,
			sizeof(mutex.lock)) < 0)
		return;
	named = (pid_t)(mutex.lock & FUTEX_TID_MASK);
	if (mutex.lock == MUTEX_CONTENDED &&
	    read_memory(memory, object->argument[0], &mutex,
			sizeof(mutex)) == 0)
		named = mutex.owner;
	if (has_thread(memory, named))
		object->owner = named;
}

static uint64_t usec_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * SW_USEC_PER_SEC +
	       (uint64_t)time->tv_nsec / 1000;
}

static void take_sleep(struct sw_wait_object *object,
		       const struct memory *memory, uint64_t address)
{
	struct timespec time;

	if (read_memory(memory, address, &time, sizeof(time)) == 0 &&
	    time.tv_sec >= 0 && time.tv_sec < UINT32_MAX)
		object->sleep_usec = usec_of(&time);
}

#ifdef SYS_select
static void take_select_limit(struct sw_wait_object *object,
			      const struct memory *memory)
{
	struct timeval time;

	if (read_memory(memory, object->argument[4], &time,
			sizeof(time)) == 0 &&
	    time.tv_sec >= 0 && time.tv_sec < UINT32_MAX)
		object->sleep_usec = (uint64_t)time.tv_sec * SW_USEC_PER_SEC +
				     (uint64_t)time.tv_usec;
}
#endif

/* For an absolute time, take the rest of the sleep; its start is unknown. */
static void take_sleep_until(struct sw_wait_object *object,
			     const struct memory *memory)
{
	clockid_t clock = (clockid_t)object->argument[0];
	struct timespec now;

	take_sleep(object, memory, object->argument[2]);
	if (sw_is_missing(object->sleep_usec))
		return;
	object->sleep_usec = clock_gettime(clock, &now) < 0 ? SW_MISSING :
			     sw_excess_u64(object->sleep_usec,
					   usec_of(&now));
}

/* Take a timeout of poll(); negative: none. */
static void take_limit(struct sw_wait_object *object, uint64_t argument)
{
	int msec = (int)argument;

	if (msec >= 0)
		object->sleep_usec = (uint64_t)msec * 1000;
}

static void add_descriptor(struct sw_wait_object *object, int fd)
{
	if (fd >= 0 && object->count < SW_WAIT_DESCRIPTORS)
		object->descriptor[object->count++] = fd;
}

static void take_poll(struct sw_wait_object *object,
		      const struct memory *memory)
{
	struct pollfd polled[SW_WAIT_DESCRIPTORS];
	uint64_t i, count = object->argument[1];

	if (count > SW_WAIT_DESCRIPTORS)
		count = SW_WAIT_DESCRIPTORS;
	if (read_memory(memory, object->argument[0], polled,
			count * sizeof(polled[0])) < 0)
		return;
	for (i = 0; i < count; i++)
		add_descriptor(object, polled[i].fd);
}

static void take_set(struct sw_wait_object *object,
		     const struct memory *memory, uint64_t address)
{
	uint64_t words[FD_SETSIZE / 64];
	uint64_t i, count = object->argument[0];

	if (count > FD_SETSIZE)
		count = FD_SETSIZE;
	if (read_memory(memory, address, words,
			(count + 63) / 64 * sizeof(words[0])) < 0)
		return;
	for (i = 0; i < count; i++) {
		if (words[i / 64] >> i % 64 & 1)
			add_descriptor(object, (int)i);
	}
}

static void take_sets(struct sw_wait_object *object,
		      const struct memory *memory)
{
	take_set(object, memory, object->argument[1]);
	take_set(object, memory, object->argument[2]);
}

/* "tfd:        5 events:       19 data: ..." */
static void take_epoll(struct sw_wait_object *object,
		       const struct memory *memory)
{
	char path[48], text[2048];
	const char *line = text;

	snprintf(path, sizeof(path), "%d/fdinfo/%d", (int)memory->pid,
		 (int)object->argument[0]);
	if (sw_kernfile_slurp(memory->proc_fd, path, text, sizeof(text)) !=
	    SW_READ_OK)
		return;
	while ((line = strstr(line, "tfd:"))) {
		line += strlen("tfd:");
		add_descriptor(object, atoi(line));
	}
}

/* Calls that look up a path, and the index of that argument */
static const struct {
	int call, argument;
} path_calls[] = {
	{ SYS_openat, 1 }, { SYS_newfstatat, 1 }, { SYS_faccessat, 1 },
	{ SYS_mkdirat, 1 }, { SYS_unlinkat, 1 }, { SYS_readlinkat, 1 },
	{ SYS_execve, 0 }, { SYS_chdir, 0 }, { SYS_statfs, 0 },
	{ SYS_truncate, 0 },
#ifdef SYS_statx
	{ SYS_statx, 1 },
#endif
#ifdef SYS_openat2
	{ SYS_openat2, 1 }, { SYS_faccessat2, 1 },
#endif
#ifdef SYS_open
	{ SYS_open, 0 }, { SYS_stat, 0 }, { SYS_lstat, 0 },
	{ SYS_access, 0 }, { SYS_mkdir, 0 }, { SYS_rmdir, 0 },
	{ SYS_unlink, 0 }, { SYS_readlink, 0 },
#endif
};

/* Memory after the end of the string may be unmapped. */
static void take_path(struct sw_wait_object *object,
		      const struct memory *memory, uint64_t address)
{
	ssize_t length;

	if (!address || address > INT64_MAX)
		return;
	length = pread(memory->fd, object->path, sizeof(object->path) - 1,
		       (off_t)address);
	if (length < 0 || !memchr(object->path, '\0', (size_t)length))
		object->path[0] = '\0';
}

static void take_path_of_call(struct sw_wait_object *object,
			      const struct memory *memory)
{
	size_t i;

	for (i = 0; i < sizeof(path_calls) / sizeof(path_calls[0]); i++) {
		if (path_calls[i].call == object->call)
			take_path(object, memory, object->argument[
						  path_calls[i].argument]);
	}
}

static void take(struct sw_wait_object *object, const struct memory *memory)
{
	switch (object->call) {
	case SYS_futex:
		take_futex(object, memory);
		break;
	case SYS_nanosleep:
		take_sleep(object, memory, object->argument[0]);
		break;
	case SYS_clock_nanosleep:
		if (object->argument[1] & TIMER_ABSTIME)
			take_sleep_until(object, memory);
		else
			take_sleep(object, memory, object->argument[2]);
		break;
#ifdef SYS_poll
	case SYS_poll:
		take_limit(object, object->argument[2]);
		take_poll(object, memory);
		break;
#endif
	case SYS_ppoll:
		take_sleep(object, memory, object->argument[2]);
		take_poll(object, memory);
		break;
#ifdef SYS_select
	case SYS_select:
		take_select_limit(object, memory);
		take_sets(object, memory);
		break;
#endif
	case SYS_pselect6:
		take_sleep(object, memory, object->argument[4]);
		take_sets(object, memory);
		break;
#ifdef SYS_epoll_wait
	case SYS_epoll_wait:
#endif
	case SYS_epoll_pwait:
		take_limit(object, object->argument[3]);
		take_epoll(object, memory);
		break;
	default:
		take_path_of_call(object, memory);
		break;
	}
}

enum sw_read_status sw_wait_object_read(struct sw_wait_object *object,
					int proc_fd, pid_t pid)
{
	struct memory memory = { .proc_fd = proc_fd, .pid = pid };
	char path[32];

	object->sleep_usec = SW_MISSING;
	object->owner = 0;
	object->count = 0;
	object->path[0] = '\0';
	snprintf(path, sizeof(path), "%d/mem", (int)pid);
	memory.fd = openat(proc_fd, path, O_RDONLY | O_CLOEXEC);
	take(object, &memory);
	if (memory.fd >= 0)
		close(memory.fd);
	return SW_READ_OK;
}
