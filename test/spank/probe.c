/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plugin to test the fake host: it logs each hook with the answers of every
 * item there, and misbehaves as requested by its arguments.
 *
 *	log=FILE	append a line per hook
 *	HOOK=KIND	do KIND in that hook: see misdeeds[]
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <slurm/spank.h>

#ifdef PROBE_VERSION
const char plugin_name[] = "probe";
const char plugin_type[] = "spank";
const unsigned int plugin_version = PROBE_VERSION;
#else
SPANK_PLUGIN(probe, 1)
#endif

#define NITEMS ((int)S_JOB_ARRAY_TASK_ID + 1)

/* Large enough for any item, including its second value. */
union answer {
	int number;
	uint64_t wide;
	void *pointer;
};

static char option_value[64];
static int noption_calls;

static int see_option(int val, const char *arg, int remote)
{
	(void)val;
	(void)remote;
	noption_calls++;
	snprintf(option_value, sizeof(option_value), "%s", arg);
	return strcmp(arg, "bad") == 0;
}

static struct spank_option option = {
	.name = (char *)(uintptr_t)"probe",
	.arginfo = (char *)(uintptr_t)"WORD",
	.usage = (char *)(uintptr_t)"what the probe is told",
	.has_arg = 1,
	.cb = see_option,
};

/* Side effects of loading and unloading. */
static void __attribute__((constructor)) at_load(void)
{
	if (getenv("PROBE_AT_LOAD"))
		(void)!open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void __attribute__((destructor)) at_unload(void)
{
	if (getenv("PROBE_AT_UNLOAD"))
		umask(0777);
}

static spank_err_t ask(spank_t spank, spank_item_t item, union answer *answer)
{
	union answer more = { 0 };

	answer->wide = 0;
	switch (item) {
	case S_JOB_ARGV:
		return spank_get_item(spank, item, &more.number,
				      &answer->pointer);
	case S_JOB_SUPPLEMENTARY_GIDS:
		return spank_get_item(spank, item, &answer->pointer,
				      &more.number);
	case S_JOB_PID_TO_GLOBAL_ID:
	case S_JOB_PID_TO_LOCAL_ID:
		return spank_get_item(spank, item, getpid(), answer);
	case S_JOB_LOCAL_TO_GLOBAL_ID:
	case S_JOB_GLOBAL_TO_LOCAL_ID:
		return spank_get_item(spank, item, 0, answer);
	default:
		return spank_get_item(spank, item, answer);
	}
}

static const char *find_arg(int ac, char **av, const char *name)
{
	size_t length = strlen(name);

	for (int i = 0; i < ac; i++) {
		if (strncmp(av[i], name, length) == 0 && av[i][length] == '=')
			return av[i] + length + 1;
	}
	return NULL;
}

/* A digit or letter per item: 0 for success, else the error's last digits. */
static void record(spank_t spank, const char *hook, const char *path)
{
	static const char digits[] = "0123456789ab";
	char results[NITEMS + 1] = { 0 };
	char line[512];
	union answer answer;
	int task = -1;
	int fd;

	for (int i = 0; i < NITEMS; i++) {
		spank_err_t rc = ask(spank, (spank_item_t)i, &answer);
		unsigned int digit = rc == ESPANK_SUCCESS ? 0 :
				     (unsigned int)rc - ESPANK_ERROR + 1;

		results[i] = digit < sizeof(digits) ? digits[digit] : '?';
	}
	spank_get_item(spank, S_TASK_ID, &task);
	snprintf(line, sizeof(line), "%d %d %s %d %s %d:%s\n", getpid(),
		 (int)spank_context(), hook, task, results, noption_calls,
		 option_value);
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	if (write(fd, line, strlen(line)) < 0)
		slurm_error("probe: %s", strerror(errno));
	close(fd);
}

/* Launchers may not query items, except where allowed. */
static int may_ask(const char *hook)
{
	return strcmp(hook, "exit") != 0 || spank_context() == S_CTX_REMOTE;
}

static void *stay(void *unused)
{
	(void)unused;
	for (;;)
		usleep(1000);
	return NULL;
}

static void do_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, stay, NULL);
}

static void do_fd(void)
{
	(void)!open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void do_inherited_fd(void)
{
	(void)!open("/dev/null", O_RDONLY);
}

static void do_close(void)
{
	close(STDIN_FILENO);
}

static void do_mask(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGURG);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static void do_handler(void)
{
	signal(SIGWINCH, SIG_IGN);
}

static void do_child(void)
{
	if (fork() == 0) {
		usleep(300000);
		_exit(0);
	}
}

static void do_umask(void)
{
	umask(0777);
}

static void do_cwd(void)
{
	(void)!chdir("/proc");
}

static void do_timer(void)
{
	struct itimerval timer = { .it_value = { .tv_sec = 1000 } };

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void do_environment(void)
{
	setenv("PROBE_WAS_HERE", "1", 1);
}

static void *volatile kept;

static void do_heap(void)
{
	kept = malloc(12345);
}

static void do_slow(void)
{
	usleep(50000);
}

static void do_crash(void)
{
	raise(SIGSEGV);
}

/* Use an item in spite of its error. */
static spank_t current;

static void do_trust(void)
{
	char *cores = NULL;

	spank_get_item(current, S_JOB_ALLOC_CORES, &cores);
	if (cores)
		noption_calls += cores[0] == 'x';
}

static void do_item(void)
{
	uint32_t id;

	spank_get_item(current, S_JOB_ID, &id);
}

static void do_rc(void)
{
}

static const struct {
	const char *kind;
	void (*run)(void);
} misdeeds[] = {
	{ "thread", do_thread },
	{ "fd", do_fd },
	{ "inherited-fd", do_inherited_fd },
	{ "close", do_close },
	{ "mask", do_mask },
	{ "handler", do_handler },
	{ "child", do_child },
	{ "umask", do_umask },
	{ "cwd", do_cwd },
	{ "timer", do_timer },
	{ "environment", do_environment },
	{ "heap", do_heap },
	{ "slow", do_slow },
	{ "crash", do_crash },
	{ "trust", do_trust },
	{ "item", do_item },
	{ "rc", do_rc },
};

static int misbehave(const char *kind)
{
	for (size_t i = 0; i < sizeof(misdeeds) / sizeof(misdeeds[0]); i++) {
		if (strcmp(misdeeds[i].kind, kind) == 0)
			misdeeds[i].run();
	}
	return strcmp(kind, "rc") == 0 ? -1 : 0;
}

static int hook_runs(spank_t spank, const char *hook, int ac, char **av)
{
	const char *path = find_arg(ac, av, "log");
	const char *kind = find_arg(ac, av, hook);

	current = spank;
	if (path && may_ask(hook))
		record(spank, hook, path);
	return kind ? misbehave(kind) : 0;
}

#define HOOK(name)                                                          \
	int slurm_spank_##name(spank_t spank, int ac, char **av)            \
	{                                                                   \
		return hook_runs(spank, #name, ac, av);                     \
	}

HOOK(init_post_opt)
HOOK(local_user_init)
HOOK(user_init)
HOOK(task_init_privileged)
HOOK(task_init)
HOOK(task_post_fork)
HOOK(task_exit)
HOOK(job_prolog)
HOOK(job_epilog)
HOOK(slurmd_exit)
HOOK(exit)

int slurm_spank_init(spank_t spank, int ac, char **av)
{
	spank_option_register(spank, &option);
	return hook_runs(spank, "init", ac, av);
}
