/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Key that identifies the task of several attempts. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/retries/lineage.h"

enum { KEY_PARTS = 6, ELEMENT_SIZE = 64 };

static size_t hex_digits(const char *text)
{
	size_t count;

	for (count = 0; isxdigit((unsigned char)text[count]); count++)
		;
	return count;
}

size_t sw_lineage_folder_size(const char *name, const char *folder)
{
	size_t size = strlen(folder), tail = 2 + 1 + 30;

	if (strncmp(name, "nf-", 3) != 0 || size < tail + 1 ||
	    folder[size - tail - 1] != '/' ||
	    hex_digits(folder + size - tail) != 2 ||
	    folder[size - tail + 2] != '/' ||
	    hex_digits(folder + size - 30) != 30)
		return size;
	return size - tail - 1;
}

/* "3" in an array, "+1" in a heterogeneous job, "" for its first component. */
static void element_of(char buf[ELEMENT_SIZE], const struct sw_job_record *job)
{
	buf[0] = '\0';
	if (!sw_is_missing(job->key.array_task_id))
		snprintf(buf, ELEMENT_SIZE, "%llu",
			 (unsigned long long)job->key.array_task_id);
	else if (!sw_is_missing(job->key.het_component) &&
		 job->key.het_component > 0)
		snprintf(buf, ELEMENT_SIZE, "+%llu",
			 (unsigned long long)job->key.het_component);
}

static char *put(char *to, const char *text, size_t size)
{
	memcpy(to, text, size);
	to[size] = '\0';
	return to + size + 1;
}

char *sw_lineage_key(const struct sw_job_record *job, size_t *size)
{
	size_t folder = sw_lineage_folder_size(job->name, job->work_dir), i;
	char element[ELEMENT_SIZE], uid[ELEMENT_SIZE], *key, *to;
	const char *parts[KEY_PARTS] = {
		job->cluster, job->user,    job->work_dir,
		job->name,    job->comment, element,
	};

	snprintf(uid, sizeof(uid), "%llu", (unsigned long long)job->key.uid);
	if (!*job->user)
		parts[1] = uid;
	element_of(element, job);
	*size = KEY_PARTS;
	for (i = 0; i < KEY_PARTS; i++)
		*size += strlen(parts[i]);
	to = key = malloc(*size);
	if (!key)
		return NULL;
	for (i = 0; i < KEY_PARTS; i++)
		to = put(to, parts[i],
			 parts[i] == job->work_dir ? folder : strlen(parts[i]));
	*size = (size_t)(to - key);
	return key;
}

static bool is_key(const char *key, size_t size)
{
	size_t i, ends = 0;

	for (i = 0; i < size; i++)
		ends += key[i] == '\0';
	return ends == KEY_PARTS && key[size - 1] == '\0';
}

struct sw_lineage *sw_lineage_new(const char *key, size_t size)
{
	if (!is_key(key, size)) {
		errno = EINVAL;
		return NULL;
	}
	return sw_keyed_new(key, size, sizeof(struct sw_lineage),
			    offsetof(struct sw_lineage, key));
}

static const char *next(const char *text)
{
	return text + strlen(text) + 1;
}

struct sw_lineage_names sw_lineage_names(const struct sw_lineage *lineage)
{
	struct sw_lineage_names names = { .cluster = lineage->key };

	names.user = next(names.cluster);
	names.folder = next(names.user);
	names.name = next(names.folder);
	names.comment = next(names.name);
	names.element = next(names.comment);
	return names;
}

void sw_lineage_free(struct sw_lineage *lineage)
{
	size_t i;

	for (i = 0; i < lineage->count; i++)
		free(lineage->attempts[i]);
	free(lineage->attempts);
	free(lineage);
}
