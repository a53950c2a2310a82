/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The job: LSB_JOBID, LSB_JOBINDEX, LSB_JOBNAME and the hosts. */
#include "contrib/lsf/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 256, SLOTS_MAX = 1000000 };

static uint64_t get_number(const char *name)
{
	const char *text = getenv(name);
	struct sw_jobid id;

	if (!text || text[strspn(text, "0123456789")] ||
	    sw_jobid_parse(text, &id) < 0)
		return SW_MISSING;
	return id.job;
}

/* Read up to the next space and move *at past it.  Return false at the end. */
static bool take_word(const char **at, char *word)
{
	size_t length;

	*at += strspn(*at, " ");
	length = strcspn(*at, " ");
	snprintf(word, NAME_SIZE, "%.*s", (int)length, *at);
	*at += length;
	return length > 0;
}

/* Treat "n1" and "n1.site.org" as the same host. */
static bool is_same_host(const char *one, const char *two)
{
	size_t length = strcspn(one, ".");

	return length == strcspn(two, ".") && !strncmp(one, two, length);
}

struct hosts {
	uint64_t count, first_slots, slots;	/* slots: of this host */
	bool is_first;
};

/* Parse LSB_MCPU_HOSTS: "n1 4 n2 4". */
static void read_pairs(struct hosts *hosts, const char *text,
		       const char *this_host)
{
	char name[NAME_SIZE], number[NAME_SIZE];
	long slots;

	while (take_word(&text, name) && take_word(&text, number)) {
		slots = strtol(number, NULL, 10);
		if (slots < 1 || slots > SLOTS_MAX)
			slots = 0;
		if (hosts->count++ == 0)
			hosts->first_slots = (uint64_t)slots;
		if (!is_same_host(name, this_host))
			continue;
		hosts->slots = (uint64_t)slots;
		hosts->is_first |= hosts->count == 1;
	}
}

/* Parse LSB_HOSTS: "n1 n1 n2", a word per slot, grouped by host. */
static void read_words(struct hosts *hosts, const char *text,
		       const char *this_host)
{
	char name[NAME_SIZE], last[NAME_SIZE] = "";

	while (take_word(&text, name)) {
		hosts->count += strcmp(name, last) != 0;
		hosts->first_slots += hosts->count == 1;
		hosts->slots += is_same_host(name, this_host);
		hosts->is_first |= hosts->count == 1 && hosts->slots > 0;
		strcpy(last, name);
	}
}

static void put_hosts(struct sw_lsf_job *job, const char *this_host)
{
	const char *pairs = getenv("LSB_MCPU_HOSTS");
	const char *words = getenv("LSB_HOSTS");
	struct hosts hosts = { .count = 0 };

	if (pairs)
		read_pairs(&hosts, pairs, this_host);
	if (hosts.count == 0 && words)
		read_words(&hosts, words, this_host);
	job->has_many = hosts.count > 1;
	job->is_first = hosts.is_first;
	/* The job script runs on the first of them. */
	if (hosts.slots == 0)
		hosts.slots = hosts.first_slots;
	if (hosts.count > 0)
		snprintf(job->hosts, sizeof(job->hosts), "%" PRIu64,
			 hosts.count);
	if (hosts.slots > 0)
		snprintf(job->slots, sizeof(job->slots), "%" PRIu64,
			 hosts.slots);
}

bool sw_lsf_job_read(struct sw_lsf_job *job, const char *this_host)
{
	struct sw_jobid id = {
		.job = get_number("LSB_JOBID"),
		.array_task = get_number("LSB_JOBINDEX"),
		.het_component = SW_MISSING,
	};

	memset(job, 0, sizeof(*job));
	/* Index 0 means no array. */
	if (id.array_task == 0)
		id.array_task = SW_MISSING;
	if (sw_is_missing(id.job) || id.job == 0)
		return false;
	sw_jobid_format(job->id, sizeof(job->id), &id);
	snprintf(job->number, sizeof(job->number), "%" PRIu64, id.job);
	snprintf(job->index, sizeof(job->index), "%" PRIu64,
		 sw_zero_if_missing(id.array_task));
	job->name = getenv("LSB_JOBNAME");
	put_hosts(job, this_host);
	return true;
}
