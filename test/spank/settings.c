/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line of the fake host.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/spank/host.h"

static void fail(const char *what, const char *value)
	__attribute__((noreturn));

static void fail(const char *what, const char *value)
{
	fprintf(stderr, "spank-host: %s: %s\n", what, value);
	exit(2);
}

static uint64_t number(const char *text)
{
	char *end;
	unsigned long long value = strtoull(text, &end, 0);

	if (end == text || *end != '\0')
		fail("not a number", text);
	return value;
}

static unsigned int count(const char *text, unsigned int max)
{
	uint64_t value = number(text);

	if (value == 0 || value > max)
		fail("out of range", text);
	return (unsigned int)value;
}

static int hook(const char *text)
{
	int found = host_hook_find(text);

	if (found < 0)
		fail("no such hook", text);
	return found;
}

static int item(const char *text)
{
	int found = host_item_find(text);

	if (found < 0)
		fail("no such item", text);
	return found;
}

static void set_release(struct host_settings *settings, const char *arg)
{
	settings->release = host_release_find(arg);
	if (!settings->release)
		fail("no such release of Slurm (see --list)", arg);
}

static void set_contexts(struct host_settings *settings, const char *arg)
{
	char text[128];

	memset(settings->has_context, 0, sizeof(settings->has_context));
	snprintf(text, sizeof(text), "%s", arg);
	for (char *save, *word = strtok_r(text, ",", &save); word;
	     word = strtok_r(NULL, ",", &save)) {
		int context = S_CTX_LOCAL;

		while (context <= S_CTX_JOB_SCRIPT &&
		       strcmp(host_context_name((enum spank_context)context),
			      word) != 0)
			context++;
		if (context > S_CTX_JOB_SCRIPT)
			fail("no such context", word);
		settings->has_context[context] = true;
	}
}

static void set_arg(struct host_settings *settings, const char *arg)
{
	if (settings->nargs == HOST_ARGS_MAX)
		fail("too many", "--arg");
	settings->args[settings->nargs++] = strdup(arg);
}

static void set_option(struct host_settings *settings, const char *arg)
{
	struct host_option *option = &settings->options[settings->noptions];
	size_t length = strcspn(arg, "=");

	if (settings->noptions == HOST_OPTIONS_MAX)
		fail("too many", "--option");
	if (length >= sizeof(option->name) || arg[length] != '=')
		fail("not NAME=VALUE", arg);
	memcpy(option->name, arg, length);
	snprintf(option->value, sizeof(option->value), "%s",
		 arg + length + 1);
	settings->noptions++;
}

static void set_env(struct host_settings *settings, const char *arg)
{
	bool is_late = strncmp(arg, "exit:", 5) == 0;
	char *name = strdup(is_late ? arg + 5 : arg);
	char *value = strchr(name, '=');

	if (!value)
		fail("not NAME=VALUE", arg);
	*value = '\0';
	if (host_env_set(is_late ? settings->exit_env : settings->job.env,
			 name, value + 1) != 0)
		fail("too many", "--env");
	free(name);
}

static void set_item(struct host_settings *settings, const char *arg)
{
	char *name = strdup(arg);
	char *value = strchr(name, '=');

	if (!value)
		fail("not ITEM=NUMBER", arg);
	*value = '\0';
	if (host_item_set(&settings->job, item(name), number(value + 1)) != 0)
		fail("cannot be set", arg);
	free(name);
}

static void set_fail_item(struct host_settings *settings, const char *arg)
{
	if (strcmp(arg, "every") == 0)
		settings->is_every_item = true;
	else
		settings->fail_item = item(arg);
}

static void set_skip(struct host_settings *settings, const char *arg)
{
	settings->skip[hook(arg)] = true;
}

static void set_stop_at(struct host_settings *settings, const char *arg)
{
	settings->stop_at = hook(arg);
}

static void set_die_after(struct host_settings *settings, const char *arg)
{
	settings->die_after = hook(arg);
}

