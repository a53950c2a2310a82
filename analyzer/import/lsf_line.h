/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of LSF's lsb.acct: fields have no names, lists come with their counts,
 * and each fix pack appends fields.  Read by position as far as it is of use.
 */
#ifndef SW_ANALYZER_LSF_LINE_H
#define SW_ANALYZER_LSF_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "advice/run.h"

/* Texts point into the line. */
struct sw_lsf_job {
	const char *id, *index;		/* digits; index "0": no array */
	const char *user, *queue;
	char *name;
	struct sw_run run;		/* its nodes may be several */
};

struct sw_lsf_fields {
	struct sw_lsf_field {
		char *text;
		bool is_quoted;
	} *items;
	size_t count, room;
};

enum sw_lsf_line {
	SW_LSF_JOB,
	SW_LSF_OTHER,		/* a record of another kind */
	SW_LSF_CUT,		/* it ends within a field, or too soon */
	SW_LSF_BAD,		/* not of the known form */
	SW_LSF_NO_MEMORY,
};

/* Whether a file that begins so is an lsb.acct. */
bool sw_lsf_is_acct(const char *head);

/* Splits line in place; fields keep their memory for the next one. */
enum sw_lsf_line sw_lsf_line_read(struct sw_lsf_job *job, char *line,
				  struct sw_lsf_fields *fields);
void sw_lsf_fields_fini(struct sw_lsf_fields *fields);

#endif
