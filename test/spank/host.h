/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stand-in for the programs of Slurm that load a SPANK plugin: srun, sbatch,
 * slurmd, slurmstepd.  It provides the spank_* calls with the answers of a
 * given Slurm release, runs the hooks in that release's order around real
 * processes, and checks for leftovers after each hook.
 */
#ifndef SW_TEST_SPANK_HOST_H
#define SW_TEST_SPANK_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <slurm/spank.h>

#include "test/spank/state.h"

#define HOST_PLUGINS_MAX 4
#define HOST_ARGS_MAX 16
#define HOST_TASKS_MAX 1024
#define HOST_STEPS_MAX 256
#define HOST_OPTIONS_MAX 16
#define HOST_ENV_MAX 128
#define HOST_ITEMS 32
#define HOST_TEXT_SIZE 256
#define HOST_HANDLE_MAGIC 0x00a5a500u

/* The hooks in spank.h's order. */
enum host_hook {
	HOOK_INIT,
	HOOK_JOB_PROLOG,
	HOOK_INIT_POST_OPT,
	HOOK_LOCAL_USER_INIT,
	HOOK_USER_INIT,
	HOOK_TASK_INIT_PRIVILEGED,
	HOOK_TASK_INIT,
	HOOK_TASK_POST_FORK,
	HOOK_TASK_EXIT,
	HOOK_JOB_EPILOG,
	HOOK_SLURMD_EXIT,
	HOOK_EXIT,
	HOOK_COUNT,
};

/* Differences between Slurm releases. */
struct host_release {
	const char *name;
	uint32_t version;
	const char *text;
	/* The callback runs for the launch message and again for the env. */
	bool is_option_given_twice;
	bool has_contain_spank;
	bool has_prepend_task_argv;
	bool is_job_dir_sluid;
	bool is_task_dir_global;
	/* sbatch --export=NONE still carries the options to the batch step. */
	bool is_export_none_kept;
	/* Stack size for a contained hook. */
	size_t stack_bytes;
};

/* A "name=value" of the command line, or passed from launcher to launcher. */
struct host_option {
	char plugin[64];
	char name[SPANK_OPTION_MAXLEN + 1];
	char value[HOST_TEXT_SIZE];
};

struct host_task {
	uint32_t id;
	uint32_t gtid;
	pid_t pid;
	bool is_exited;
	int status;
};

/* Data for spank_get_item() and spank_getenv(). */
struct host_job {
	uid_t uid;
	gid_t gid;
	gid_t *gids;
	int ngids;
	uint32_t job_id;
	uint32_t step_id;
	uint32_t array_id;
	uint32_t array_task_id;
	uint32_t nnodes;
	uint32_t nodeid;
	uint32_t ntasks_local;
	uint32_t ntasks;
	uint32_t cpus_per_task;
	uint32_t restart_count;
	uint16_t ncpus;
	uint64_t job_mem_mbytes;
	uint64_t step_mem_mbytes;
	char *job_cores;
	char *step_cores;
	int argc;
	char **argv;
	char *env[HOST_ENV_MAX + 1];
	struct host_task *tasks;
};

/* A line of plugstack.conf. */
struct host_plugin {
	void *dl;
	const char *name;
	spank_f *hooks[HOOK_COUNT];
};

struct host_spank_option {
	struct spank_option option;
	const struct host_plugin *plugin;
	char value[HOST_TEXT_SIZE];
	bool is_found;
	bool is_disabled;
};

/* Settings of the command line. */
struct host_settings {
	const char *plugin_path;
	const struct host_release *release;
	char *args[HOST_ARGS_MAX];
	int nargs;
	struct host_option options[HOST_OPTIONS_MAX];
	int noptions;
	unsigned int nincludes;
	unsigned int nsteps;
	unsigned int nrounds;
	uint32_t first_rank;
	unsigned int delay_usec;
	unsigned int linger_usec;
	uint64_t max_hook_usec;
	uint64_t max_step_usec;
	mode_t umask;
	bool skip[HOOK_COUNT];
	int stop_at;
	int die_after;
	int fail_item;
	bool is_version_ignored;
	bool is_export_none;
	bool is_contained;
	bool is_job_ns;
	bool is_step_in_ns;
	bool is_heap_checked;
	bool has_context[S_CTX_JOB_SCRIPT + 1];
	const char *cgroup;
	const char *job_folder;
	const char *task_folder;
	const char *cgroup_v1;
	const char *job_stderr;
	bool is_stdout_with_stderr;
	const char *output;
	const char *hide;
	const char *ns_dir;
	bool is_net_unshared;
	bool is_mnt_unshared;
	bool is_every_item;
	const char *node;
	char **program;
	/* Added by slurmstepd to the job's before a task's exit hooks. */
	char *exit_env[HOST_ENV_MAX + 1];
	struct host_job job;
};

