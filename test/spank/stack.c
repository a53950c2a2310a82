/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack of plugins: loaded as in slurm's plugin.c and spank.c; time and
 * process state are checked around each call.
 */
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test/spank/host.h"
#include "test/spank/out.h"

#define VERSION_MASK 0xffff00u

struct host_stack *host_stack;

static const char *const hook_names[HOOK_COUNT] = {
	[HOOK_INIT] = "init",
	[HOOK_JOB_PROLOG] = "job_prolog",
	[HOOK_INIT_POST_OPT] = "init_post_opt",
	[HOOK_LOCAL_USER_INIT] = "local_user_init",
	[HOOK_USER_INIT] = "user_init",
	[HOOK_TASK_INIT_PRIVILEGED] = "task_init_privileged",
	[HOOK_TASK_INIT] = "task_init",
	[HOOK_TASK_POST_FORK] = "task_post_fork",
	[HOOK_TASK_EXIT] = "task_exit",
	[HOOK_JOB_EPILOG] = "job_epilog",
	[HOOK_SLURMD_EXIT] = "slurmd_exit",
	[HOOK_EXIT] = "exit",
};

static const char *const context_names[] = {
	[S_CTX_ERROR] = "error",
	[S_CTX_LOCAL] = "local",
	[S_CTX_REMOTE] = "remote",
	[S_CTX_ALLOCATOR] = "allocator",
	[S_CTX_SLURMD] = "slurmd",
	[S_CTX_JOB_SCRIPT] = "job_script",
};

const char *host_hook_name(enum host_hook hook)
{
	return hook_names[hook];
}

int host_hook_find(const char *name)
{
	for (int i = 0; i < HOOK_COUNT; i++) {
		if (strcmp(hook_names[i], name) == 0)
			return i;
	}
	return -1;
}

const char *host_context_name(enum spank_context context)
{
	return context_names[context];
}

static uint64_t now_nsec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int refuse(const char *path, const char *why)
{
	struct out_line line;

	out_begin(&line, "refused");
	out_text(&line, "plugin", path);
	out_text(&line, "why", why);
	out_end(&line);
	return -1;
}

/* plugin.c:_verify_syms(), then the call of "init" if dlsym() finds one. */
static int verify(const struct host_settings *settings, void *dl,
		  struct host_plugin *plugin)
{
	const char *name = dlsym(dl, "plugin_name");
	const char *type = dlsym(dl, "plugin_type");
	const uint32_t *version = dlsym(dl, "plugin_version");

	if (!name || !type || !version)
		return refuse(settings->plugin_path,
			      "plugin_name, _type or _version is missing");
	if (strcmp(type, "spank") != 0)
		return refuse(settings->plugin_path, "plugin_type");
	if (!settings->is_version_ignored &&
	    (*version & VERSION_MASK) !=
	    (settings->release->version & VERSION_MASK))
		return refuse(settings->plugin_path, "plugin_version");
	if (dlsym(dl, "init") || dlsym(dl, "fini"))
		out_violation("symbol", "load",
			      "dlsym() finds \"init\" or \"fini\": Slurm "
			      "would call it");
	plugin->dl = dl;
	plugin->name = name;
	return 0;
}

static int load_one(const struct host_settings *settings,
		    struct host_plugin *plugin)
{
	char symbol[64];
	void *dl = dlopen(settings->plugin_path, RTLD_LAZY);

	if (!dl)
		return refuse(settings->plugin_path, dlerror());
	if (verify(settings, dl, plugin) != 0) {
		dlclose(dl);
		return -1;
	}
	for (int i = 0; i < HOOK_COUNT; i++) {
		snprintf(symbol, sizeof(symbol), "slurm_spank_%s",
			 hook_names[i]);
		plugin->hooks[i] = (spank_f *)(uintptr_t)dlsym(dl, symbol);
	}
	return 0;
}

static bool is_wanted(const struct host_stack *stack,
		      const struct host_plugin *plugin)
{
	spank_f *const *hooks = plugin->hooks;

	switch (stack->context) {
	case S_CTX_JOB_SCRIPT:
		return hooks[HOOK_JOB_PROLOG] || hooks[HOOK_JOB_EPILOG];
	case S_CTX_SLURMD:
		return hooks[HOOK_INIT] || hooks[HOOK_SLURMD_EXIT];
	default:
		return true;
	}
}

/*
 * State before loading and before unloading, to see effects of constructors,
 * too.
 */
static struct state unchanged;

static void check_unchanged(const char *where)
{
	static struct state now;

	state_take(&now);
	state_compare(&unchanged, &now, where, 0);
}

int host_stack_load(struct host_stack *stack,
		    const struct host_settings *settings,
		    enum spank_context context)
{
	memset(stack, 0, sizeof(*stack));
	stack->settings = settings;
	stack->context = context;
	host_stack = stack;
	state_take(&unchanged);
	for (unsigned int i = 0; i < settings->nincludes; i++) {
		struct host_plugin *plugin = &stack->plugins[stack->nplugins];

		if (load_one(settings, plugin) != 0)
			return -1;
		if (is_wanted(stack, plugin))
			stack->nplugins++;
		else
			dlclose(plugin->dl);
	}
	check_unchanged("load");
	return 0;
}

