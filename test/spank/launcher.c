/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * srun, sbatch and slurmd around the steps, and the process of prolog and
 * epilog: each in a separate process, since each loads the plugin anew.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/spank/host.h"
#include "test/spank/out.h"

static void become_user(const struct host_job *job)
{
	if (getuid() != 0 || job->uid == 0)
		return;
	if (setresgid(job->gid, job->gid, job->gid) != 0 ||
	    setresuid(job->uid, job->uid, job->uid) != 0)
		_exit(3);
}

static void enter_environment(const struct host_job *job)
{
	for (char *const *entry = job->env; *entry; entry++)
		putenv(*entry);
}

static void run_launcher(const struct host_settings *settings,
			 enum spank_context context, int found_fd, int wait_fd)
	__attribute__((noreturn));

static void run_launcher(const struct host_settings *settings,
			 enum spank_context context, int found_fd, int wait_fd)
{
	static struct host_stack stack;
	static struct host_option found[HOST_OPTIONS_MAX];
	struct host_job job = settings->job;
	size_t size;
	char byte;

	if (context != S_CTX_SLURMD) {
		become_user(&job);
		enter_environment(&job);
	}
	if (host_stack_load(&stack, settings, context) != 0)
		_exit(3);
	host_stack_call(HOOK_INIT, NULL, NULL);
	if (context != S_CTX_SLURMD) {
		host_options_take_local(&stack);
		host_stack_call(HOOK_INIT_POST_OPT, NULL, NULL);
	}
	if (context == S_CTX_LOCAL)
		host_stack_call(HOOK_LOCAL_USER_INIT, &job, NULL);
	size = (size_t)host_options_found(&stack, found) * sizeof(found[0]);
	if (write(found_fd, found, size) != (ssize_t)size)
		_exit(3);
	close(found_fd);
	while (read(wait_fd, &byte, 1) < 0 && errno == EINTR)
		;
	host_stack_call(context == S_CTX_SLURMD ? HOOK_SLURMD_EXIT :
						  HOOK_EXIT, NULL, NULL);
	host_stack_unload(&stack);
	_exit(0);
}

/* Options passed by sbatch to the batch step, and by srun to its steps. */
static void carry(struct host_settings *settings, enum spank_context context,
		  const struct host_option *options, int n)
{
	bool is_allocator = context == S_CTX_ALLOCATOR;
	bool is_exported = !is_allocator || !settings->is_export_none ||
			   settings->release->is_export_none_kept;
	char name[256] = "SLURM_SPANK_";

	settings->noptions = 0;
	for (int i = 0; i < n; i++) {
		snprintf(name + 12, sizeof(name) - 12,
			 "_SLURM_SPANK_OPTION_%s_%s", options[i].plugin,
			 options[i].name);
		if (is_allocator)
			host_env_set(settings->job.env, name,
				     options[i].value);
		else
			settings->options[settings->noptions++] = options[i];
		if (is_exported)
			host_env_set(settings->job.env, name + 12,
				     options[i].value);
	}
}

void host_launcher_start(struct host_launcher *launcher,
			 struct host_settings *settings,
			 enum spank_context context)
{
	struct host_option options[HOST_OPTIONS_MAX];
	size_t size = 0;
	int found[2];
	int wait_for[2];
	ssize_t n;

	if (pipe2(found, O_CLOEXEC) != 0 || pipe2(wait_for, O_CLOEXEC) != 0) {
		perror("spank-host: pipe");
		exit(2);
	}
	launcher->context = context;
	launcher->pid = fork();
	if (launcher->pid == 0) {
		close(found[0]);
		close(wait_for[1]);
		run_launcher(settings, context, found[1], wait_for[0]);
	}
	close(found[1]);
	close(wait_for[0]);
	while ((n = read(found[0], (char *)options + size,
			 sizeof(options) - size)) > 0)
		size += (size_t)n;
	close(found[0]);
	launcher->wait_fd = wait_for[1];
	if (context != S_CTX_SLURMD)
		carry(settings, context, options,
		      (int)(size / sizeof(options[0])));
}

void host_reap(pid_t pid, const char *what,
	       const struct host_settings *settings)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status) &&
	    !(settings->die_after >= 0 && WTERMSIG(status) == SIGKILL))
		out_violation("crash", what, "ended by signal %d",
			      WTERMSIG(status));
	if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
		out_violation("process", what, "ended with status %d",
			      WEXITSTATUS(status));
}

void host_launcher_end(struct host_launcher *launcher,
		       const struct host_settings *settings)
{
	close(launcher->wait_fd);
	host_reap(launcher->pid, host_context_name(launcher->context),
		  settings);
}

/* "slurmstepd spank prolog|epilog": loaded, called once, unloaded. */
void host_job_script(const struct host_settings *settings,
		     enum host_hook hook)
{
	static struct host_stack stack;
	struct host_job job = settings->job;
	pid_t pid = fork();

	if (pid == 0) {
		if (host_stack_load(&stack, settings, S_CTX_JOB_SCRIPT) != 0)
			_exit(3);
		host_stack_call(hook, &job, NULL);
		host_stack_unload(&stack);
		_exit(0);
	}
	host_reap(pid, "job_script", settings);
}
