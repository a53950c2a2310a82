/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the loop, and a reader thread that can be abandoned.
 *
 * Reads processes whose files may never respond.  Gives up on a process if its
 * reader slept from one check to the next, LOOK_NSEC later, and on all of them
 * while READERS_MAX threads are abandoned.
 */
#include "recorder/processes/visits.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/proc_stat.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/waits/local_space.h"

/* Time to the first check and between checks; a process needs a thousandth. */
#define LOOK_NSEC (10 * 1000 * 1000L)
#define NSEC_PER_SEC (1000 * 1000 * 1000L)

enum {
	READERS_MAX = 16,
	STACK_SIZE = 256 << 10,
	NO_FOLDER = 0,		/* ignored: the path is absolute */
};

struct reader {
	bool has_begun;		/* the thread was created */
	pid_t thread_id;
	pthread_mutex_t lock;	/* protects all fields below */
	pthread_cond_t is_changed;
	bool is_busy;
	bool is_left;		/* abandoned while busy */
	int proc_fd;
	size_t count, done;
	struct sw_visit visits[SW_VISITS_MAX];
};

/* State of a reader at a check.  A reader that only waits for a CPU goes on. */
struct look {
	size_t done;
	uint64_t slices;	/* number of times it has run */
	bool is_asleep;
};

/* Used only by the main thread of the recorder, and by each reader itself. */
static struct reader *readers[READERS_MAX];

static enum sw_read_status read_path(int proc_fd, struct sw_visit *visit)
{
	char name[48];
	ssize_t length;

	snprintf(name, sizeof(name), "%d/fd/%d", (int)visit->pid,
		 visit->path.fd);
	length = readlinkat(proc_fd, name, visit->path.text,
			    sizeof(visit->path.text) - 1);
	if (length < 0)
		return SW_READ_GONE;
	visit->path.text[length] = '\0';
	return SW_READ_OK;
}

static enum sw_read_status read_one(int proc_fd, struct sw_visit *visit)
{
	switch (visit->what) {
	case SW_VISIT_STAT:
		return sw_process_read_stat(&visit->process, proc_fd,
					    visit->pid);
	case SW_VISIT_PATH:
		return read_path(proc_fd, visit);
	case SW_VISIT_MOUNT:
		return sw_mount_find(&visit->mount, proc_fd, visit->pid);
	case SW_VISIT_THREADS:
		return sw_wait_read(&visit->threads, proc_fd, visit->pid);
	case SW_VISIT_OBJECT:
		return sw_wait_object_read(&visit->object, proc_fd,
					   visit->pid);
	case SW_VISIT_ENDS:
		return sw_ends_read(&visit->ends, proc_fd, visit->pid);
	case SW_VISIT_SOCKET:
		return sw_socket_find(&visit->socket, proc_fd, visit->pid);
	case SW_VISIT_RUNNABLE:
		return sw_runnable_read(&visit->runnable, proc_fd, visit->pid);
	case SW_VISIT_LOCAL_SPACE:
		return sw_local_space_read(&visit->free_bytes);
	case SW_VISIT_ALL:
		break;
	}
	return sw_process_read(&visit->process, proc_fd, visit->pid);
}

static void read_batch(struct reader *reader)
{
	struct sw_visit visit;

	while (reader->done < reader->count && !reader->is_left) {
		visit = reader->visits[reader->done];
		pthread_mutex_unlock(&reader->lock);
		visit.status = read_one(reader->proc_fd, &visit);
		pthread_mutex_lock(&reader->lock);
		reader->visits[reader->done++] = visit;
	}
}

static void *run(void *memory)
{
	struct reader *reader = memory;

	pthread_mutex_lock(&reader->lock);
	reader->thread_id = (pid_t)syscall(SYS_gettid);
	for (;;) {
		while (!reader->is_busy)
			pthread_cond_wait(&reader->is_changed, &reader->lock);
		read_batch(reader);
		reader->is_busy = reader->is_left = false;
		pthread_cond_broadcast(&reader->is_changed);
	}
	return NULL;
}

