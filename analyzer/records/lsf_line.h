/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parse a line of LSF's lsb.acct: fields have no names, lists are preceded by
 * their counts, and each fix pack appends fields.  Parsed by position, up to
 * the last field in use.
 */
#ifndef SW_ANALYZER_LSF_LINE_H
#define SW_ANALYZER_LSF_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "advice/run.h"
#include "common/job_state.h"

/* Texts point into the line; NULL: the record ends before. */
struct sw_lsf_job {
	const char *id, *index;		/* digits; index "0": not an array */
	const char *user, *queue, *project;
	char *name;
	const char *res_req;		/* as submitted */
	const char *effective_res_req;	/* combined with the queue's, or NULL */
	enum sw_job_state state;	/* Slurm's, for the same end */
	double uid, submit_seconds;
	double wait_status;		/* of the job's script */
	double memory_kib;		/* all processes, polled */
	size_t first_host, host_items;	/* range of fields: "n1", "4*n1" */
	struct sw_run run;		/* possibly on several nodes */
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
	SW_LSF_CUT,		/* ends within a field, or too early */
	SW_LSF_BAD,		/* malformed */
	SW_LSF_NO_MEMORY,
};

/* Does a file with this beginning belong to LSF: lsb.acct, lsb.events,
 * lsb.stream? */
bool sw_lsf_is_log(const char *head);

/*
 * Return the time of the event, at the beginning of each job's record, without
 * splitting the line; NAN if the line is too short.
 */
double sw_lsf_line_time(const char *line);

/* Split line in place; fields keep their memory for the next one. */
enum sw_lsf_line sw_lsf_line_read(struct sw_lsf_job *job, char *line,
				  struct sw_lsf_fields *fields);
/* Explain SW_LSF_CUT or SW_LSF_BAD. */
const char *sw_lsf_line_reason(enum sw_lsf_line kind);

/* Format "12" or "12_3"; false if the numbers are not a job's. */
bool sw_lsf_job_id(char *text, size_t size, const struct sw_lsf_job *job);

/* Remove the range from "arr[1-3]%2", which names each element of an array. */
void sw_lsf_cut_name(struct sw_lsf_job *job);

void sw_lsf_fields_fini(struct sw_lsf_fields *fields);

#endif
