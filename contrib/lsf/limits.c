/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF passes neither -M nor -W to a job.  LSB_EFFECTIVE_RSRCREQ has its
 * reservation, in a unit that lsf.conf may set.  The limit of the job's cgroup
 * is a multiple of -M.
 */
#include "contrib/lsf/limits.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/lsf_memory.h"
#include "common/slurm_conf.h"
#include "common/text.h"
#include "common/units.h"
#include "contrib/lsf/process.h"

enum { CGROUP_SIZE = 8192 };

/* Read LSF_UNIT_FOR_LIMITS of lsf.conf ("KEY=VALUE", as in slurm.conf). */
static uint64_t read_unit(char *word, size_t size)
{
	const char *folder = getenv("LSF_ENVDIR");
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/lsf.conf", folder ? folder : "/etc");
	sw_slurm_conf_here(path, "LSF_UNIT_FOR_LIMITS", word, size);
	return sw_lsf_unit_bytes(word);
}

static uint64_t on_this_host(const struct sw_lsf_memory *memory,
			     const struct sw_lsf_job *job)
{
	uint64_t slots = strtoull(job->slots, NULL, 10);
	uint64_t hosts = strtoull(job->hosts, NULL, 10), bytes;

	if (memory->per == SW_LSF_PER_TASK)
		return !slots || __builtin_mul_overflow(memory->bytes, slots,
							&bytes)
			       ? 0
			       : bytes;
	if (memory->per == SW_LSF_PER_JOB)
		return hosts ? memory->bytes / hosts : 0;
	return memory->bytes;
}

static void note_request(struct sw_lsf_limits *limits,
			 const struct sw_lsf_memory *memory, const char *unit)
{
	char *note = limits->note;

	sw_text_add(note, sizeof(limits->note),
		    "The memory request is that "
		    "of rusage[mem]");
	if (!memory->has_unit)
		sw_text_add(note, sizeof(limits->note),
			    ", a number without a "
			    "unit, taken as %s (LSF_UNIT_FOR_LIMITS was %s in "
			    "lsf.conf)",
			    *unit ? unit : "MB", *unit ? "found" : "not found");
	if (memory->per == SW_LSF_PER_SITE)
		sw_text_add(note, sizeof(limits->note),
			    ", for each host "
			    "(RESOURCE_RESERVE_PER_TASK may say otherwise)");
	sw_text_add(note, sizeof(limits->note), ".");
}

static void put_request(struct sw_lsf_limits *limits,
			const struct sw_lsf_job *job)
{
	const char *text = getenv("LSB_EFFECTIVE_RSRCREQ");
	char word[8] = "";
	uint64_t unit = text ? read_unit(word, sizeof(word)) : 0, bytes;
	struct sw_lsf_memory memory;

	if (!text)
		return;
	memory = sw_lsf_memory_read(text, unit ? unit : SW_LSF_UNIT_DEFAULT);
	bytes = sw_is_missing(memory.bytes) ? 0 : on_this_host(&memory, job);
	if (bytes < SW_KIB)
		return;
	snprintf(limits->memory, sizeof(limits->memory), "%" PRIu64 "K",
		 bytes / SW_KIB);
	note_request(limits, &memory, unit ? word : "");
}

/* Return true if LSF has set the limits of this cgroup. */
static bool is_in_cgroup(const struct sw_lsf_job *job)
{
	char text[CGROUP_SIZE], wanted[48], *lsf;

	snprintf(wanted, sizeof(wanted), "/job.%s.", job->number);
	sw_lsf_process_file(getpid(), "cgroup", text, sizeof(text));
	lsf = strstr(text, "/lsf/");
	return lsf && strstr(lsf, wanted);
}

static void note_cgroup(struct sw_lsf_limits *limits,
			const struct sw_lsf_job *job)
{
	uint64_t slots = strtoull(job->slots, NULL, 10);

	if (slots < 2 || !is_in_cgroup(job))
		return;
	sw_text_add(limits->note, sizeof(limits->note),
		    "%sA memory limit of "
		    "LSF's cgroup is -M times the %" PRIu64 " slots on this "
		    "host, unless bsub -hl was given.",
		    *limits->note ? " " : "", slots);
}

void sw_lsf_limits_read(struct sw_lsf_limits *limits,
			const struct sw_lsf_job *job)
{
	memset(limits, 0, sizeof(*limits));
	put_request(limits, job);
	note_cgroup(limits, job);
}
