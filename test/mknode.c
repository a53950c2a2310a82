/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mknode PROFILE NODE [job=N] [array=N_M] [het=N+M] [restart=N] [uid=N]
 * [nodes=N] [tasks=N] [later=N] [exit=N] [signal=N] [limit=N] [oom=STEP]
 * [only=STEP,...]: generate the profile of a node of a Slurm job
 * (test/node_profile.h), N seconds later; NODE counts from 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/jobid.h"
#include "test/node_profile.h"

static int set(struct node_profile *node, const char *word)
{
	const char *value = strchr(word, '=');
	struct sw_jobid id;

	if (value && !strncmp(word, "only=", 5)) {
		node->only = value + 1;
		return 0;
	}
	if (value && !strncmp(word, "oom=", 4)) {
		node->oom_step = value + 1;
		return 0;
	}
	if (!value || sw_jobid_parse(value + 1, &id) < 0)
		return -1;
	if (!strncmp(word, "job=", 4)) {
		node->job_id = id.job;
	} else if (!strncmp(word, "array=", 6)) {
		node->array_job_id = id.job;
		node->array_task_id = id.array_task;
	} else if (!strncmp(word, "het=", 4)) {
		node->het_job_id = id.job;
		node->het_component = id.het_component;
	} else if (!strncmp(word, "restart=", 8)) {
		node->restart_count = id.job;
	} else if (!strncmp(word, "uid=", 4)) {
		node->uid = id.job;
	} else if (!strncmp(word, "nodes=", 6)) {
		node->node_count = (unsigned)id.job;
	} else if (!strncmp(word, "tasks=", 6)) {
		node->task_count = id.job;
	} else if (!strncmp(word, "exit=", 5)) {
		node->exit_code = id.job;
	} else if (!strncmp(word, "signal=", 7)) {
		node->signal = id.job;
	} else if (!strncmp(word, "limit=", 6)) {
		node->limit_seconds = id.job;
	} else if (!strncmp(word, "later=", 6)) {
		node->later_seconds = id.job;
	} else {
		return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct node_profile node;
	struct sw_error error;
	int i;

	if (argc < 3 || atoi(argv[2]) < 1) {
		fputs("usage: mknode PROFILE NODE [WORD=NUMBER]...\n", stderr);
		return 2;
	}
	node = node_profile_of(123, (unsigned)atoi(argv[2]) - 1);
	for (i = 3; i < argc; i++) {
		if (set(&node, argv[i]) < 0) {
			fprintf(stderr, "mknode: bad word \"%s\"\n", argv[i]);
			return 2;
		}
	}
	if (node_profile_write(&node, argv[1], true, &error) < 0) {
		fprintf(stderr, "mknode: %s\n", error.text);
		return 1;
	}
	return 0;
}
