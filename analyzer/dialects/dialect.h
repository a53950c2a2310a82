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
	 * Format the request of one resource, without prefix and newline; "" if
	 * the dialect has no syntax for it.  attempt counts from 1.  Not called
	 * for withheld items.  Returns buf, of SW_DIALECT_ITEM_SIZE.
	 */
	char *(*item)(char *buf, const struct sw_request *request,
		      enum sw_resource resource, size_t attempt);
	/*
	 * Write all changes as complete lines; NULL: each item is a line.  name
	 * is that of the work, untrusted.
	 */
	void (*write)(FILE *out, const struct sw_request *request,
		      const char *name);
	/* Assumptions about changed items: sentences, or "". */
	const char *(*assumes)(const struct sw_request *request);
	bool has_retries;	/* items include the retries */
};

/* All dialects, NULL-terminated; the first is the default. */
extern const struct sw_dialect *const sw_dialects[];
const struct sw_dialect *sw_dialect_find(const char *name);

/* "sbatch, srun, lsf"; returns buf, of SW_DIALECT_NAMES_SIZE. */
char *sw_dialect_names(char *buf);

/* That of the scheduler whose records the settings name. */
const struct sw_dialect *sw_dialect_of_site(const struct sw_settings *settings);

/* Dialect of the newest run's scheduler, as far as known. */
const struct sw_dialect *sw_dialect_of(const struct sw_advice *advice);

#define DIALECT(name) extern const struct sw_dialect sw_dialect_##name;
#include "analyzer/dialects/dialect_list.h"
#undef DIALECT

/* Shared by Slurm's dialects: "--mem-per-cpu=3G", "--time=02:30:00", ... */
char *sw_slurm_option(char *buf, const struct sw_request *request,
		      enum sw_resource resource, size_t attempt);

/* Also request the memory if it would otherwise change with the CPUs. */
char *sw_slurm_item(char *buf, const struct sw_request *request,
		    enum sw_resource resource, size_t attempt);

/* Value of the option: "3G". */
char *sw_slurm_amount(char *buf, const struct sw_request *request,
		      enum sw_resource resource, size_t attempt);

/* A number in units of struct sw_request_item: "12G". */
char *sw_slurm_value(char *buf, enum sw_resource resource, uint64_t value);

/* Name of a resource in sentences: "memory", "CPUs". */
const char *sw_resource_word(enum sw_resource resource);

/*
 * Name of a group's work, without its user and without the prefix that workflow
 * systems add to job names.
 */
const char *sw_group_job_name(const char *group);

/*
 * Name of the work in workflow systems: the rule or process of the newest run,
 * with its own numbers, or else of the group.  Return buf.
 */
char *sw_rule_of_advice(char *buf, size_t size,
			const struct sw_advice *advice);

#endif
