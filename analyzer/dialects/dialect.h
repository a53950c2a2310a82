/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract for dialects: what to request next time in the words of a
 * scheduler or workflow system.  A dialect is one file (dialect_*.c) and its
 * name in ANALYZER_DIALECTS of Makefile.inc.
 */
#ifndef SW_ANALYZER_DIALECT_H
#define SW_ANALYZER_DIALECT_H

#include <stdio.h>

#include "analyzer/grouping/job_group.h"
#include "analyzer/requests/request.h"

enum { SW_DIALECT_ITEM_SIZE = 512, SW_DIALECT_NAMES_SIZE = 256 };

struct sw_dialect {
	const char *name;	/* the word behind --dialect */
	const char *manual;	/* for stepwell-suggest(1): sentences */
	const char *comment;	/* that begins a line of words, "# " */
	const char *prefix;	/* that begins the line of an item */
	/*
	 * What asks for one resource, without prefix and newline; "" where
	 * the dialect has no word for it.  attempt is from 1.  It is asked of
	 * only what is not withheld.  Returns buf, of SW_DIALECT_ITEM_SIZE.
	 */
	char *(*item)(char *buf, const struct sw_request *request,
		      enum sw_resource resource, size_t attempt);
	/*
	 * All changes at once, as whole lines; NULL: the items are lines of
	 * their own.  name is that of the work, and hostile.
	 */
	void (*write)(FILE *out, const struct sw_request *request,
		      const char *name);
	/* What had to be taken for granted of what changes; "" or sentences. */
	const char *(*assumes)(const struct sw_request *request);
	bool has_retries;	/* the items hold what follows a failure */
};

/* All dialects, NULL-terminated; the first is the default. */
extern const struct sw_dialect *const sw_dialects[];
const struct sw_dialect *sw_dialect_find(const char *name);

/* "sbatch, srun, lsf"; returns buf, of SW_DIALECT_NAMES_SIZE. */
char *sw_dialect_names(char *buf);

/* That of the scheduler whose records the settings name. */
const struct sw_dialect *sw_dialect_of_site(const struct sw_settings *settings);

/* That of the scheduler which the newest run was of, as far as is known. */
const struct sw_dialect *sw_dialect_of(const struct sw_advice *advice);

#define DIALECT(name) extern const struct sw_dialect sw_dialect_##name;
#include "analyzer/dialects/dialect_list.h"
#undef DIALECT

/* Shared by those of Slurm: "--mem-per-cpu=3G", "--time=02:30:00", ... */
char *sw_slurm_option(char *buf, const struct sw_request *request,
		      enum sw_resource resource, size_t attempt);

/* With the memory, too, where it would otherwise change with the CPUs. */
char *sw_slurm_item(char *buf, const struct sw_request *request,
		    enum sw_resource resource, size_t attempt);

/* The same as the option, without its name: "3G". */
char *sw_slurm_amount(char *buf, const struct sw_request *request,
		      enum sw_resource resource, size_t attempt);

/* A number in the units of struct sw_request_item: "12G". */
char *sw_slurm_value(char *buf, enum sw_resource resource, uint64_t value);

/* What the resources are called in sentences: "memory", "CPUs". */
const char *sw_resource_word(enum sw_resource resource);

/*
 * The name of the work that a group is of, without whose it is and without
 * what workflow systems put in front of a job's name.
 */
const char *sw_group_job_name(const char *group);

/*
 * What workflow systems call the work: the rule or process as the newest run
 * has it, with its own numbers; else as the group has it.  Returns buf.
 */
char *sw_rule_of_advice(char *buf, size_t size,
			const struct sw_advice *advice);

#endif
