/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Query sacct for jobs by id, with a timeout of 30 seconds, or 5 if a report
 * can do without: sacct would wait minutes for a database that is down.
 */
#include <string.h>

#include "analyzer/accounting/sacct.h"
#include "analyzer/accounting/sacct_child.h"

enum {
	WAIT_SECONDS = 30, REPORT_WAIT_SECONDS = 5,
	OUTPUT_SIZE_MAX = 16 << 20,
};

char *sw_acct_ask(const struct sw_acct_question *what, struct sw_error *error)
{
	const char *head = what->has_header ? "--parsable2" : "--noheader";
	const char *const argv[] = {
		"sacct", "--parsable2", head,
		what->has_all_runs ? "--duplicates" : head, "--noconvert",
		"--jobs", what->ids, "--format", what->format, NULL,
	};
	const struct sw_sacct_call call = {
		.argv = argv, .output_bytes_max = OUTPUT_SIZE_MAX,
		.wait_seconds = what->wait_seconds ? what->wait_seconds :
						     WAIT_SECONDS,
	};

	return sw_sacct_run(&call, error);
}

int sw_acct_query(struct sw_acct *acct, const struct sw_jobid *id,
		  struct sw_error *error)
{
	char ids[SW_JOBID_TEXT_SIZE], *text;
	struct sw_jobid whole = *id;
	struct sw_record_fields fields;
	const struct sw_acct_question what = {
		.ids = ids, .format = fields.format,
	};

	/* The allocation has only what was requested, so query all steps. */
	whole.step[0] = '\0';
	memset(acct, 0, sizeof(*acct));
	sw_acct_fields(&fields);
	sw_jobid_format(ids, sizeof(ids), &whole);
	text = sw_acct_ask(&what, error);
	return text ? sw_acct_parse(acct, text, id, error) : -1;
}

int sw_acct_query_runs(struct sw_acct *acct, const char *ids,
		       struct sw_error *error)
{
	struct sw_record_fields fields;
	const struct sw_acct_question what = {
		.ids = ids, .format = fields.format, .has_all_runs = true,
		.wait_seconds = REPORT_WAIT_SECONDS,
	};
	char *text;

	memset(acct, 0, sizeof(*acct));
	sw_acct_fields(&fields);
	text = sw_acct_ask(&what, error);
	return text ? sw_acct_parse_runs(acct, text, error) : -1;
}