static int begin(struct reader *reader)
{
	pthread_condattr_t clock;
	pthread_attr_t small;
	pthread_t thread;
	sigset_t all, before;
	int rc;

	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_mutex_init(&reader->lock, NULL);
	pthread_cond_init(&reader->is_changed, &clock);
	pthread_condattr_destroy(&clock);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_SIZE);
	pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&thread, &small, run, reader);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&small);
	reader->has_begun = rc == 0;
	return reader->has_begun ? 0 : -1;
}

static bool is_left(struct reader *reader)
{
	bool is;

	pthread_mutex_lock(&reader->lock);
	is = reader->is_left;
	pthread_mutex_unlock(&reader->lock);
	return is;
}

/* Return a free or a new reader, or NULL if all are abandoned or on error. */
static struct reader *find_reader(void)
{
	size_t i;

	for (i = 0; i < READERS_MAX; i++) {
		if (!readers[i])
			readers[i] = calloc(1, sizeof(*readers[i]));
		if (!readers[i] || (!readers[i]->has_begun &&
				    begin(readers[i]) < 0))
			return NULL;
		if (!is_left(readers[i]))
			return readers[i];
	}
	return NULL;
}

/* Return true if an abandoned reader is still reading pid. */
static bool is_known_stuck(pid_t pid)
{
	bool is = false;
	size_t i;

	for (i = 0; i < READERS_MAX && !is; i++) {
		struct reader *reader = readers[i];

		if (!reader || !reader->has_begun)
			continue;
		pthread_mutex_lock(&reader->lock);
		is = reader->is_left && reader->visits[reader->done].pid == pid;
		pthread_mutex_unlock(&reader->lock);
	}
	return is;
}

static void take_look(const struct reader *reader, struct look *look)
{
	char folder[48], path[64], text[512];
	struct sw_proc_stat stat;
	uint64_t cpu, wait;
	const char *p = text;

	/* Files of this process itself: they always respond. */
	*look = (struct look){ .done = reader->done,
			       .is_asleep = reader->thread_id != 0 };
	if (!look->is_asleep)
		return;		/* it has not even begun */
	snprintf(folder, sizeof(folder), "/proc/self/task/%d",
		 (int)reader->thread_id);
	snprintf(path, sizeof(path), "%s/schedstat", folder);
	if (sw_kernfile_slurp(NO_FOLDER, path, text, sizeof(text)) ==
	    SW_READ_OK && sw_kern_parse_u64(&p, &cpu) == 0 && *p++ == ' ' &&
	    sw_kern_parse_u64(&p, &wait) == 0 && *p++ == ' ')
		sw_kern_parse_u64(&p, &look->slices);
	if (sw_proc_stat_read(&stat, NO_FOLDER, folder) == 0)
		look->is_asleep = stat.state != 'R';
}

/* Return true if it slept during the whole interval. */
static bool has_slept(const struct look *before, const struct look *now)
{
	return before->is_asleep && now->is_asleep &&
	       before->done == now->done && before->slices == now->slices;
}

/* Wait until all is read.  Return false if it is stuck on one process. */
static bool await_reader(struct reader *reader)
{
	struct look before = { .is_asleep = false }, now;
	struct timespec until;

	while (reader->is_busy) {
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += LOOK_NSEC;
		if (until.tv_nsec >= NSEC_PER_SEC) {
			until.tv_nsec -= NSEC_PER_SEC;
			until.tv_sec++;
		}
		if (pthread_cond_timedwait(&reader->is_changed, &reader->lock,
					   &until) == 0 || !reader->is_busy)
			continue;
		take_look(reader, &now);
		if (has_slept(&before, &now))
			return false;
		before = now;
	}
	return true;
}

/* Return the number of visits finished; the last one may be stuck. */
static size_t hand_over(struct reader *reader, int proc_fd,
			struct sw_visit *visits, size_t count)
{
	size_t done;

