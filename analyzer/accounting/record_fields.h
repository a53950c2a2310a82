/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of records, in the order in which they are asked for, or as the
 * header of a file has them.  Those in which users can write anything are asked
 * for by themselves.
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

enum { SW_RECORD_ASKED_MAX = SW_RECORD_FIELDS - 2 /* of files alone */ };
enum { SW_RECORD_FORMAT_SIZE = 512, SW_RECORD_COLUMNS_MAX = 256 };

/* Those that a line has. */
struct sw_record_fields {
	bool has[SW_RECORD_FIELDS];
	int column[SW_RECORD_COLUMNS_MAX];	/* SW_NO_INDEX: not used */
	size_t count;
	char format[SW_RECORD_FORMAT_SIZE];	/* for --format */
	/* Of a file: what is between them, "|" or what --delimiter was given. */
	char delimiter[2];
	bool has_cr;		/* its lines end in CR LF */
	bool ends_in_text;	/* all that can hold a delimiter is last */
};

/*
 * From the output of "sacct --helpformat", names between white space.  0, or
 * -1 with *error: there are not even job ids, states and ends.
 */
int sw_record_fields_read(struct sw_record_fields *fields, const char *help,
			  struct sw_error *error);

/* Such a list of them, in its order, which all releases have. */
void sw_record_fields_of_list(struct sw_record_fields *fields,
			      const enum sw_record_field *list, size_t count);

/*
 * From the first line of a file, which sacct printed without --noheader; it is
 * changed.  NULL, or why it is none.
 */
const char *sw_record_fields_of_header(struct sw_record_fields *fields,
				       char *header);

/* Whether a line looks like sacct's header, even one that lacks a column. */
bool sw_record_is_header(const char *line);

/* The line is sacct's, but no header: a word in it is the state of a job. */
bool sw_record_is_without_header(const char *line);

/* Users write what is in such a column, or it is not known what is. */
bool sw_record_is_text(int field);

/* The length of a byte-order mark at the begin of a text. */
size_t sw_record_mark_length(const char *text);

/*
 * Divide them into facts, and texts that users wrote with what tells which run
 * they are of.
 */
void sw_record_fields_divide(const struct sw_record_fields *fields,
			     struct sw_record_fields *facts,
			     struct sw_record_fields *texts);

#endif
