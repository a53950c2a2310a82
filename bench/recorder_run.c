/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the recorder once, with Slurm's reads beside it.
 *
 * Fails if the recorder or its command fails, or if a figure contradicts
 * another source.
 */
#include "bench/recorder_run.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/baseline_jobacct.h"
#include "bench/measure.h"
#include "bench/recorder_account.h"
#include "bench/recorder_workers.h"
#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/kernel/process.h"

enum {
	NOBODY = 65534,
	NUMBER_SIZE = 24,
	/*
	 * The launch has ended after this many consecutive periods in which the
	 * recorder used less than a fifth of a CPU.
	 */
	REST_PERIODS = 10,
	REST_SHARE = 5,
	REST_PERIODS_MAX = 1200,
};

struct run {
	const struct recorder_task *task;
	pid_t pid;		/* of the recorder; 0: none */
	clockid_t clock;	/* its CPU time */
	/* Its helper processes, which end with it. */
	size_t helper_count;
	clockid_t helper_clock[RECORDER_HELPERS_MAX];
	uint64_t helpers_nsec;	/* as last read */
	int input_fd;		/* closing it ends its command */
	int output_fd;		/* its command reports tasks here */
	uint64_t seed;
	bool is_elsewhere;	/* a task is in another cgroup */
	struct recorder_account account;
};

static struct workers workers;

/* Root makes a cgroup; without root, the recorder follows the process tree. */
static int drop_rights(void)
{
	if (geteuid() != 0)
		return 0;
	if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	    setresuid(NOBODY, NOBODY, NOBODY) < 0)
		return -1;
	return 0;
}

/* In the child: become the recorder, as "stepwell run" would. */
static void become_recorder(const struct recorder_task *task)
{
	char self[PATH_MAX] = "";
	char tasks[NUMBER_SIZE];
	char period[NUMBER_SIZE];
	const char *const where = task->mode->has_cgroup ? "cgroups" : "pids";

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 ||
	    setenv("STEPWELL_PROGRAMS", task->mode->programs, 1) < 0 ||
	    (!task->mode->has_cgroup && drop_rights() < 0)) {
		perror("bench_recorder");
		return;
	}
	snprintf(tasks, sizeof(tasks), "%zu", task->tasks);
	snprintf(period, sizeof(period), "%llums",
		 (unsigned long long)task->period_ms);
	execl(task->recorder_path, task->recorder_path, "--foreground",
	      "--no-report", "--force", "--output", task->profile_path,
	      "--period", period, "--", self, "--workers", tasks, where,
	      (char *)NULL);
	perror(task->recorder_path);
}

static int start(struct run *run, struct sw_error *error)
{
	int input[2], output[2];

	if (pipe2(input, O_CLOEXEC) < 0)
		return sw_error_errno(error, "a pipe");
	if (pipe2(output, O_CLOEXEC) < 0) {
		close(input[0]);
		close(input[1]);
		return sw_error_errno(error, "a pipe");
	}
	run->input_fd = input[1];
	run->output_fd = output[0];
	fflush(NULL);
	run->pid = fork();
	if (run->pid == 0) {
		dup2(input[0], STDIN_FILENO);
		dup2(output[1], STDOUT_FILENO);
		become_recorder(run->task);
		_exit(127);
	}
	close(input[0]);
	close(output[1]);
	if (run->pid < 0 || clock_getcpuclockid(run->pid, &run->clock) != 0)
		return sw_error_errno(error, "the recorder's process");
	return 0;
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec time;

	if (clock_gettime(clock, &time) < 0)
		return SW_MISSING;
	return (uint64_t)time.tv_sec * SW_USEC_PER_SEC * SW_NSEC_PER_USEC +
	       (uint64_t)time.tv_nsec;
}

static uint64_t read_helpers(const struct run *run)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->helper_count; i++)
		sum = sw_add_u64(sum, read_clock(run->helper_clock[i]));
	return sum;
}

/*
 * Return the CPU time of the recorder and its helpers, to the nanosecond,
 * unlike /proc/PID/stat.
 */
static uint64_t recorder_cpu_nsec(struct run *run)
{
	uint64_t helpers_nsec = read_helpers(run);

	/* Helpers end with the recorder; their last reading stays. */
	if (!sw_is_missing(helpers_nsec))
		run->helpers_nsec = helpers_nsec;
	return sw_add_u64(read_clock(run->clock), run->helpers_nsec);
}

static void look(struct run *run)
{
	struct recorder_account *account = &run->account;
	struct recorder_look *look = &account->looks[account->look_count];

	if (account->look_count == RECORDER_LOOKS_MAX)
		return;
	look->since_usec = sw_clock_boottime_usec();
	look->cpu_nsec = recorder_cpu_nsec(run);
	look->until_usec = sw_clock_boottime_usec();
	account->look_count++;
}

/* xorshift64 */
static uint64_t random_below(struct run *run, uint64_t limit)
{
	run->seed ^= run->seed << 13;
	run->seed ^= run->seed >> 7;
	run->seed ^= run->seed << 17;
	return run->seed % limit;
}

static void sleep_until(uint64_t time_nsec)
{
	struct timespec time = {
		.tv_sec = (time_t)(time_nsec / 1000000000),
		.tv_nsec = (long)(time_nsec % 1000000000),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) ==
	       EINTR)
		;
}

/*
 * Run Slurm's reads once a period, at a random time in it: always coming second
 * would find the kernel's structures in the cache.
 */
