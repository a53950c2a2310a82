/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The releases of Slurm that the fake host can play, and their differences for
 * a plugin.  spank_get_item() itself is the same in all of them.
 */
#include <stdio.h>
#include <string.h>

#include "test/spank/host.h"

#define RELEASE_MASK 0xffff00u
#define MIB ((size_t)1 << 20)

/* 25.11 and before name the job's cgroup by id, 26.05 by SLUID. */
static const struct host_release releases[] = {
	{
		.name = "22.05",
		.version = SLURM_VERSION_NUM(22, 5, 8),
		.text = "22.05.8",
		.is_option_given_twice = true,
	},
	{
		.name = "23.02",
		.version = SLURM_VERSION_NUM(23, 2, 8),
		.text = "23.02.8",
		.is_option_given_twice = true,
	},
	{
		.name = "23.11",
		.version = SLURM_VERSION_NUM(23, 11, 10),
		.text = "23.11.10",
		.is_option_given_twice = true,
		.has_prepend_task_argv = true,
		.is_task_dir_global = true,
		.is_export_none_kept = true,
	},
	{
		.name = "24.05",
		.version = SLURM_VERSION_NUM(24, 5, 0),
		.text = "24.05.0",
		.has_contain_spank = true,
		.has_prepend_task_argv = true,
		.is_task_dir_global = true,
		.is_export_none_kept = true,
		.stack_bytes = 1 * MIB,
	},
	{
		.name = "24.11",
		.version = SLURM_VERSION_NUM(24, 11, 5),
		.text = "24.11.5",
		.has_contain_spank = true,
		.has_prepend_task_argv = true,
		.is_task_dir_global = true,
		.is_export_none_kept = true,
		.stack_bytes = 1 * MIB,
	},
	{
		.name = "25.05",
		.version = SLURM_VERSION_NUM(25, 5, 8),
		.text = "25.05.8",
		.has_contain_spank = true,
		.has_prepend_task_argv = true,
		.is_task_dir_global = true,
		.is_export_none_kept = true,
		.stack_bytes = 8 * MIB,
	},
	{
		.name = "25.11",
		.version = SLURM_VERSION_NUM(25, 11, 7),
		.text = "25.11.7",
		.has_contain_spank = true,
		.has_prepend_task_argv = true,
		.is_task_dir_global = true,
		.is_export_none_kept = true,
		.stack_bytes = 8 * MIB,
	},
	{
		.name = "26.05",
		.version = SLURM_VERSION_NUM(26, 5, 3),
		.text = "26.05.3",
		.has_contain_spank = true,
		.has_prepend_task_argv = true,
		.is_job_dir_sluid = true,
		.is_task_dir_global = true,
		.is_export_none_kept = true,
		.stack_bytes = 8 * MIB,
	},
};

#define NRELEASES (sizeof(releases) / sizeof(releases[0]))

const struct host_release *host_release_find(const char *name)
{
	for (size_t i = 0; i < NRELEASES; i++) {
		if (strcmp(releases[i].name, name) == 0)
			return &releases[i];
	}
	return NULL;
}

/* The loader's rule for type "spank": major and minor, not micro. */
const struct host_release *host_release_of(uint32_t version)
{
	for (size_t i = 0; i < NRELEASES; i++) {
		if ((releases[i].version & RELEASE_MASK) ==
		    (version & RELEASE_MASK))
			return &releases[i];
	}
	return NULL;
}

void host_release_list(void)
{
	for (size_t i = 0; i < NRELEASES; i++)
		puts(releases[i].name);
}
