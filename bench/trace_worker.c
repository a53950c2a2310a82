/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workers: four ways to spend time.
 *
 * Fails (exit 2) if memory or a file is not available.
 */
#include "bench/trace_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "common/delta.h"

enum {
	PAGE_BYTES = 4096,
	CHUNK_BYTES = 64 * 1024,
	MEMORY_BYTES = 64 * 1024 * 1024,
	FILE_BYTES = 8 * 1024 * 1024,
	PPM = 1000000,
	BURN_ROUNDS = 5000,
};

struct worker {
	const struct worker_plan *plan;
	uint64_t random;
	char *buffer;		/* CHUNK_BYTES */
	char path[PATH_MAX];
};

static uint64_t next_random(struct worker *worker, uint64_t limit)
{
	uint64_t x = worker->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	worker->random = x;
	return (x >> 11) % limit;
}

static uint64_t cpu_usec(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) < 0)
		_exit(2);
	return (uint64_t)now.tv_sec * PPM + (uint64_t)now.tv_nsec / 1000;
}

static void rest_usec(uint64_t usec)
{
	struct timespec left = {
		.tv_sec = (time_t)(usec / PPM),
		.tv_nsec = (long)(usec % PPM) * 1000,
	};

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

static void rest(const struct worker *worker, uint64_t per_mille)
{
	rest_usec(worker->plan->period_usec * per_mille / 1000);
}

/*
 * Compute for this many per mille of a period, scaled by the worker's share of
 * a CPU, and rest otherwise: without the rest, workers of any share would fill
 * every CPU.
 */
static void compute(struct worker *worker, uint64_t per_mille)
{
	uint64_t whole_usec = worker->plan->period_usec * per_mille / 1000;
	uint64_t usec = whole_usec * worker->plan->load_ppm / PPM;
	uint64_t end_usec = cpu_usec() + usec;

	while (cpu_usec() < end_usec)
		for (int i = 0; i < BURN_ROUNDS; i++)
			(void)next_random(worker, 2);
	rest_usec(sw_excess_u64(whole_usec, usec));
}

static void make_path(const struct worker_plan *plan, const char *suffix,
		      char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/worker.%llu%s", plan->folder,
		 (unsigned long long)plan->index, suffix);
}

void worker_remove_files(const struct worker_plan *plan)
{
	char path[PATH_MAX];

	make_path(plan, "", path);
	unlink(path);
	make_path(plan, ".new", path);
	unlink(path);
}

/* Long stretches of work with pauses, as between iterations. */
static _Noreturn void run_computing(struct worker *worker)
{
	for (;;) {
		for (uint64_t i = next_random(worker, 40) + 10; i > 0; i--) {
			compute(worker, 1000);
			rest(worker, 1);
		}
		rest(worker, next_random(worker, 4000));
	}
}

static _Noreturn void run_growing(struct worker *worker)
{
	for (;;) {
		char *memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		size_t used = 0;

		if (memory == MAP_FAILED)
			_exit(2);
		while (used < MEMORY_BYTES) {
			size_t end = used + next_random(worker, 150) *
				PAGE_BYTES;

			for (; used < end && used < MEMORY_BYTES;
			     used += PAGE_BYTES)
				memory[used] = 1;
			compute(worker, 400);
			rest(worker, 600 + next_random(worker, 800));
		}
		rest(worker, next_random(worker, 20000));
		munmap(memory, MEMORY_BYTES);
	}
}

static void write_file(struct worker *worker, const char *path,
		       uint64_t chunk_count)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0)
		_exit(2);
	for (uint64_t i = 0; i < chunk_count; i++)
		if (write(fd, worker->buffer, CHUNK_BYTES) != CHUNK_BYTES)
			_exit(2);
	if (next_random(worker, 2) == 0 && fsync(fd) < 0)
		_exit(2);
	close(fd);
}

static _Noreturn void run_checkpointing(struct worker *worker)
{
	char new_path[PATH_MAX];

	make_path(worker->plan, ".new", new_path);
	for (;;) {
		for (uint64_t i = next_random(worker, 30) + 30; i > 0; i--) {
			compute(worker, 800);
			rest(worker, 200);
		}
		write_file(worker, new_path, 16 + next_random(worker, 112));
		if (rename(new_path, worker->path) < 0)
			_exit(2);
	}
}

static _Noreturn void run_reading(struct worker *worker)
{
	ssize_t got;
	int fd;

	write_file(worker, worker->path, FILE_BYTES / CHUNK_BYTES);
	for (;;) {
		fd = open(worker->path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			_exit(2);
		if (next_random(worker, 3) == 0)
			(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		do {
			got = read(fd, worker->buffer, PAGE_BYTES +
				   next_random(worker, CHUNK_BYTES -
					       PAGE_BYTES));
			compute(worker, 100);
			rest(worker, next_random(worker, 500));
		} while (got > 0);
		close(fd);
		rest(worker, next_random(worker, 10000));
	}
}

_Noreturn void worker_run(const struct worker_plan *plan)
{
	static void (*const roles[])(struct worker *) = {
		run_computing, run_growing, run_checkpointing, run_reading,
	};
	static struct worker worker;
	pid_t parent = getppid();

	/* A parent that died before prctl(2) sends no signal. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(2);
	worker.plan = plan;
	worker.random = 0x9e3779b97f4a7c15u * (plan->index + 1);
	worker.buffer = malloc(CHUNK_BYTES);
	if (worker.buffer == NULL)
		_exit(2);
	memset(worker.buffer, (int)(plan->index & 0x7f) + 1, CHUNK_BYTES);
	make_path(plan, "", worker.path);
	rest(&worker, next_random(&worker, 5000));
	roles[plan->index % (sizeof(roles) / sizeof(roles[0]))](&worker);
	_exit(2);
}
