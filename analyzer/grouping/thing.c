/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tag of a task, an array index, or the part of a name that is folded. */
#include "analyzer/grouping/thing.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/grouping/job_group.h"
#include "common/jobid.h"
#include "common/missing.h"

static void put(struct sw_thing *thing, const char *key, const char *what,
		const char *text, size_t length)
{
	snprintf(thing->key, sizeof(thing->key), "%s\n%.*s", key, (int)length,
		 text);
	snprintf(thing->name, sizeof(thing->name), "%.*s", (int)length, text);
	thing->what = what;
}

static bool is_number(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (!isdigit((unsigned char)text[i]))
			return false;
	}
	return true;
}

/*
 * "align (S7)", "nf-align_(S7)".  Without a tag, Nextflow numbers the tasks of
 * a process: a number only means something in its own run.
 */
static bool find_tag(struct sw_thing *thing, const char *name, const char *key)
{
	const char *open = strchr(name, '('), *end = name + strlen(name);

	if (!open || open == name ||
	    (open[-1] != ' ' &&
	     (open[-1] != '_' || strncmp(name, "nf-", 3) != 0)))
		return false;
	/* Truncated tags could be equal by accident. */
	if (end[-1] != ')' || end - open < 3)
		return true;
	open++;
	end--;
	if (!is_number(open, (size_t)(end - open)))
		put(thing, "", "sample", open, (size_t)(end - open));
	else if (key)
		put(thing, key, "task", open, (size_t)(end - open));
	return true;
}

/* "rule_align_wildcards_S7" */
static bool find_wildcards(struct sw_thing *thing, const char *name)
{
	static const char mark[] = "_wildcards_";
	const char *at = strstr(name, mark);

	if (strncmp(name, "rule_", 5) != 0 || !at || !at[sizeof(mark) - 1])
		return false;
	at += sizeof(mark) - 1;
	put(thing, "", "sample", at, strlen(at));
	return true;
}

static bool find_element(struct sw_thing *thing, const char *name,
			 const char *job)
{
	struct sw_jobid id;
	char text[32];

	if (sw_jobid_parse(job, &id) < 0 || sw_is_missing(id.array_task))
		return false;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)id.array_task);
	put(thing, name, "array index", text, strlen(text));
	return true;
}

/*
 * "align_0042".  A name that is nothing but a number names a run, and the
 * number of a Snakemake job is drawn anew for each.
 */
static void find_name(struct sw_thing *thing, const char *name)
{
	char folded[SW_JOB_GROUP_SIZE];

	sw_fold_name(folded, sizeof(folded), name);
	if (!strcmp(folded, name) || !strcmp(folded, "#") ||
	    !strncmp(name, "snakejob.", 9))
		return;
	put(thing, "", "job name", name, strlen(name));
}

void sw_thing_find(struct sw_thing *thing, const char *name, const char *job,
		   const char *task)
{
	thing->key[0] = thing->name[0] = '\0';
	thing->what = "";
	if (find_tag(thing, task, task) || find_tag(thing, name, NULL) ||
	    find_wildcards(thing, name) || find_element(thing, name, job))
		return;
	find_name(thing, name);
}
