/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sides of bench_overhead.
 *
 * Fails if tasks cannot be started or followed, or if a side misses any of
 * them.
 */
#include "bench/overhead_sides.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/baseline_jobacct.h"
#include "bench/measure.h"
#include "recorder/cgroup/cgroup.h"
#include "recorder/processes/tree.h"
#include "recorder/programs/programs.h"
#include "recorder/sources/source.h"
#include "recorder/sources/step/wait_proc.h"

enum { TEXT_SIZE = 1024, NAP_MS = 20, WORK_BYTES = 64 * 1024 };

struct overhead_tasks {
	size_t count;
	pid_t pids[OVERHEAD_TASKS_MAX];
	char cgroup[PATH_MAX];		/* of all; "": none */
	char paths[OVERHEAD_TASKS_MAX][PATH_MAX];
	struct jobacct_task jobacct[OVERHEAD_TASKS_MAX];
	int stat_fd[OVERHEAD_TASKS_MAX], io_fd[OVERHEAD_TASKS_MAX];
	uint64_t kept_sum;
	struct sw_target target;
	void *state;			/* of source "proc" */
	struct sw_wait_proc *waits;	/* NULL: BPF samples them */
};

/* Do some work, so that the counters differ from sample to sample. */
static void work(pid_t parent)
{
	static unsigned char memory[WORK_BYTES];
	const struct timespec nap = { .tv_nsec = NAP_MS * 1000000 };
	size_t i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == parent) {
		for (i = 0; i < sizeof(memory); i += 64)
			memory[i]++;
		(void)!pread(STDIN_FILENO, memory, 0, 0);
		nanosleep(&nap, NULL);
	}
	_exit(0);
}

static int write_pid(const char *folder, pid_t pid)
{
	char path[PATH_MAX + 32], text[32];
	int length = snprintf(text, sizeof(text), "%d", (int)pid), fd;
	ssize_t written;

	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	written = write(fd, text, (size_t)length);
	close(fd);
	return written == length ? 0 : -1;
}

/* Make a cgroup per task, as Slurm does; not without privileges. */
static void make_cgroups(struct overhead_tasks *tasks)
{
	char home[PATH_MAX - 64];
	struct sw_error error;
	size_t i;

	if (sw_cgroup_find(tasks->target.proc_fd, NULL, home, sizeof(home),
			   &error) < 0)
		return;
	snprintf(tasks->cgroup, sizeof(tasks->cgroup), "%s/overhead-%d", home,
		 (int)getpid());
	if (mkdir(tasks->cgroup, 0755) < 0) {
		tasks->cgroup[0] = '\0';
		return;
	}
	for (i = 0; i < tasks->count; i++) {
		snprintf(tasks->paths[i], sizeof(tasks->paths[i]),
			 "%.*s/task_%zu", PATH_MAX - 32, tasks->cgroup, i);
		if (mkdir(tasks->paths[i], 0755) == 0 &&
		    write_pid(tasks->paths[i], tasks->pids[i]) == 0)
			tasks->jobacct[i].cgroup_path = tasks->paths[i];
	}
}

static void remove_cgroups(struct overhead_tasks *tasks)
{
	size_t i;

	if (!tasks->cgroup[0])
		return;
	for (i = 0; i < tasks->count; i++)
		rmdir(tasks->paths[i]);
	rmdir(tasks->cgroup);
}

