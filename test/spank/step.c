/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of one slurmstepd: mgr.c's order of hooks around real tasks, with
 * the privileges, umask and descriptors of each hook.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/spank/host.h"
#include "test/spank/out.h"

#define STEP_BATCH 0xfffffffbu
#define STEP_EXTERN 0xfffffffcu

struct step {
	const struct host_settings *settings;
	const struct state *start;
	struct host_job job;
	struct host_stack stack;
	int go[2];
	bool is_stopped;
	unsigned int nfailed;
};

/* Signals that slurmstepd keeps blocked. */
static const int blocked[] = {
	SIGINT, SIGTERM, SIGTSTP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM,
	SIGHUP,
};

static void block_signals(int how)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(blocked) / sizeof(blocked[0]); i++)
		sigaddset(&set, blocked[i]);
	sigprocmask(how, &set, NULL);
}

/* Call a hook; after --stop-at the launch counts as failed. */
static void call(struct step *step, enum host_hook hook,
		 struct host_task *task)
{
	if (step->is_stopped)
		return;
	host_stack_call(hook, &step->job, task);
	if (step->settings->stop_at == (int)hook)
		step->is_stopped = true;
}

static void redirect_stderr(const char *path)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0 || dup2(fd, STDERR_FILENO) < 0)
		out_violation("host", "stderr", "%s: %s", path,
			      strerror(errno));
	if (fd >= 0)
		close(fd);
}

static void set_effective(uid_t uid, gid_t gid)
{
	if (getuid() == 0 && (setegid(gid) != 0 || seteuid(uid) != 0))
		out_violation("host", "privileges", "%s", strerror(errno));
}

static void drop_privileges(const struct host_job *job)
{
	set_effective(job->uid, job->gid);
}

static void reclaim_privileges(void)
{
	if (getuid() == 0 && (seteuid(0) != 0 || setegid(0) != 0))
		out_violation("host", "privileges", "%s", strerror(errno));
}

static void become_user(const struct host_job *job)
{
	if (getuid() != 0 || job->uid == 0)
		return;
	if (setgroups(0, NULL) != 0 ||
	    setresgid(job->gid, job->gid, job->gid) != 0 ||
	    setresuid(job->uid, job->uid, job->uid) != 0)
		_exit(126);
}

static void run_task(struct step *step, struct host_task *task)
	__attribute__((noreturn));

static void run_task(struct step *step, struct host_task *task)
{
	struct host_job *job = &step->job;
	char where[32];
	char byte;

	close(step->go[1]);
	reclaim_privileges();
	call(step, HOOK_TASK_INIT_PRIVILEGED, task);
	become_user(job);
	block_signals(SIG_UNBLOCK);
	if (read(step->go[0], &byte, 1) != 1)
		_exit(1);
	call(step, HOOK_TASK_INIT, task);
	snprintf(where, sizeof(where), "task %u", task->id);
	state_check_inherited(step->start, where);
	execvpe(job->argv[0], job->argv, job->env);
	_exit(127);
}

static void fork_tasks(struct step *step)
{
	struct host_job *job = &step->job;

	if (pipe2(step->go, O_CLOEXEC) != 0) {
		out_violation("host", "pipe", "%s", strerror(errno));
		_exit(3);
	}
	for (uint32_t i = 0; i < job->ntasks_local; i++) {
		pid_t pid = fork();

		if (pid == 0)
			run_task(step, &job->tasks[i]);
		if (pid < 0) {
			out_violation("host", "fork", "%s", strerror(errno));
			_exit(3);
		}
		job->tasks[i].pid = pid;
	}
	close(step->go[0]);
}

static void place_tasks(struct step *step)
{
	struct host_job *job = &step->job;

	for (uint32_t i = 0; i < job->ntasks_local; i++) {
		struct host_task *task = &job->tasks[i];

		setpgid(task->pid, job->tasks[0].pid);
		host_cgroup_add_task(step->settings, job, task);
		host_cgroup_v1_add_task(step->settings, job, task);
		call(step, HOOK_TASK_POST_FORK, task);
	}
}

/* If the launch failed, the end of the pipe makes the tasks give up. */
static void unblock_tasks(struct step *step)
{
	for (uint32_t i = 0; i < step->job.ntasks_local; i++) {
		if (!step->is_stopped && write(step->go[1], "", 1) != 1)
			out_violation("host", "unblock", "%s",
				      strerror(errno));
	}
	close(step->go[1]);
}

