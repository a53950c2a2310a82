/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Grouping of runs by job.  Pure: maps the names of a run to the name of its
 * group, by the site's rules or the following ones.
 *
 * Without a rule, a group is a user and the job's name without parts that
 * differ between runs: tags of workflow tasks, numbers, dates and hashes.  To a
 * meaningless name ("wrap", "run.sh", a UUID) the main programs are added.  A
 * step belongs to its job's group and its program.
 */
#ifndef SW_ANALYZER_JOB_GROUP_H
#define SW_ANALYZER_JOB_GROUP_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

enum { SW_JOB_GROUP_SIZE = 256 };

/* Names of a run; NULL and "" are unknown. */
struct sw_job_names {
	const char *user, *name, *partition, *cluster;
	const char *comment;	/* workflow systems put the rule here */
	const char *process;	/* of a workflow, if known */
	const char *programs;	/* "bwa+samtools": sw_job_group_programs() */
	const char *step;	/* "" for the whole job */
	const char *step_program;
};

/*
 * A rule of the site: jobs whose name (and partition) match are in the group
 * given by the template, with {user} {name} (folded) {raw_name} {partition}
 * {cluster} {programs}, and {0} to {9} for the pattern's n-th subexpression.
 */
struct sw_group_rule {
	regex_t name;
	char *partition;	/* exact; NULL: any */
	char *group;
};

struct sw_group_rules {
	struct sw_group_rule *items;	/* the first match counts */
	size_t count;
};

/* label: the group without its user. */
struct sw_job_group {
	char group[SW_JOB_GROUP_SIZE], label[SW_JOB_GROUP_SIZE];
};

/* rules may be NULL. */
void sw_job_group_find(struct sw_job_group *result,
		       const struct sw_group_rules *rules,
		       const struct sw_job_names *names);

/* The unfolded name that best describes the run; never NULL. */
const char *sw_job_names_main(const struct sw_job_names *names);

/* "align_sample_0042" -> "align_sample_#"; returns buf. */
char *sw_fold_name(char *buf, size_t size, const char *name);

/*
 * "alice/kmers_s7" -> "alice/kmers_s*": equal for groups of a user that may be
 * samples of the same work, family.c.  False if nothing suggests that.
 */
bool sw_family_name(char *buf, size_t size, const char *group);

/* True if a rule of the site determines the job's group. */
bool sw_group_rules_apply(const struct sw_group_rules *rules, const char *name,
			  const char *partition);

/* Length of "8-4-4-4-12" hexadecimal digits not followed by a letter, or 0. */
size_t sw_uuid_length(const char *text);

/*
 * List the main programs of a job: names[i] used cpu[i], in any order; shells
 * and small ones are left out.  Return buf.
 */
char *sw_job_group_programs(char *buf, size_t size, const char *const *names,
			    const double *cpu, size_t count);

/* Parse a rule of the settings.  Return 0, or -1 with *error. */
int sw_group_rule_init(struct sw_group_rule *rule, const char *name,
		       const char *partition, const char *group,
		       struct sw_error *error);
void sw_group_rules_fini(struct sw_group_rules *rules);

#endif
