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

/* Texts point into the line; NULL: the record ends before. */
struct sw_lsf_job {
	const char *id, *index;		/* digits; index "0": no array */
	const char *user, *queue, *project;
	char *name;
	const char *res_req;		/* as submitted */
	const char *effective_res_req;	/* with the queue's, or NULL */
	double uid, submit_seconds;
	double wait_status;		/* of the job's script */
	double memory_kib;		/* of all processes, by polls */
	size_t first_host, host_items;	/* of the fields: "n1", "4*n1" */
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

/* Whether a file that begins so is of LSF: lsb.acct, lsb.events, lsb.stream. */
bool sw_lsf_is_log(const char *head);

/*
 * The time of the event, which begins the record of each job, without splitting
 * the line; NAN where it does not get so far.
 */
double sw_lsf_line_time(const char *line);

/* Splits line in place; fields keep their memory for the next one. */
enum sw_lsf_line sw_lsf_line_read(struct sw_lsf_job *job, char *line,
				  struct sw_lsf_fields *fields);
/* Of a line that is SW_LSF_CUT or SW_LSF_BAD. */
const char *sw_lsf_line_reason(enum sw_lsf_line kind);

/* "12", "12_3"; false where the numbers are none of a job. */
bool sw_lsf_job_id(char *text, size_t size, const struct sw_lsf_job *job);

/* "arr[1-3]%2" is the name of each element of an array: cuts the range. */
void sw_lsf_cut_name(struct sw_lsf_job *job);

void sw_lsf_fields_fini(struct sw_lsf_fields *fields);

#endif