static struct host_task *find_task(struct host_job *job, pid_t pid)
{
	for (uint32_t i = 0; i < job->ntasks_local; i++) {
		if (job->tasks[i].pid == pid)
			return &job->tasks[i];
	}
	return NULL;
}

/* As setup_env() in _wait_for_any_task() of slurmstepd. */
static void add_exit_env(struct step *step)
{
	char *const *entry = step->settings->exit_env;
	char name[128];
	size_t length;

	for (; *entry; entry++) {
		length = strcspn(*entry, "=");
		snprintf(name, sizeof(name), "%.*s", (int)length, *entry);
		host_env_set(step->job.env, name, *entry + length + 1);
	}
}

static void wait_tasks(struct step *step)
{
	uint32_t left = step->job.ntasks_local;

	while (left > 0) {
		int status;
		pid_t pid = wait(&status);
		struct host_task *task = find_task(&step->job, pid);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			break;
		if (!task) {
			out_violation("child", "step",
				      "a child that is no task was reaped");
			continue;
		}
		left--;
		task->is_exited = true;
		task->status = status;
		step->nfailed += status != 0;
		add_exit_env(step);
		call(step, HOOK_TASK_EXIT, task);
	}
	if (wait4(-1, NULL, WNOHANG, NULL) == 0)
		out_violation("child", "step", "a child is left");
}

static void report(const struct step *step)
{
	const struct host_settings *settings = step->settings;
	uint64_t launch_usec = step->stack.launch_nsec / 1000;
	uint64_t end_usec = step->stack.end_nsec / 1000;
	struct out_line line;

	out_begin(&line, "step");
	out_number(&line, "step", step->job.step_id);
	out_number(&line, "tasks", step->job.ntasks_local);
	out_number(&line, "failed", step->nfailed);
	out_number(&line, "hooks", step->stack.nhooks);
	out_number(&line, "launch_usec", (int64_t)launch_usec);
	out_number(&line, "end_usec", (int64_t)end_usec);
	out_end(&line);
	if (settings->max_step_usec &&
	    launch_usec + end_usec > settings->max_step_usec)
		out_violation("slow", "step", "%llu usec in hooks",
			      (unsigned long long)(launch_usec + end_usec));
}

static void launch(struct step *step)
{
	const struct host_settings *settings = step->settings;

	umask(settings->umask);
	redirect_stderr(settings->job_stderr);
	if (settings->is_stdout_with_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	drop_privileges(&step->job);
	/* A contained user_init changes only its own child. */
	call(step, HOOK_USER_INIT, NULL);
	if (step->is_stopped) {
		reclaim_privileges();
		return;
	}
	fork_tasks(step);
	reclaim_privileges();
	place_tasks(step);
	unblock_tasks(step);
	wait_tasks(step);
}

static void prepare(struct step *step, uint32_t step_id)
{
	struct host_job *job = &step->job;
	static struct host_task tasks[HOST_TASKS_MAX];

	job->step_id = step_id;
	job->argv = step->settings->program;
	while (job->argv[job->argc])
		job->argc++;
	job->tasks = tasks;
	for (uint32_t i = 0; i < job->ntasks_local; i++) {
		tasks[i].id = i;
		tasks[i].gtid = step->settings->first_rank + i;
	}
	setenv("SLURMD_NODENAME", step->settings->node, 1);
	block_signals(SIG_BLOCK);
	host_cgroup_enter_step(step->settings, job);
}

void host_step_run(const struct host_settings *settings,
		   const struct state *start, uint32_t step_id)
{
	static struct step step;

	step.settings = settings;
	step.start = start;
	step.job = settings->job;
	prepare(&step, step_id);
	if (settings->is_step_in_ns)
		host_enter_job_ns(settings);
	if (host_stack_load(&step.stack, settings, S_CTX_REMOTE) != 0)
		_exit(3);
	call(&step, HOOK_INIT, NULL);
	host_options_take_remote(&step.stack, step.job.env);
	call(&step, HOOK_INIT_POST_OPT, NULL);
	if (step_id == STEP_EXTERN)
		call(&step, HOOK_TASK_POST_FORK, NULL);
	else if (!step.is_stopped)
		launch(&step);
	if (step_id != STEP_BATCH)
		redirect_stderr("/dev/null");
	step.is_stopped = false;
	host_cgroup_v1_remove_counters(settings, &step.job);
	call(&step, HOOK_EXIT, NULL);
	report(&step);
	host_stack_unload(&step.stack);
	host_cgroup_remove_step(settings, &step.job);
	host_cgroup_v1_remove_step(settings, &step.job);
	_exit(0);
}
