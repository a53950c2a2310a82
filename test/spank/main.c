/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fake host: plays slurmd, launchers, prolog and steps in the order of a
 * job, and exits with 1 if any of them saw a violation.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "test/spank/host.h"
#include "test/spank/out.h"

#define STEP_SPECIAL 0xfffffff0u

static struct state start;

static void enter_namespaces(const struct host_settings *settings)
{
	int flags = (settings->is_net_unshared ? CLONE_NEWNET : 0) |
		    (settings->is_mnt_unshared ? CLONE_NEWNS : 0);

	if (flags == 0)
		return;
	if (host_unshare(flags) != 0 ||
	    (settings->hide &&
	     mount("none", settings->hide, "tmpfs", 0, NULL) != 0)) {
		fprintf(stderr, "spank-host: namespaces: %s\n",
			strerror(errno));
		exit(2);
	}
}

static void run_steps(const struct host_settings *settings)
{
	static pid_t pids[HOST_STEPS_MAX];

	for (unsigned int i = 0; i < settings->nsteps; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			host_step_run(settings, &start,
				      settings->job.step_id + i);
		if (pids[i] < 0) {
			perror("spank-host: fork");
			exit(2);
		}
	}
	for (unsigned int i = 0; i < settings->nsteps; i++)
		host_reap(pids[i], "remote", settings);
}

/* Run the steps of a job, with the launchers that wait for them around. */
static void run_launchers(struct host_settings *settings)
{
	struct host_launcher launchers[2];
	int n = 0;

	if (settings->has_context[S_CTX_ALLOCATOR])
		host_launcher_start(&launchers[n++], settings,
				    S_CTX_ALLOCATOR);
	if (settings->has_context[S_CTX_LOCAL]) {
		/* The batch step's slurmstepd removes these. */
		if (n > 0)
			host_options_clear_env(settings->job.env);
		host_launcher_start(&launchers[n++], settings, S_CTX_LOCAL);
	}
	if (settings->has_context[S_CTX_REMOTE])
		run_steps(settings);
	while (n-- > 0)
		host_launcher_end(&launchers[n], settings);
}

/* The job's environment changes during a round: each round has its own copy. */
static void run_round(const struct host_settings *asked)
{
	struct host_settings settings = *asked;

	memset(settings.job.env, 0, sizeof(settings.job.env));
	for (int i = 0; asked->job.env[i]; i++)
		settings.job.env[i] = strdup(asked->job.env[i]);
	if (settings.has_context[S_CTX_JOB_SCRIPT])
		host_job_script(&settings, HOOK_JOB_PROLOG);
	run_launchers(&settings);
	if (settings.has_context[S_CTX_JOB_SCRIPT])
		host_job_script(&settings, HOOK_JOB_EPILOG);
	for (int i = 0; settings.job.env[i]; i++)
		free(settings.job.env[i]);
}

static void run_rounds(struct host_settings *settings)
{
	uint32_t first_id = settings->job.step_id;
	struct host_launcher slurmd;

	if (settings->has_context[S_CTX_SLURMD])
		host_launcher_start(&slurmd, settings, S_CTX_SLURMD);
	for (unsigned int i = 0; i < settings->nrounds; i++) {
		run_round(settings);
		/*
		 * The job's next steps; batch and other special ones have a
		 * fixed id.
		 */
		if (settings->job.step_id < STEP_SPECIAL)
			settings->job.step_id += settings->nsteps;
	}
	settings->job.step_id = first_id;
	if (settings->has_context[S_CTX_SLURMD])
		host_launcher_end(&slurmd, settings);
}

static void run_every_item(struct host_settings *settings)
{
	struct out_line line;

	for (int item = 0; item < HOST_ITEMS; item++) {
		settings->fail_item = item;
		out_begin(&line, "fail-item");
		out_text(&line, "item", host_item_name(item));
		out_end(&line);
		run_rounds(settings);
	}
}

int main(int argc, char **argv)
{
	static struct host_settings settings;
	struct out_line line;

	state_take(&start);
	host_settings_parse(&settings, argc, argv);
	out_open(settings.output);
	enter_namespaces(&settings);
	if (settings.is_every_item)
		run_every_item(&settings);
	else
		run_rounds(&settings);
	out_begin(&line, "end");
	out_text(&line, "slurm", settings.release->name);
	out_number(&line, "violations", out_violations());
	out_end(&line);
	return out_violations() ? 1 : 0;
}