	pthread_mutex_lock(&reader->lock);
	memcpy(reader->visits, visits, count * sizeof(*visits));
	reader->proc_fd = proc_fd;
	reader->count = count;
	reader->done = 0;
	reader->is_busy = true;
	pthread_cond_broadcast(&reader->is_changed);
	reader->is_left = !await_reader(reader);
	done = reader->done;
	memcpy(visits, reader->visits, done * sizeof(*visits));
	if (reader->is_left)
		visits[done++].is_stuck = true;
	pthread_mutex_unlock(&reader->lock);
	return done;
}

/* Copy the visits that are not stuck to asked, and their indexes to from. */
static size_t pick_free(struct sw_visit *visits, size_t count,
			struct sw_visit *asked, size_t *from)
{
	size_t i, picked = 0;

	for (i = 0; i < count; i++) {
		visits[i].is_stuck = is_known_stuck(visits[i].pid);
		if (visits[i].is_stuck)
			continue;
		asked[picked] = visits[i];
		from[picked++] = i;
	}
	return picked;
}

void sw_visits(int proc_fd, struct sw_visit *visits, size_t count)
{
	struct sw_visit asked[SW_VISITS_MAX];
	size_t from[SW_VISITS_MAX], done = 0, i;
	struct reader *reader;

	count = pick_free(visits, count, asked, from);
	while (done < count && (reader = find_reader()))
		done += hand_over(reader, proc_fd, asked + done, count - done);
	while (done < count)
		asked[done++].is_stuck = true;
	for (i = 0; i < count; i++)
		visits[from[i]] = asked[i];
}

bool sw_visit_stat(int proc_fd, pid_t pid, struct sw_process *process)
{
	struct sw_visit visit = { .pid = pid, .what = SW_VISIT_STAT };

	sw_visits(proc_fd, &visit, 1);
	*process = visit.process;
	return !visit.is_stuck && visit.status == SW_READ_OK;
}

/* The visit is not of a process: the recorder's own pid stands for it. */
bool sw_visit_local_space(int proc_fd, uint64_t *free_bytes)
{
	struct sw_visit visit = { .pid = getpid(),
				  .what = SW_VISIT_LOCAL_SPACE };

	sw_visits(proc_fd, &visit, 1);
	*free_bytes = visit.free_bytes;
	return !visit.is_stuck && visit.status == SW_READ_OK;
}

bool sw_visit_path(int proc_fd, pid_t pid, int fd, char *path, size_t size)
{
	struct sw_visit visit = { .pid = pid, .what = SW_VISIT_PATH,
				  .path.fd = fd };

	sw_visits(proc_fd, &visit, 1);
	if (visit.is_stuck || visit.status != SW_READ_OK)
		return false;
	snprintf(path, size, "%s", visit.path.text);
	return true;
}

bool sw_visit_mount(int proc_fd, pid_t pid, struct sw_mount *mount)
{
	struct sw_visit visit = { .pid = pid, .what = SW_VISIT_MOUNT,
				  .mount = *mount };

	sw_visits(proc_fd, &visit, 1);
	if (visit.is_stuck || visit.status != SW_READ_OK)
		return false;
	*mount = visit.mount;
	return true;
}

bool sw_visit_object(int proc_fd, pid_t pid, struct sw_wait_object *object)
{
	struct sw_visit visit = { .pid = pid, .what = SW_VISIT_OBJECT,
				  .object = *object };

	sw_visits(proc_fd, &visit, 1);
	if (visit.is_stuck || visit.status != SW_READ_OK)
		return false;
	*object = visit.object;
	return true;
}

bool sw_visit_socket(int proc_fd, pid_t pid, struct sw_socket *socket)
{
	struct sw_visit visit = { .pid = pid, .what = SW_VISIT_SOCKET,
				  .socket = *socket };

	sw_visits(proc_fd, &visit, 1);
	if (visit.is_stuck || visit.status != SW_READ_OK)
		return false;
	*socket = visit.socket;
	return true;
}