static void set_tasks(struct host_settings *settings, const char *arg)
{
	settings->job.ntasks_local = count(arg, HOST_TASKS_MAX);
}

static void set_steps(struct host_settings *settings, const char *arg)
{
	settings->nsteps = count(arg, HOST_STEPS_MAX);
}

static void set_rounds(struct host_settings *settings, const char *arg)
{
	settings->nrounds = count(arg, 1000000);
}

static void set_includes(struct host_settings *settings, const char *arg)
{
	settings->nincludes = count(arg, HOST_PLUGINS_MAX);
}

static void set_step_id(struct host_settings *settings, const char *arg)
{
	if (strcmp(arg, "batch") == 0)
		settings->job.step_id = 0xfffffffb;
	else if (strcmp(arg, "extern") == 0)
		settings->job.step_id = 0xfffffffc;
	else if (strcmp(arg, "interactive") == 0)
		settings->job.step_id = 0xfffffffa;
	else
		settings->job.step_id = (uint32_t)number(arg);
}

static void set_first_rank(struct host_settings *settings, const char *arg)
{
	settings->first_rank = (uint32_t)number(arg);
}

static void set_delay(struct host_settings *settings, const char *arg)
{
	settings->delay_usec = (unsigned int)number(arg);
}

static void set_linger(struct host_settings *settings, const char *arg)
{
	settings->linger_usec = (unsigned int)number(arg);
}

static void set_max_hook(struct host_settings *settings, const char *arg)
{
	settings->max_hook_usec = number(arg);
}

static void set_max_step(struct host_settings *settings, const char *arg)
{
	settings->max_step_usec = number(arg);
}

static void set_umask(struct host_settings *settings, const char *arg)
{
	settings->umask = (mode_t)strtoul(arg, NULL, 8);
}

static void set_uid(struct host_settings *settings, const char *arg)
{
	settings->job.uid = (uid_t)number(arg);
	settings->job.gid = (gid_t)number(arg);
}

static void set_cgroup(struct host_settings *settings, const char *arg)
{
	settings->cgroup = arg;
}

static void set_job_folder(struct host_settings *settings, const char *arg)
{
	settings->job_folder = arg;
}

static void set_task_folder(struct host_settings *settings, const char *arg)
{
	settings->task_folder = arg;
}

static void set_cgroup_v1(struct host_settings *settings, const char *arg)
{
	settings->cgroup_v1 = arg;
}

static void set_job_stderr(struct host_settings *settings, const char *arg)
{
	settings->job_stderr = arg;
}

static void set_job_output(struct host_settings *settings, const char *arg)
{
	settings->job_stderr = arg;
	settings->is_stdout_with_stderr = true;
}

static void set_node(struct host_settings *settings, const char *arg)
{
	settings->node = arg;
}

static void set_output(struct host_settings *settings, const char *arg)
{
	settings->output = arg;
}

static void set_hide(struct host_settings *settings, const char *arg)
{
	settings->hide = arg;
	settings->is_mnt_unshared = true;
}

static void set_unshare(struct host_settings *settings, const char *arg)
{
	settings->is_net_unshared |= strstr(arg, "net") != NULL;
	settings->is_mnt_unshared |= strstr(arg, "mnt") != NULL;
}

static void set_contain(struct host_settings *settings, const char *arg)
{
	(void)arg;
	settings->is_contained = true;
}

static void set_job_ns(struct host_settings *settings, const char *arg)
{
	(void)arg;
	settings->is_contained = true;
	settings->is_job_ns = true;
}

static void set_ns_dir(struct host_settings *settings, const char *arg)
{
	settings->ns_dir = arg;
}

static void set_step_in_ns(struct host_settings *settings, const char *arg)
{
	(void)arg;
	settings->is_step_in_ns = true;
}

static void set_export_none(struct host_settings *settings, const char *arg)
{
	(void)arg;
	settings->is_export_none = true;
}

static void set_ignore_version(struct host_settings *settings,
			       const char *arg)
{
	(void)arg;
	settings->is_version_ignored = true;
}

