/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes two runs one job group.  Pure: from what a run is called to the
 * name of its group, by rules of the site or the ones below.
 *
 * Without a rule it is who ran it and the job's name without what differs from
 * run to run: tags of workflow tasks, numbers, dates and hashes.  A name that
 * says nothing ("wrap", "run.sh", a UUID) has the programs that worked beside
 * it.  A step is its job's group and its program.
 */
#ifndef SW_ANALYZER_JOB_GROUP_H
#define SW_ANALYZER_JOB_GROUP_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

enum { SW_JOB_GROUP_SIZE = 256 };

/* What is known of a run; NULL and "" are "not known". */
struct sw_job_names {
	const char *user, *name, *partition, *cluster;
	const char *comment;	/* workflow systems put the rule there */
	const char *process;	/* of a workflow, known as such */
	const char *programs;	/* "bwa+samtools": sw_job_group_programs() */
	const char *step;	/* "": the whole job */
	const char *step_program;
};

/*
 * A rule of the site: jobs whose name (and partition) match are of the group
 * that the template gives.  In it stand {user} {name} (folded) {raw_name}
 * {partition} {cluster} {programs}, and {0} to {9}, what the n-th parenthesis
 * of the pattern matched.
 */
struct sw_group_rule {
	regex_t name;
	char *partition;	/* exactly; NULL: any */
	char *group;
};

struct sw_group_rules {
	struct sw_group_rule *items;	/* the first that matches holds */
	size_t count;
};

/* group, and label: the same without whose it is; each of SW_JOB_GROUP_SIZE. */
struct sw_job_group {
	char group[SW_JOB_GROUP_SIZE], label[SW_JOB_GROUP_SIZE];
};

/* rules may be NULL. */
void sw_job_group_find(struct sw_job_group *result,
		       const struct sw_group_rules *rules,
		       const struct sw_job_names *names);

/* The one of the names, not folded, that says what the run is; never NULL. */
const char *sw_job_names_main(const struct sw_job_names *names);

/* "align_sample_0042" -> "align_sample_#"; returns buf. */
char *sw_fold_name(char *buf, size_t size, const char *name);

/*
 * "alice/kmers_s7" -> "alice/kmers_s*": the same for groups of one user that
 * may be samples of the same work, family.c.  false: nothing in it says so.
 */
bool sw_family_name(char *buf, size_t size, const char *group);

/* Whether a rule of the site says what group the job is of. */
bool sw_group_rules_apply(const struct sw_group_rules *rules, const char *name,
			  const char *partition);

/* "8-4-4-4-12" hexadecimal digits and no letter behind; 0: it is none. */
size_t sw_uuid_length(const char *text);

/*
 * The programs that stand for a job: names[i] used cpu[i], any order; shells
 * and what is small are left out.  Returns buf.
 */
char *sw_job_group_programs(char *buf, size_t size, const char *const *names,
			    const double *cpu, size_t count);

/* A rule from the settings.  0, or -1 with what is wrong in *error. */
int sw_group_rule_init(struct sw_group_rule *rule, const char *name,
		       const char *partition, const char *group,
		       struct sw_error *error);
void sw_group_rules_fini(struct sw_group_rules *rules);

#endif
