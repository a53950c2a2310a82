/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes two runs the same work.  Pure: from what a run is called to the
 * name of its group, by rules of the site or the ones below.
 *
 * Without a rule it is who ran it and the job's name without what differs from
 * run to run: tags of workflow tasks, numbers, dates and hashes.  A name that
 * says nothing ("wrap", "run.sh", a UUID) has the programs that worked beside
 * it.  A step is its job's group and its program.
 */
#ifndef SW_ANALYZER_WORK_H
#define SW_ANALYZER_WORK_H

#include <regex.h>
#include <stddef.h>

#include "common/error.h"

enum { SW_WORK_SIZE = 256 };

/* What is known of a run; NULL and "" are "not known". */
struct sw_work {
	const char *user, *name, *partition, *cluster;
	const char *comment;	/* workflow systems put the rule there */
	const char *process;	/* of a workflow, known as such */
	const char *programs;	/* "bwa+samtools": sw_work_programs() */
	const char *step;	/* "": the whole job */
	const char *step_program;
};

/*
 * A rule of the site: jobs whose name (and partition) match are of the group
 * that the template gives.  In it stand {user} {name} (folded) {raw_name}
 * {partition} {cluster} {programs}, and {0} to {9}, what the n-th parenthesis
 * of the pattern matched.
 */
struct sw_work_rule {
	regex_t name;
	char *partition;	/* exactly; NULL: any */
	char *group;
};

struct sw_work_rules {
	struct sw_work_rule *items;	/* the first that matches holds */
	size_t count;
};

/* group, and label: the same without whose it is; each of SW_WORK_SIZE. */
struct sw_work_group {
	char group[SW_WORK_SIZE], label[SW_WORK_SIZE];
};

/* rules may be NULL. */
void sw_work_group(struct sw_work_group *result,
		   const struct sw_work_rules *rules,
		   const struct sw_work *work);

/* The one of the names, not folded, that says what the run is; never NULL. */
const char *sw_work_name(const struct sw_work *work);

/* "align_sample_0042" -> "align_sample_#"; returns buf. */
char *sw_work_fold(char *buf, size_t size, const char *name);

/*
 * The programs that stand for a work: names[i] used cpu[i], any order; shells
 * and what is small are left out.  Returns buf.
 */
char *sw_work_programs(char *buf, size_t size, const char *const *names,
		       const double *cpu, size_t count);

/* A rule from the settings.  0, or -1 with what is wrong in *error. */
int sw_work_rule_init(struct sw_work_rule *rule, const char *name,
		      const char *partition, const char *group,
		      struct sw_error *error);
void sw_work_rules_fini(struct sw_work_rules *rules);

#endif