static int poll_jobacct(struct run *run, const struct jobacct_task *tasks,
			struct recorder_costs *costs, struct sw_error *error)
{
	const struct recorder_task *task = run->task;
	uint64_t period_nsec = task->period_ms * 1000000;
	uint64_t begin_nsec = measure_wall_nsec();
	struct jobacct_sample sample;
	uint64_t sum_nsec = 0;

	for (uint64_t i = 0; i < task->samples; i++) {
		uint64_t cpu_nsec;

		sleep_until(begin_nsec + i * period_nsec +
			    random_below(run, period_nsec));
		cpu_nsec = measure_cpu_nsec();
		jobacct_poll(tasks, task->tasks, &sample);
		sum_nsec += measure_cpu_nsec() - cpu_nsec;
		look(run);
		if (sample.processes != task->tasks)
			return sw_error_set(error, "Slurm's reads saw %llu of "
					    "%zu tasks",
					    (unsigned long long)
					    sample.processes, task->tasks);
	}
	costs->jobacct_nsec = sum_nsec / task->samples;
	costs->jobacct_files = sample.files;
	costs->jobacct_missing = sample.files_missing;
	return 0;
}

/* BPF is loaded during the first samples, which have no processes yet. */
static int await_rest(struct run *run, struct sw_error *error)
{
	uint64_t period_nsec = run->task->period_ms * 1000000;
	uint64_t begin_nsec = measure_wall_nsec();
	uint64_t before_nsec = read_clock(run->clock), now_nsec;
	unsigned rests = 0;

	for (uint64_t i = 1; i <= REST_PERIODS_MAX; i++) {
		sleep_until(begin_nsec + i * period_nsec);
		now_nsec = read_clock(run->clock);
		if (now_nsec - before_nsec < period_nsec / REST_SHARE)
			rests++;
		else
			rests = 0;
		before_nsec = now_nsec;
		if (rests == REST_PERIODS)
			return 0;
	}
	return sw_error_set(error, "the recorder's launch does not end");
}

/* Find the children that its main thread started, except the command. */
static int find_helpers(struct run *run, struct sw_error *error)
{
	static const char begins[] = "stepwell-";
	char path[64], name[SW_COMM_SIZE];
	int proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	FILE *children;
	int pid;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children",
		 (int)run->pid, (int)run->pid);
	children = fopen(path, "re");
	if (proc_fd < 0 || !children)
		return sw_error_errno(error, "%s", path);
	while (fscanf(children, "%d", &pid) == 1) {
		sw_process_read_comm(proc_fd, pid, name, sizeof(name));
		if (strncmp(name, begins, strlen(begins)) != 0 ||
		    run->helper_count == RECORDER_HELPERS_MAX)
			continue;
		if (clock_getcpuclockid(pid,
			&run->helper_clock[run->helper_count]) == 0)
			run->helper_count++;
	}
	fclose(children);
	close(proc_fd);
	return 0;
}

static int beside(struct run *run, struct recorder_costs *costs,
		  struct sw_error *error)
{
	static struct jobacct_task tasks[WORKERS_MAX];

	if (workers_read(&workers, run->task->tasks, run->output_fd,
			 error) < 0)
		return -1;
	for (size_t i = 0; i < workers.count; i++) {
		bool has_cgroup = workers.cgroups[i][0] != '\0';

		run->is_elsewhere |= has_cgroup != run->task->mode->has_cgroup;
		tasks[i] = (struct jobacct_task){
			.cgroup_path = has_cgroup ? workers.cgroups[i] : NULL,
			.pids = &workers.pids[i],
			.pid_count = has_cgroup ? 0 : 1,
		};
	}
	if (await_rest(run, error) < 0 || find_helpers(run, error) < 0)
		return -1;
	run->account.begin_usec = sw_clock_boottime_usec();
	if (poll_jobacct(run, tasks, costs, error) < 0)
		return -1;
	run->account.end_usec = sw_clock_boottime_usec();
	return 0;
}

/*
 * End the command and with it the recorder, whose clock is read while it is a
 * zombie: it excludes the children that it has waited for.
 */
static int finish(struct run *run, struct sw_error *error)
{
	siginfo_t info = { .si_pid = 0 };
	int status = -1;

	close(run->input_fd);
	close(run->output_fd);
	if (run->pid <= 0)
		return 0;
	while (waitid(P_PID, (id_t)run->pid, &info, WEXITED | WNOWAIT) < 0)
		if (errno != EINTR)
			return sw_error_errno(error, "waiting for the "
					      "recorder");
	run->account.total_nsec = recorder_cpu_nsec(run);
	waitpid(run->pid, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return sw_error_set(error, "the recorder ended with status "
				    "0x%x", (unsigned int)status);
	return 0;
}

int recorder_run(const struct recorder_task *task,
		 struct recorder_costs *costs, struct sw_error *error)
{
	static struct run run;
	struct sw_error late_error;
	int result;

	memset(costs, 0, sizeof(*costs));
	memset(&run, 0, sizeof(run));
	run.task = task;
	run.input_fd = run.output_fd = -1;
	run.seed = measure_wall_nsec() | 1;
	result = start(&run, error);
	if (result == 0)
		result = beside(&run, costs, error);
	if (finish(&run, &late_error) < 0 && result == 0) {
		*error = late_error;
		result = -1;
	}
	if (result == 0)
		result = recorder_account_read(&run.account, task, costs,
					       error);
	if (result == 0 && !costs->is_other_backend && run.is_elsewhere)
		result = sw_error_set(error, "the tasks are not in cgroups as "
				      "they should be");
	return result;
}
