/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dialects, and what they share. */
#include <string.h>

#include "analyzer/dialect.h"

const struct sw_dialect *const sw_dialects[] = {
	&sw_dialect_sbatch,   &sw_dialect_srun,	     &sw_dialect_lsf,
	&sw_dialect_nextflow, &sw_dialect_snakemake, NULL,
};

const struct sw_dialect *sw_dialect_find(const char *name)
{
	const struct sw_dialect *const *dialect;

	for (dialect = sw_dialects; *dialect; dialect++) {
		if (!strcmp((*dialect)->name, name))
			return *dialect;
	}
	return NULL;
}

const char *sw_resource_word(enum sw_resource resource)
{
	static const char *const words[] = {
		[SW_RESOURCE_MEMORY] = "memory", [SW_RESOURCE_TIME] = "time",
		[SW_RESOURCE_CORES] = "CPUs", [SW_RESOURCE_GPUS] = "GPUs",
		[SW_RESOURCE_TASKS] = "tasks", [SW_RESOURCE_NODES] = "nodes",
	};

	return words[resource];
}

const char *sw_work_of_group(const char *group)
{
	static const char *const prefixes[] = { "nf-", "snakejob.", "rule_" };
	const char *slash = strchr(group, '/');
	const char *name = slash && slash[1] ? slash + 1 : group;
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t length = strlen(prefixes[i]);

		if (!strncmp(name, prefixes[i], length) && name[length])
			return name + length;
	}
	return name;
}