static int open_file(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static int start_tasks(struct overhead_tasks *tasks, size_t count,
		       struct sw_error *error)
{
	pid_t own = getpid(), pid;

	fflush(NULL);
	while (tasks->count < count) {
		pid = fork();
		if (pid < 0)
			return sw_error_errno(error, "task %zu of %zu",
					      tasks->count + 1, count);
		if (pid == 0)
			work(own);
		tasks->pids[tasks->count] = pid;
		tasks->jobacct[tasks->count] = (struct jobacct_task){
			.pids = &tasks->pids[tasks->count], .pid_count = 1 };
		tasks->stat_fd[tasks->count] = tasks->io_fd[tasks->count] = -1;
		tasks->count++;
	}
	return 0;
}

/*
 * Open them after all tasks have started: a task must not inherit them, as LDMS
 * counts open files.
 */
static void open_files(struct overhead_tasks *tasks)
{
	size_t i;

	for (i = 0; i < tasks->count; i++) {
		tasks->stat_fd[i] = open_file(tasks->pids[i], "stat");
		tasks->io_fd[i] = open_file(tasks->pids[i], "io");
	}
}

/* Same as at the start of a step's recording. */
static int follow(struct overhead_tasks *tasks, struct sw_error *error)
{
	struct sw_programs_target target = {
		.root_pid = getpid(),
		.cgroup_fd = -1,
		.proc_fd = tasks->target.proc_fd,
		.has_many = true,
	};
	size_t i;

	tasks->target.tree = sw_tree_create_below(target.proc_fd, getpid(),
						  error);
	if (!tasks->target.tree)
		return -1;
	target.tree = tasks->target.tree;
	tasks->target.programs = sw_programs_create(&target, error);
	if (!tasks->target.programs)
		return -1;
	for (i = 0; i < tasks->count; i++) {
		if (sw_programs_attach(tasks->target.programs, tasks->pids[i]) < 0)
			return sw_error_set(error, "%s", sw_programs_reason(
				tasks->target.programs));
	}
	/* Load everything that a recorder does, before measuring. */
	sw_programs_prepare(0);
	while (sw_programs_is_coming(tasks->target.programs))
		poll(NULL, 0, 1);
	tasks->state = calloc(1, sw_src_proc.state_size);
	if (!tasks->state)
		return sw_error_errno(error, "a source");
	sw_src_proc.open(tasks->state, &tasks->target);
	return 0;
}

struct overhead_tasks *overhead_start(size_t count, struct sw_error *error)
{
	struct overhead_tasks *tasks = calloc(1, sizeof(*tasks));

	if (!tasks) {
		sw_error_errno(error, "tasks");
		return NULL;
	}
	tasks->target = (struct sw_target){
		.cgroup_fd = -1,
		.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.root_pid = getpid(),
	};
	if (start_tasks(tasks, count, error) < 0 ||
	    follow(tasks, error) < 0) {
		overhead_stop(tasks);
		return NULL;
	}
	open_files(tasks);
	make_cgroups(tasks);
	return tasks;
}

void overhead_stop(struct overhead_tasks *tasks)
{
	size_t i;

	for (i = 0; i < tasks->count; i++) {
		close(tasks->stat_fd[i]);
		close(tasks->io_fd[i]);
		kill(tasks->pids[i], SIGKILL);
	}
	for (i = 0; i < tasks->count; i++) {
		while (waitpid(tasks->pids[i], NULL, 0) < 0 && errno == EINTR)
			;
	}
	remove_cgroups(tasks);
	sw_programs_destroy(tasks->target.programs);
	sw_tree_destroy(tasks->target.tree);
	sw_wait_proc_destroy(tasks->waits);
	close(tasks->target.proc_fd);
	free(tasks->state);
	free(tasks);
}

const char *overhead_backend(const struct overhead_tasks *tasks)
{
	const char *backend =
		sw_programs_sample_backend(tasks->target.programs);

	return backend ? backend : "proc";
}

int overhead_has_cgroups(const struct overhead_tasks *tasks)
{
	return tasks->jobacct[0].cgroup_path != NULL;
}

/* Same as the recorder's sampler before and for its row. */
static size_t look_stepwell(struct overhead_tasks *tasks)
{
	uint64_t values[SW_TABLE_COLUMNS_MAX];
	size_t i;

	for (i = 0; i < sw_src_proc.column_count; i++)
		values[i] = SW_MISSING;
	sw_programs_expire();
	if (!sw_programs_sample(tasks->target.programs))
		sw_tree_refresh(tasks->target.tree);
	if (sw_src_proc.read(tasks->state, &tasks->target, values) !=
	    SW_READ_OK)
		return 0;
	/* The first column: the number of processes seen. */
	return (size_t)values[0];
}

/* Without BPF, each pass samples as many threads as a recorder does. */
static size_t look_waits(struct overhead_tasks *tasks)
{
	size_t seen = look_stepwell(tasks);

	if (sw_programs_waits_backend(tasks->target.programs))
		return sw_programs_waits(tasks->target.programs) ? seen : 0;
	if (!tasks->waits)
		tasks->waits = sw_wait_proc_create();
	return tasks->waits && sw_wait_proc_sample(tasks->waits,
						   &tasks->target, true) ==
				       SW_READ_OK ? seen : 0;
}

static size_t look_jobacct(struct overhead_tasks *tasks)
{
	struct jobacct_sample sample;

	jobacct_poll(tasks->jobacct, tasks->count, &sample);
	return (size_t)sample.processes;
}

static size_t look_ldms(struct overhead_tasks *tasks)
{
	struct jobacct_sample sample;

	ldms_poll(tasks->pids, tasks->count, &sample);
	return (size_t)sample.processes;
}

/* Parse only the fields that a recorder needs, without a library. */
static int parse_kept(struct overhead_tasks *tasks, const char *stat,
		      const char *io)
{
	const char *p = strrchr(stat, ')');
	int field;

	for (field = 2; p && field < 24; field++) {
		p = strchr(p + 1, ' ');
		if (p && (field == 13 || field == 14 || field == 23))
			tasks->kept_sum += strtoull(p, NULL, 10);
	}
	for (field = 0; io && field < 7; field++) {
		io = strchr(io, ' ');
		if (io)
			tasks->kept_sum += strtoull(io, (char **)&io, 10);
	}
	return p && io ? 0 : -1;
}

static size_t look_kept(struct overhead_tasks *tasks)
{
	char stat[TEXT_SIZE], io[TEXT_SIZE];
	size_t i, seen = 0;

	for (i = 0; i < tasks->count; i++) {
		ssize_t got = pread(tasks->stat_fd[i], stat, sizeof(stat) - 1,
				    0);

		if (got <= 0)
			continue;
		stat[got] = '\0';
		got = pread(tasks->io_fd[i], io, sizeof(io) - 1, 0);
		if (got <= 0)
			continue;
		io[got] = '\0';
		seen += parse_kept(tasks, stat, io) == 0;
	}
	return seen;
}

static const struct {
	const char *name;
	size_t (*look)(struct overhead_tasks *tasks);
} sides[OVERHEAD_SIDES] = {
	[OVERHEAD_STEPWELL] = { "stepwell", look_stepwell },
	[OVERHEAD_JOBACCT] = { "jobacct", look_jobacct },
	[OVERHEAD_LDMS] = { "ldms", look_ldms },
	[OVERHEAD_KEPT] = { "kept", look_kept },
	[OVERHEAD_WAITS] = { "waits", look_waits },
};

int overhead_look(struct overhead_tasks *tasks, enum overhead_side side,
		  uint64_t *cpu_nsec, struct sw_error *error)
{
	uint64_t begin_nsec = measure_cpu_nsec();
	size_t seen = sides[side].look(tasks);

	*cpu_nsec = measure_cpu_nsec() - begin_nsec;
	if (seen < tasks->count)
		return sw_error_set(error, "%s saw %zu of %zu tasks",
				    sides[side].name, seen, tasks->count);
	return 0;
}