/* Linger, to detect a thread or a handler that outlives its code. */
void host_stack_unload(struct host_stack *stack)
{
	state_take(&unchanged);
	for (unsigned int i = 0; i < stack->nplugins; i++)
		dlclose(stack->plugins[i].dl);
	stack->nplugins = 0;
	host_stack = NULL;
	check_unchanged("unload");
	if (stack->settings->linger_usec)
		usleep(stack->settings->linger_usec);
}

bool host_stack_has(enum host_hook hook)
{
	for (unsigned int i = 0; i < host_stack->nplugins; i++) {
		if (host_stack->plugins[i].hooks[hook])
			return true;
	}
	return false;
}

/* Sums are in nanoseconds: many hooks take less than a microsecond. */
static void account(enum host_hook hook, uint64_t nsec)
{
	const struct host_settings *settings = host_stack->settings;
	uint64_t usec = nsec / 1000;

	if (hook == HOOK_TASK_EXIT || hook == HOOK_EXIT)
		host_stack->end_nsec += nsec;
	else
		host_stack->launch_nsec += nsec;
	host_stack->nhooks++;
	if (settings->max_hook_usec && usec > settings->max_hook_usec)
		out_violation("slow", host_hook_name(hook), "%llu usec",
			      (unsigned long long)usec);
}

static void report(const struct spank_handle *handle, int rc, uint64_t usec,
		   const struct state *before, const struct state *after)
{
	const char *name = host_hook_name(handle->hook);
	struct out_line line;

	out_begin(&line, "hook");
	out_text(&line, "context", host_context_name(host_stack->context));
	out_text(&line, "hook", name);
	out_number(&line, "include", handle->plugin - host_stack->plugins);
	if (handle->job)
		out_number(&line, "step", handle->job->step_id);
	if (handle->task)
		out_number(&line, "task", handle->task->id);
	out_number(&line, "rc", rc);
	out_number(&line, "usec", (int64_t)usec);
	out_number(&line, "heap_bytes", (int64_t)(after->heap_bytes -
						  before->heap_bytes));
	out_end(&line);
	if (rc != 0)
		out_violation("rc", name, "returned %d", rc);
}

static void call_plugin(struct spank_handle *handle)
{
	const struct host_settings *settings = host_stack->settings;
	static struct state before;
	static struct state after;
	uint64_t start;
	uint64_t nsec;
	int rc;

	state_take(&before);
	start = now_nsec();
	rc = handle->plugin->hooks[handle->hook](
		handle, settings->nargs, (char **)(uintptr_t)settings->args);
	nsec = now_nsec() - start;
	state_take(&after);
	account(handle->hook, nsec);
	report(handle, rc, nsec / 1000, &before, &after);
	state_compare(&before, &after, host_hook_name(handle->hook),
		      settings->is_heap_checked);
}

static void call_all(struct spank_handle *handle)
{
	for (unsigned int i = 0; i < host_stack->nplugins; i++) {
		handle->plugin = &host_stack->plugins[i];
		if (handle->plugin->hooks[handle->hook])
			call_plugin(handle);
	}
}

/* container_g_join(): the job's own mounts, seen only by this process. */
void host_enter_job_ns(const struct host_settings *settings)
{
	if (host_unshare(CLONE_NEWNS) != 0 ||
	    mount("none", settings->ns_dir, "tmpfs", 0, NULL) != 0)
		out_violation("host", "contain", "mount namespace: %s",
			      strerror(errno));
}

static int contained_child(void *arg)
{
	if (host_stack->settings->is_job_ns)
		host_enter_job_ns(host_stack->settings);
	call_all(arg);
	_exit(0);
}

/* mgr.c:_run_spank_func() under SlurmdParameters=contain_spank. */
static void call_contained(struct spank_handle *handle)
{
	size_t size = host_stack->settings->release->stack_bytes;
	static struct state before;
	static struct state after;
	char *stack = malloc(size);
	int status = 0;
	pid_t pid;

	state_take(&before);
	pid = stack ? clone(contained_child, stack + size, CLONE_VM | SIGCHLD,
			    handle) : -1;
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		out_violation("host", "contain", "clone: %s",
			      strerror(errno));
	else if (status != 0)
		out_violation("crash", host_hook_name(handle->hook),
			      "contained hook ended with status 0x%x", status);
	state_take(&after);
	state_compare(&before, &after, host_hook_name(handle->hook), 0);
	free(stack);
}

static bool is_containable(enum host_hook hook)
{
	return hook == HOOK_USER_INIT || hook == HOOK_TASK_POST_FORK ||
	       hook == HOOK_TASK_EXIT;
}

void host_stack_call(enum host_hook hook, struct host_job *job,
		     struct host_task *task)
{
	const struct host_settings *settings = host_stack->settings;
	struct spank_handle handle = {
		.magic = HOST_HANDLE_MAGIC,
		.hook = hook,
		.job = job,
		.task = task,
	};

	if (settings->skip[hook] || !host_stack_has(hook))
		return;
	if (settings->delay_usec)
		usleep(settings->delay_usec);
	if (settings->is_contained && is_containable(hook))
		call_contained(&handle);
	else
		call_all(&handle);
	if (settings->die_after == (int)hook)
		raise(SIGKILL);
}