static void set_check_heap(struct host_settings *settings, const char *arg)
{
	(void)arg;
	settings->is_heap_checked = true;
}

static void list(struct host_settings *settings, const char *arg)
	__attribute__((noreturn));

static void list(struct host_settings *settings, const char *arg)
{
	(void)settings;
	(void)arg;
	host_release_list();
	exit(0);
}

static void help(struct host_settings *settings, const char *arg)
	__attribute__((noreturn));

static const struct {
	const char *name;
	const char *arg;
	void (*set)(struct host_settings *settings, const char *arg);
	const char *help;
} table[] = {
	{ "slurm", "YY.MM", set_release,
	  "play this release (default: that of spank.h)" },
	{ "list", NULL, list,
	  "print the releases" },
	{ "contexts", "LIST", set_contexts,
	  "of slurmd,allocator,local,job_script,remote (default: remote)" },
	{ "arg", "WORD", set_arg,
	  "an argument of the plugin in plugstack.conf; again for more" },
	{ "option", "NAME=VALUE", set_option,
	  "an option of the outermost launcher's command line" },
	{ "env", "NAME=VALUE", set_env,
	  "in the job's environment; exit:NAME=VALUE: when a task ends" },
	{ "item", "ITEM=NUMBER", set_item,
	  "what spank_get_item() answers, as S_JOB_ID=7" },
	{ "fail-item", "ITEM", set_fail_item,
	  "an item fails, with poison as its value; every: each in turn" },
	{ "includes", "N", set_includes,
	  "load the plugin N times, as with two include lines" },
	{ "steps", "N", set_steps,
	  "steps at once, each a process" },
	{ "tasks", "N", set_tasks,
	  "tasks of each step" },
	{ "rounds", "N", set_rounds,
	  "do all this N times, one after the other" },
	{ "step", "ID", set_step_id,
	  "first step: a number, batch, extern or interactive" },
	{ "first-rank", "N", set_first_rank,
	  "global id of the first task" },
	{ "delay-usec", "N", set_delay,
	  "wait before each hook" },
	{ "linger-usec", "N", set_linger,
	  "stay this long after dlclose()" },
	{ "max-hook-usec", "N", set_max_hook,
	  "a longer hook is a violation" },
	{ "max-step-usec", "N", set_max_step,
	  "so is a step with more in all its hooks" },
	{ "skip-hook", "HOOK", set_skip,
	  "never call it; again for more" },
	{ "stop-at", "HOOK", set_stop_at,
	  "the launch fails after this hook: only exit follows" },
	{ "die-after", "HOOK", set_die_after,
	  "the process kills itself after this hook" },
	{ "contain", NULL, set_contain,
	  "contain_spank: hooks in CLONE_VM children (24.05 and later)" },
	{ "job-ns", NULL, set_job_ns,
	  "the same, in the job's mount namespace" },
	{ "step-in-ns", NULL, set_step_in_ns,
	  "EntireStepInNS: the step's process in such a namespace" },
	{ "ns-dir", "DIR", set_ns_dir,
	  "what is the job's own there (default: /tmp)" },
	{ "unshare", "LIST", set_unshare,
	  "of net,mnt: the host as a whole in fresh namespaces" },
	{ "hide", "DIR", set_hide,
	  "an empty file system over DIR (with --unshare mnt)" },
	{ "uid", "N", set_uid,
	  "the job's user and group (default: our own)" },
	{ "umask", "OCTAL", set_umask,
	  "the job's umask" },
	{ "node", "NAME", set_node,
	  "SLURMD_NODENAME" },
	{ "job-stderr", "FILE", set_job_stderr,
	  "descriptor 2 of the step's process" },
	{ "job-output", "FILE", set_job_output,
	  "descriptors 1 and 2 of it, as in Slurm's default file" },
	{ "cgroup", "DIR", set_cgroup,
	  "make step and task cgroups below DIR" },
	{ "job-folder", "NAME", set_job_folder,
	  "there, in place of this release's name for the job's" },
	{ "task-folder", "WORD", set_task_folder,
	  "in place of \"task\" in the names of its tasks'" },
	{ "cgroup-v1", "NAME", set_cgroup_v1,
	  "make those of cgroup v1 in folder NAME of each tree" },
	{ "export-none", NULL, set_export_none,
	  "sbatch --export=NONE" },
	{ "ignore-version", NULL, set_ignore_version,
	  "load a plugin built for another release" },
	{ "check-heap", NULL, set_check_heap,
	  "bytes left on the heap by a hook are a violation" },
	{ "output", "FILE", set_output,
	  "append the JSON lines there (default: stdout)" },
	{ "help", NULL, help,
	  "this text" },
};