/* The process's only stack of plugins: slurm's global_spank_stack. */
struct spank_handle {
	uint32_t magic;
	enum host_hook hook;
	const struct host_plugin *plugin;
	struct host_job *job;
	struct host_task *task;
};

struct host_stack {
	enum spank_context context;
	const struct host_settings *settings;
	struct host_plugin plugins[HOST_PLUGINS_MAX];
	unsigned int nplugins;
	struct host_spank_option options[HOST_OPTIONS_MAX];
	unsigned int noptions;
	/* "NAME=VALUE" for prolog and epilog. */
	char *control_env[HOST_ENV_MAX + 1];
	/* Totals of the step so far, for its output line. */
	uint64_t launch_nsec;
	uint64_t end_nsec;
	unsigned int nhooks;
};

extern struct host_stack *host_stack;

/* release.c */
const struct host_release *host_release_find(const char *name);
const struct host_release *host_release_of(uint32_t version);
void host_release_list(void);

/* As unshare(); the mounts of a new namespace are private. */
int host_unshare(int flags);

/* stack.c: load, call, unload.  -1 if the plugin cannot be loaded. */
int host_stack_load(struct host_stack *stack,
		    const struct host_settings *settings,
		    enum spank_context context);
void host_stack_unload(struct host_stack *stack);
void host_stack_call(enum host_hook hook, struct host_job *job,
		     struct host_task *task);
bool host_stack_has(enum host_hook hook);
void host_enter_job_ns(const struct host_settings *settings);
const char *host_hook_name(enum host_hook hook);
int host_hook_find(const char *name);
const char *host_context_name(enum spank_context context);

/* item.c */
int host_item_find(const char *name);
const char *host_item_name(int item);
/* Return -1 for an item that is no number of the job. */
int host_item_set(struct host_job *job, int item, uint64_t value);

/* option.c */
struct host_spank_option *host_option_find(const char *name);
char *host_option_env_name(const struct host_spank_option *option, char *buf,
			   size_t size);
void host_options_take_local(struct host_stack *stack);
void host_options_take_remote(struct host_stack *stack, char **env);
int host_options_found(const struct host_stack *stack,
		       struct host_option *options);
void host_options_clear_env(char **env);

/* env.c: arrays of "NAME=VALUE" of HOST_ENV_MAX entries. */
const char *host_env_get(char **env, const char *name);
int host_env_set(char **env, const char *name, const char *value);
void host_env_unset(char **env, const char *name);

/* cgroup.c: cgroups as created by slurmstepd; no effect without --cgroup. */
void host_cgroup_enter_step(const struct host_settings *settings,
			    const struct host_job *job);
void host_cgroup_add_task(const struct host_settings *settings,
			  const struct host_job *job,
			  const struct host_task *task);
void host_cgroup_remove_step(const struct host_settings *settings,
			     const struct host_job *job);

/* cgroup_v1.c: likewise with --cgroup-v1. */
void host_cgroup_v1_add_task(const struct host_settings *settings,
			     const struct host_job *job,
			     const struct host_task *task);
void host_cgroup_v1_remove_counters(const struct host_settings *settings,
				    const struct host_job *job);
void host_cgroup_v1_remove_step(const struct host_settings *settings,
				const struct host_job *job);

/* step.c: the life of one slurmstepd; ends the process. */
void host_step_run(const struct host_settings *settings,
		   const struct state *start, uint32_t step_id)
	__attribute__((noreturn));

/*
 * launcher.c: srun, sbatch or slurmd up to where they wait for the work, in a
 * separate process; host_launcher_end() lets it continue to its exit hook.
 */
struct host_launcher {
	enum spank_context context;
	pid_t pid;
	int wait_fd;
};

void host_launcher_start(struct host_launcher *launcher,
			 struct host_settings *settings,
			 enum spank_context context);
void host_launcher_end(struct host_launcher *launcher,
		       const struct host_settings *settings);
void host_job_script(const struct host_settings *settings,
		     enum host_hook hook);
/* Wait for a process of the host; report it unless it succeeded. */
void host_reap(pid_t pid, const char *what,
	       const struct host_settings *settings);

/* settings.c: on errors exits with 2 and a line of help. */
void host_settings_parse(struct host_settings *settings, int argc,
			 char **argv);

#endif
