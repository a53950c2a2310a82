/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of records, in the order in which they are asked for.  Those in
 * which users can write anything are asked for by themselves.
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
	SW_RECORD_ELAPSED, SW_RECORD_LIMIT, SW_RECORD_REQ_CPUS,
	SW_RECORD_REQ_MEM, SW_RECORD_REQ_TRES, SW_RECORD_ALLOC_CPUS,
	SW_RECORD_ALLOC_TRES, SW_RECORD_NODES, SW_RECORD_TASKS,
	SW_RECORD_NODE_LIST, SW_RECORD_TOTAL_CPU, SW_RECORD_MAX_RSS,
	SW_RECORD_USED_IN, SW_RECORD_USED_OUT, SW_RECORD_ENERGY,
	SW_RECORD_RESTARTS, SW_RECORD_COMMENT, SW_RECORD_WORK_DIR,
	SW_RECORD_NAME, SW_RECORD_FIELDS,
};

enum { SW_RECORD_FORMAT_SIZE = 512 };

/* What a release of Slurm has of them. */
struct sw_record_fields {
	bool has[SW_RECORD_FIELDS];
	size_t count;
	char format[SW_RECORD_FORMAT_SIZE];	/* for --format */
};

/*
 * From the output of "sacct --helpformat", names between white space.  0, or
 * -1 with *error: there are not even job ids, states and ends.
 */
int sw_record_fields_read(struct sw_record_fields *fields, const char *help,
			  struct sw_error *error);

/*
 * Divide them into facts, and texts that users wrote with what tells which run
 * they are of.
 */
void sw_record_fields_divide(const struct sw_record_fields *fields,
			     struct sw_record_fields *facts,
			     struct sw_record_fields *texts);

#endif
