/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of sbatch(1). */
#include "analyzer/script/sbatch_options.h"

#include <string.h>

#define NONE SW_SBATCH_NONE
#define REQUIRED SW_SBATCH_REQUIRED
#define OPTIONAL SW_SBATCH_OPTIONAL

static const struct sw_sbatch_option options[] = {
	{ "account", 'A', REQUIRED, SW_SCRIPT_OTHER },
	{ "acctg-freq", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "array", 'a', REQUIRED, SW_SCRIPT_OTHER },
	{ "batch", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "bb", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "bbf", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "begin", 'b', REQUIRED, SW_SCRIPT_OTHER },
	{ "chdir", 'D', REQUIRED, SW_SCRIPT_OTHER },
	{ "cluster", 'M', REQUIRED, SW_SCRIPT_OTHER },
	{ "cluster-constraint", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "clusters", 'M', REQUIRED, SW_SCRIPT_OTHER },
	{ "comment", 0, REQUIRED, SW_SCRIPT_COMMENT },
	{ "consolidate-segments", 0, NONE, SW_SCRIPT_OTHER },
	{ "constraint", 'C', REQUIRED, SW_SCRIPT_OTHER },
	{ "container", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "container-id", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "contiguous", 0, NONE, SW_SCRIPT_OTHER },
	{ "core-spec", 'S', REQUIRED, SW_SCRIPT_OTHER },
	{ "cores-per-socket", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "cpu-freq", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "cpus-per-gpu", 0, REQUIRED, SW_SCRIPT_CPUS_PER_GPU },
	{ "cpus-per-task", 'c', REQUIRED, SW_SCRIPT_CPUS_PER_TASK },
	{ "deadline", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "delay-boot", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "dependency", 'd', REQUIRED, SW_SCRIPT_OTHER },
	{ "distribution", 'm', REQUIRED, SW_SCRIPT_OTHER },
	{ "error", 'e', REQUIRED, SW_SCRIPT_OTHER },
	{ "exclude", 'x', REQUIRED, SW_SCRIPT_OTHER },
	{ "exclusive", 0, OPTIONAL, SW_SCRIPT_EXCLUSIVE },
	{ "export", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "export-file", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "extra", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "extra-node-info", 'B', REQUIRED, SW_SCRIPT_OTHER },
	{ "get-user-env", 0, OPTIONAL, SW_SCRIPT_OTHER },
	{ "gid", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "gpu-bind", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "gpu-freq", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "gpus", 'G', REQUIRED, SW_SCRIPT_GPUS },
	{ "gpus-per-node", 0, REQUIRED, SW_SCRIPT_GPUS_PER_NODE },
	{ "gpus-per-socket", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "gpus-per-task", 0, REQUIRED, SW_SCRIPT_GPUS_PER_TASK },
	{ "gres", 0, REQUIRED, SW_SCRIPT_GRES },
	{ "gres-flags", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "help", 'h', NONE, SW_SCRIPT_OTHER },
	{ "hint", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "hold", 'H', NONE, SW_SCRIPT_OTHER },
	{ "ignore-pbs", 0, NONE, SW_SCRIPT_OTHER },
	{ "input", 'i', REQUIRED, SW_SCRIPT_OTHER },
	{ "job-name", 'J', REQUIRED, SW_SCRIPT_JOB_NAME },
	{ "kill-on-invalid-dep", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "licenses", 'L', REQUIRED, SW_SCRIPT_OTHER },
	{ "mail-type", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "mail-user", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "mcs-label", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "mem", 0, REQUIRED, SW_SCRIPT_MEM },
	{ "mem-bind", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "mem-per-cpu", 0, REQUIRED, SW_SCRIPT_MEM_PER_CPU },
	{ "mem-per-gpu", 0, REQUIRED, SW_SCRIPT_MEM_PER_GPU },
	{ "mincpus", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "network", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "nice", 0, OPTIONAL, SW_SCRIPT_OTHER },
	{ "no-kill", 'k', OPTIONAL, SW_SCRIPT_OTHER },
	{ "no-requeue", 0, NONE, SW_SCRIPT_OTHER },
	{ "nodefile", 'F', REQUIRED, SW_SCRIPT_OTHER },
	{ "nodelist", 'w', REQUIRED, SW_SCRIPT_OTHER },
	{ "nodes", 'N', REQUIRED, SW_SCRIPT_NODES },
	{ "ntasks", 'n', REQUIRED, SW_SCRIPT_NTASKS },
	{ "ntasks-per-core", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "ntasks-per-gpu", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "ntasks-per-node", 0, REQUIRED, SW_SCRIPT_NTASKS_PER_NODE },
	{ "ntasks-per-socket", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "oom-kill-step", 0, OPTIONAL, SW_SCRIPT_OTHER },
	{ "open-mode", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "output", 'o', REQUIRED, SW_SCRIPT_OTHER },
	{ "overcommit", 'O', NONE, SW_SCRIPT_OTHER },
	{ "oversubscribe", 's', NONE, SW_SCRIPT_OTHER },
	{ "parsable", 0, OPTIONAL, SW_SCRIPT_OTHER },
	{ "partition", 'p', REQUIRED, SW_SCRIPT_PARTITION },
	{ "power", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "prefer", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "priority", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "profile", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "propagate", 0, OPTIONAL, SW_SCRIPT_OTHER },
	{ "qos", 'q', REQUIRED, SW_SCRIPT_OTHER },
	{ "quiet", 'Q', NONE, SW_SCRIPT_OTHER },
	{ "reboot", 0, NONE, SW_SCRIPT_OTHER },
	{ "requeue", 0, NONE, SW_SCRIPT_OTHER },
	{ "reservation", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "resv-ports", 0, OPTIONAL, SW_SCRIPT_OTHER },
	{ "segment", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "signal", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "sockets-per-node", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "spread-job", 0, NONE, SW_SCRIPT_OTHER },
	{ "stepmgr", 0, NONE, SW_SCRIPT_OTHER },
	{ "stepwell", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "switches", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "tasks-per-node", 0, REQUIRED, SW_SCRIPT_NTASKS_PER_NODE },
	{ "test-only", 0, NONE, SW_SCRIPT_OTHER },
	{ "thread-spec", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "threads-per-core", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "time", 't', REQUIRED, SW_SCRIPT_TIME },
	{ "time-min", 0, REQUIRED, SW_SCRIPT_TIME_MIN },
	{ "tmp", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "tres-bind", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "tres-per-task", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "uid", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "usage", 0, NONE, SW_SCRIPT_OTHER },
	{ "use-min-nodes", 0, NONE, SW_SCRIPT_OTHER },
	{ "verbose", 'v', NONE, SW_SCRIPT_OTHER },
	{ "version", 'V', NONE, SW_SCRIPT_OTHER },
	{ "wait", 'W', NONE, SW_SCRIPT_OTHER },
	{ "wait-all-nodes", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "wckey", 0, REQUIRED, SW_SCRIPT_OTHER },
	{ "wrap", 0, REQUIRED, SW_SCRIPT_OTHER },
};

enum { COUNT = sizeof(options) / sizeof(options[0]) };

/* True for two names of one option ("--cluster", "--clusters"). */
static bool is_same(const struct sw_sbatch_option *one,
		    const struct sw_sbatch_option *two)
{
	return one->letter && one->letter == two->letter;
}

const struct sw_sbatch_option *sw_sbatch_find(const char *name, size_t length)
{
	const struct sw_sbatch_option *found = NULL;
	bool is_clear = true;
	size_t i;

	for (i = 0; i < COUNT; i++) {
		if (strncmp(options[i].name, name, length) != 0)
			continue;
		if (strlen(options[i].name) == length)
			return &options[i];
		is_clear = is_clear && (!found || is_same(found, &options[i]));
		found = &options[i];
	}
	return is_clear ? found : NULL;
}

const struct sw_sbatch_option *sw_sbatch_find_letter(char letter)
{
	size_t i;

	for (i = 0; i < COUNT; i++) {
		if (letter && options[i].letter == letter)
			return &options[i];
	}
	return NULL;
}
