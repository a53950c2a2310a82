/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The states of jobs that have ended, by sacct's letters. */
#include "slurmdb/states.h"

#include <stdio.h>
#include <string.h>

#include "slurmdb/slurm_calls.h"

static struct {
	const char *letters;
	unsigned number;
	char text[12];		/* as text for slurmdbd */
} states[] = {
	{ "BF", JOB_BOOT_FAIL, "" }, { "CA", JOB_CANCELLED, "" },
	{ "CD", JOB_COMPLETE, "" }, { "DL", JOB_DEADLINE, "" },
	{ "F", JOB_FAILED, "" }, { "NF", JOB_NODE_FAIL, "" },
	{ "OOM", JOB_OOM, "" }, { "PR", JOB_PREEMPTED, "" },
	{ "RQ", JOB_REQUEUE, "" }, { "RS", JOB_RESIZING, "" },
	{ "RV", JOB_REVOKED, "" }, { "TO", JOB_TIMEOUT, "" },
};

static char *number_of(const char *letters, size_t length)
{
	size_t i;

	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (strlen(states[i].letters) != length ||
		    strncmp(states[i].letters, letters, length) != 0)
			continue;
		snprintf(states[i].text, sizeof(states[i].text), "%u",
			 states[i].number);
		return states[i].text;
	}
	return NULL;
}

void *sw_slurmdb_states_read(const char *text)
{
	void *list = slurm_list_create(NULL);
	size_t length;
	char *number;

	for (;; text += length + 1) {
		length = strcspn(text, ",");
		number = number_of(text, length);
		if (!number) {
			slurm_list_destroy(list);
			return NULL;
		}
		slurm_list_append(list, number);
		if (text[length] == '\0')
			return list;
	}
}