#define NOPTIONS (sizeof(table) / sizeof(table[0]))

static void help(struct host_settings *settings, const char *arg)
{
	(void)settings;
	(void)arg;
	puts("usage: spank-host [OPTION]... PLUGIN.so [TASK [ARG]...]");
	for (size_t i = 0; i < NOPTIONS; i++) {
		int n = printf("  --%s%s%s", table[i].name,
			       table[i].arg ? " " : "",
			       table[i].arg ? table[i].arg : "");

		printf("%*s%s\n", n < 26 ? 26 - n : 1, "", table[i].help);
	}
	puts("Exit: 0 all is well, 1 violations, 2 usage.");
	exit(0);
}

static void set_defaults(struct host_settings *settings)
{
	static char name[] = "true";
	static char cores[] = "0";
	static char *program[] = { name, NULL };
	static gid_t gids[1];

	memset(settings, 0, sizeof(*settings));
	gids[0] = getgid();
	settings->release = host_release_of(SLURM_VERSION_NUMBER);
	settings->has_context[S_CTX_REMOTE] = true;
	settings->nincludes = 1;
	settings->nsteps = 1;
	settings->nrounds = 1;
	settings->stop_at = -1;
	settings->die_after = -1;
	settings->fail_item = -1;
	settings->umask = 022;
	settings->node = "node1";
	settings->task_folder = "task";
	settings->ns_dir = "/tmp";
	settings->job_stderr = "/dev/null";
	settings->program = program;
	settings->job = (struct host_job){
		.uid = getuid(),
		.gid = getgid(),
		.gids = gids,
		.ngids = 1,
		.job_id = 1234,
		.array_task_id = UINT32_MAX - 1,
		.nnodes = 1,
		.ntasks_local = 1,
		.cpus_per_task = 1,
		.ncpus = 1,
		.job_mem_mbytes = 1024,
		.step_mem_mbytes = 1024,
		.job_cores = cores,
		.step_cores = cores,
	};
}

void host_settings_parse(struct host_settings *settings, int argc,
			 char **argv)
{
	struct option options[NOPTIONS + 1] = { 0 };
	int found;
	int i;

	set_defaults(settings);
	for (size_t k = 0; k < NOPTIONS; k++) {
		options[k].name = table[k].name;
		options[k].has_arg = table[k].arg != NULL;
	}
	opterr = 1;
	while ((found = getopt_long(argc, argv, "+", options, &i)) != -1) {
		if (found != 0)
			exit(2);
		table[i].set(settings, optarg);
	}
	if (optind >= argc)
		fail("no plugin given", "see --help");
	settings->plugin_path = realpath(argv[optind], NULL);
	if (!settings->plugin_path)
		fail("no such plugin", argv[optind]);
	if (argv[optind + 1])
		settings->program = argv + optind + 1;
	if (!settings->release)
		fail("spank.h is of an unknown release", "give --slurm");
	if (settings->is_contained && !settings->release->has_contain_spank)
		fail("this release has no contain_spank",
		     settings->release->name);
	if (settings->job.ntasks == 0)
		settings->job.ntasks = settings->first_rank +
				       settings->job.ntasks_local;
	if (!host_env_get(settings->job.env, "PATH"))
		host_env_set(settings->job.env, "PATH", "/usr/bin:/bin");
}
