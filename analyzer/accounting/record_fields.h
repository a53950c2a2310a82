/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of records, in the order of the query or of a file's header.  Those in
 * which users can write anything are queried separately.
 */
#ifndef SW_ANALYZER_RECORD_FIELDS_H
#define SW_ANALYZER_RECORD_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

enum sw_record_field {
	SW_RECORD_RAW_ID, SW_RECORD_ID, SW_RECORD_CLUSTER, SW_RECORD_UID,
	SW_RECORD_USER, SW_RECORD_ACCOUNT, SW_RECORD_PARTITION, SW_RECORD_QOS,
	SW_RECORD_STATE, SW_RECORD_EXIT, SW_RECORD_DERIVED_EXIT,
	SW_RECORD_SUBMIT, SW_RECORD_ELIGIBLE, SW_RECORD_START, SW_RECORD_END,
	SW_RECORD_ELAPSED, SW_RECORD_ELAPSED_WORDS, SW_RECORD_LIMIT,
	SW_RECORD_LIMIT_WORDS, SW_RECORD_REQ_CPUS,
	SW_RECORD_REQ_MEM, SW_RECORD_REQ_TRES, SW_RECORD_ALLOC_CPUS,
	SW_RECORD_ALLOC_TRES, SW_RECORD_NODES, SW_RECORD_TASKS,
	SW_RECORD_NODE_LIST, SW_RECORD_TOTAL_CPU, SW_RECORD_MAX_RSS,
	SW_RECORD_AVE_RSS, SW_RECORD_USED_IN, SW_RECORD_USED_OUT, SW_RECORD_ENERGY,
	SW_RECORD_RESTARTS, SW_RECORD_COMMENT, SW_RECORD_WORK_DIR,
	SW_RECORD_NAME, SW_RECORD_FIELDS,
};

enum { SW_RECORD_ASKED_MAX = SW_RECORD_FIELDS - 2 /* in files only */ };
enum { SW_RECORD_FORMAT_SIZE = 512, SW_RECORD_COLUMNS_MAX = 256 };

/* Fields of a line */
struct sw_record_fields {
	bool has[SW_RECORD_FIELDS];
	int column[SW_RECORD_COLUMNS_MAX];	/* SW_NO_INDEX: not used */
	size_t count;
	char format[SW_RECORD_FORMAT_SIZE];	/* for --format */
	/* Separator of a file, "|" or the argument of --delimiter */
	char delimiter[2];
	bool has_cr;		/* its lines end in CR LF */
	bool ends_in_text;	/* only its last columns can hold a delimiter */
};

/*
 * Parse the output of "sacct --helpformat", names separated by white space.  0,
 * or -1 with *error if job ids, states or ends are missing.
 */
int sw_record_fields_read(struct sw_record_fields *fields, const char *help,
			  struct sw_error *error);

/* Use a list of fields that all releases have, in its order. */
void sw_record_fields_of_list(struct sw_record_fields *fields,
			      const enum sw_record_field *list, size_t count);

/*
 * Parse the first line of a file, printed by sacct without --noheader; the line
 * is changed.  Returns NULL, or why it is not a header.
 */
const char *sw_record_fields_of_header(struct sw_record_fields *fields,
				       char *header);

/* Does the line look like sacct's header, even if a column is missing? */
bool sw_record_is_header(const char *line);

/* Is it a line of sacct but not a header?  Then it contains a job state. */
bool sw_record_is_without_header(const char *line);

/* Is the column written by users, or its content unknown? */
bool sw_record_is_text(int field);

/*
 * Divide the fields into facts, and texts written by users together with the
 * keys of their run.
 */
void sw_record_fields_divide(const struct sw_record_fields *fields,
			     struct sw_record_fields *facts,
			     struct sw_record_fields *texts);

#endif
