/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row per engine; our own comment takes precedence over all of them. */
#include "analyzer/grouping/workflow.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/grouping/job_group.h"
#include "analyzer/retries/lineage.h"

struct job {
	const char *name, *comment, *folder;
};

static void put(char buf[SW_WORKFLOW_SIZE], const char *text, size_t length)
{
	snprintf(buf, SW_WORKFLOW_SIZE, "%.*s",
		 (int)(length < SW_WORKFLOW_SIZE ? length : SW_WORKFLOW_SIZE),
		 text);
}

/* A meaningless folder is ignored. */
static void put_folder(struct sw_workflow *workflow, const char *folder,
		       size_t length)
{
	while (length > 1 && folder[length - 1] == '/')
		length--;
	if (length > 1 && folder[0] == '/')
		put(workflow->pipeline, folder, length);
}

static void put_own_folder(struct sw_workflow *workflow, const struct job *job)
{
	put_folder(workflow, job->folder, strlen(job->folder));
}

/* "stepwell:PIPELINE:RUN", with anything after a further ":". */
static bool find_comment(struct sw_workflow *workflow, const struct job *job)
{
	static const char mark[] = "stepwell:";
	const char *at = job->comment + sizeof(mark) - 1;
	size_t length;

	if (strncmp(job->comment, mark, sizeof(mark) - 1) != 0)
		return false;
	length = strcspn(at, ":");
	put(workflow->pipeline, at, length);
	at += length;
	if (*at == ':')
		put(workflow->run, at + 1, strcspn(at + 1, ":"));
	return true;
}

/* "nf-NFCORE_RNASEQ_...": names of nf-core pipelines are letters. */
static void put_nf_core(struct sw_workflow *workflow, const char *name)
{
	size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), i;
	char *end = workflow->pipeline;

	if (!length || length > 64 || name[length] != '_')
		return;
	end += sprintf(end, "nf-core/");
	for (i = 0; i < length; i++)
		*end++ = (char)tolower((unsigned char)name[i]);
	*end = '\0';
}

/* Nextflow's jobs do not name the run. */
static bool find_nextflow(struct sw_workflow *workflow, const struct job *job)
{
	static const char nf_core[] = "nf-NFCORE_", work[] = "/work";
	size_t length = sw_lineage_folder_size(job->name, job->folder);
	size_t tail = sizeof(work) - 1;

	if (strncmp(job->name, "nf-", 3) != 0)
		return false;
	if (!strncmp(job->name, nf_core, sizeof(nf_core) - 1))
		put_nf_core(workflow, job->name + sizeof(nf_core) - 1);
	if (length > tail && !strncmp(job->folder + length - tail, work, tail))
		length -= tail;
	if (!*workflow->pipeline)
		put_folder(workflow, job->folder, length);
	return true;
}

/* Since version 8, job names are the run: they end with a UUID. */
static bool find_snakemake(struct sw_workflow *workflow, const struct job *job)
{
	enum { UUID_LENGTH = 36 };
	size_t length = strlen(job->name);

	if (!strncmp(job->name, "snakejob.", 9)) {
		put_own_folder(workflow, job);
		return true;
	}
	if (strncmp(job->comment, "rule_", 5) != 0 || length < UUID_LENGTH ||
	    !sw_uuid_length(job->name + length - UUID_LENGTH))
		return false;
	put_own_folder(workflow, job);
	put(workflow->run, job->name, length);
	return true;
}

/* ".../cromwell-executions/WORKFLOW/UUID/call-..." */
static bool find_cromwell(struct sw_workflow *workflow, const struct job *job)
{
	static const char root[] = "/cromwell-executions/";
	const char *at = strstr(job->folder, root);
	size_t length;

	if (strncmp(job->name, "cromwell_", 9) != 0 || !at)
		return false;
	at += sizeof(root) - 1;
	length = strcspn(at, "/");
	put(workflow->pipeline, at, length);
	at += length;
	if (*at == '/')
		put(workflow->run, at + 1, strcspn(at + 1, "/"));
	return true;
}

/* Jobs are numbered from 1 in each run. */
static bool find_toil(struct sw_workflow *workflow, const struct job *job)
{
	if (strncmp(job->name, "toil_job_", 9) != 0)
		return false;
	put_own_folder(workflow, job);
	return true;
}

void sw_workflow_find(struct sw_workflow *workflow, const char *name,
		      const char *comment, const char *folder)
{
	static bool (*const engines[])(struct sw_workflow *,
				       const struct job *) = {
		find_comment,  find_nextflow, find_snakemake,
		find_cromwell, find_toil,
	};
	const struct job job = { name, comment, folder };
	size_t i;

	workflow->pipeline[0] = workflow->run[0] = '\0';
	for (i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		if (engines[i](workflow, &job))
			return;
	}
}
