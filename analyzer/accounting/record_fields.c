/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determine which fields of records a release of Slurm, or a file, has. */
#include "analyzer/accounting/record_fields.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/job_state.h"
#include "common/missing.h"
#include "common/text.h"

enum {
	NEEDED = 1,
	TEXT = 2,	/* written by users, so not trusted to form lines */
	KEY = 4,	/* with the other keys, identifies a run or a step */
	OF_FILES = 8,	/* never queried: another field has it in numbers */
};

/* sacct ignores case. */
static const struct {
	const char *name;
	int is;
	const char *other_name;
} rows[SW_RECORD_FIELDS] = {
	[SW_RECORD_RAW_ID] = { "JobIDRaw", NEEDED | KEY, NULL },
	[SW_RECORD_ID] = { "JobID", NEEDED, NULL },
	[SW_RECORD_CLUSTER] = { "Cluster", KEY, NULL },
	[SW_RECORD_UID] = { "UID", 0, NULL },
	[SW_RECORD_USER] = { "User", 0, NULL },
	[SW_RECORD_ACCOUNT] = { "Account", TEXT, NULL },
	[SW_RECORD_PARTITION] = { "Partition", 0, NULL },
	[SW_RECORD_QOS] = { "QOS", 0, NULL },
	[SW_RECORD_STATE] = { "State", NEEDED, NULL },
	[SW_RECORD_EXIT] = { "ExitCode", 0, NULL },
	[SW_RECORD_DERIVED_EXIT] = { "DerivedExitCode", 0, NULL },
	[SW_RECORD_SUBMIT] = { "Submit", KEY, NULL },
	[SW_RECORD_ELIGIBLE] = { "Eligible", 0, NULL },
	[SW_RECORD_START] = { "Start", KEY, NULL },
	[SW_RECORD_END] = { "End", NEEDED | KEY, NULL },
	[SW_RECORD_ELAPSED] = { "ElapsedRaw", 0, NULL },
	[SW_RECORD_ELAPSED_WORDS] = { "Elapsed", OF_FILES, NULL },
	[SW_RECORD_LIMIT] = { "TimelimitRaw", 0, NULL },
	[SW_RECORD_LIMIT_WORDS] = { "Timelimit", OF_FILES, NULL },
	[SW_RECORD_REQ_CPUS] = { "ReqCPUS", 0, NULL },
	[SW_RECORD_REQ_MEM] = { "ReqMem", 0, NULL },
	[SW_RECORD_REQ_TRES] = { "ReqTRES", 0, NULL },
	[SW_RECORD_ALLOC_CPUS] = { "AllocCPUS", 0, "NCPUS" },
	[SW_RECORD_ALLOC_TRES] = { "AllocTRES", 0, NULL },
	[SW_RECORD_NODES] = { "NNodes", 0, "AllocNodes" },
	[SW_RECORD_TASKS] = { "NTasks", 0, NULL },
	[SW_RECORD_NODE_LIST] = { "NodeList", 0, NULL },
	[SW_RECORD_TOTAL_CPU] = { "TotalCPU", 0, NULL },
	[SW_RECORD_MAX_RSS] = { "MaxRSS", 0, NULL },
	[SW_RECORD_AVE_RSS] = { "AveRSS", 0, NULL },
	[SW_RECORD_USED_IN] = { "TRESUsageInTot", 0, NULL },
	[SW_RECORD_USED_OUT] = { "TRESUsageOutTot", 0, NULL },
	[SW_RECORD_ENERGY] = { "ConsumedEnergyRaw", 0, NULL },
	[SW_RECORD_RESTARTS] = { "Restarts", 0, NULL },
	[SW_RECORD_COMMENT] = { "Comment", TEXT, NULL },
	[SW_RECORD_WORK_DIR] = { "WorkDir", TEXT, NULL },
	[SW_RECORD_NAME] = { "JobName", TEXT, NULL },
};

static const char spaces[] = " \t\r\n";

static bool is_in(const char *help, const char *name)
{
	size_t length = strlen(name), word;

	for (;; help += word) {
		help += strspn(help, spaces);
		word = strcspn(help, spaces);
		if (word == 0)
			return false;
		if (word == length && !strncasecmp(help, name, length))
			return true;
	}
}

static void append(struct sw_record_fields *fields, size_t field)
{
	if (fields->count)
		strcat(fields->format, ",");
	strcat(fields->format, rows[field].name);
	fields->has[field] = true;
	fields->column[fields->count++] = (int)field;
}

int sw_record_fields_read(struct sw_record_fields *fields, const char *help,
			  struct sw_error *error)
{
	size_t i;

	memset(fields, 0, sizeof(*fields));
	for (i = 0; i < SW_RECORD_FIELDS; i++) {
		if (rows[i].is & OF_FILES)
			continue;
		if (is_in(help, rows[i].name))
			append(fields, i);
		else if (rows[i].is & NEEDED)
			return sw_error_set(error, "sacct has no field %s, so "
					    "jobs cannot be read", rows[i].name);
	}
	return 0;
}

void sw_record_fields_divide(const struct sw_record_fields *fields,
			     struct sw_record_fields *facts,
			     struct sw_record_fields *texts)
{
	size_t i;

	memset(facts, 0, sizeof(*facts));
	memset(texts, 0, sizeof(*texts));
	for (i = 0; i < SW_RECORD_FIELDS; i++) {
		if (!fields->has[i])
			continue;
		if (!(rows[i].is & TEXT))
			append(facts, i);
		if (rows[i].is & (TEXT | KEY))
			append(texts, i);
	}
}

void sw_record_fields_of_list(struct sw_record_fields *fields,
			      const enum sw_record_field *list, size_t count)
{
	size_t i;

	memset(fields, 0, sizeof(*fields));
	for (i = 0; i < count; i++)
		append(fields, list[i]);
}

static int field_of(const char *name)
{
	size_t i;

	for (i = 0; i < SW_RECORD_FIELDS; i++) {
		if (!strcasecmp(name, rows[i].name) ||
		    (rows[i].other_name &&
		     !strcasecmp(name, rows[i].other_name)))
			return (int)i;
	}
	return SW_NO_INDEX;
}

/* Unknown columns can hold a delimiter, too: Constraints "[a|b]". */
bool sw_record_is_text(int field)
{
	return field == SW_NO_INDEX || (rows[field].is & TEXT);
}

static bool ends_in_text(const struct sw_record_fields *fields)
{
	size_t i, last = fields->count - 1;

	for (i = 0; i < last; i++) {
		if (sw_record_is_text(fields->column[i]))
			return false;
	}
	return fields->column[last] != SW_NO_INDEX &&
	       sw_record_is_text(fields->column[last]);
}

/* Return "|" or a control character, otherwise what other programs' tables
 * use. */
static char delimiter_of(const char *line)
{
	static const char of_tables[] = "\t,;";
	const char *at;

	for (at = line; *at && *at != '\n' && *at != '\r'; at++) {
		if (*at == '|' || ((unsigned char)*at < ' ' && *at != '\t'))
			return *at;
	}
	at = strpbrk(line, of_tables);
	return at ? *at : '\0';
}

/* --parsable adds a delimiter at the end, and thus an empty name. */
static bool read_names(struct sw_record_fields *fields, char *names)
{
	char *end;

	for (;; names = end + 1) {
		end = strchr(names, *fields->delimiter);
		if (end)
			*end = '\0';
		if (fields->count == SW_RECORD_COLUMNS_MAX)
			return false;
		fields->column[fields->count] = field_of(names);
		if (fields->column[fields->count] != SW_NO_INDEX)
			fields->has[fields->column[fields->count]] = true;
		fields->count++;
		if (!end)
			return true;
	}
}

static bool has_needed(const struct sw_record_fields *fields)
{
	const bool *has = fields->has;

	return (has[SW_RECORD_ID] || has[SW_RECORD_RAW_ID]) &&
	       has[SW_RECORD_STATE] &&
	       (has[SW_RECORD_ELAPSED] || has[SW_RECORD_ELAPSED_WORDS]);
}

const char *sw_record_fields_of_header(struct sw_record_fields *fields,
				       char *header)
{
	size_t length;

	memset(fields, 0, sizeof(*fields));
	header += sw_text_skip_mark(header) - header;
	length = strlen(header);
	if (length && header[length - 1] == '\r') {
		header[length - 1] = '\0';
		fields->has_cr = true;
	}
	*fields->delimiter = delimiter_of(header);
	if (!*fields->delimiter)
		*fields->delimiter = '|';
	if (!read_names(fields, header))
		return "more columns than sacct has";
	if (!has_needed(fields))
		return "sacct's columns JobID (or JobIDRaw), State and Elapsed "
		       "(or ElapsedRaw) are needed";
	fields->ends_in_text = ends_in_text(fields);
	return NULL;
}

/* Tabs and commas are also used by traces. */
static bool is_of_sacct(char delimiter)
{
	return delimiter == '|' ||
	       (delimiter && delimiter < ' ' && delimiter != '\t');
}

bool sw_record_is_header(const char *line)
{
	return strcasestr(line, rows[SW_RECORD_ID].name) &&
	       is_of_sacct(delimiter_of(line));
}

bool sw_record_is_without_header(const char *line)
{
	char delimiter = delimiter_of(line), field[40];
	const char *end;

	if (!is_of_sacct(delimiter) || *line < '0' || *line > '9')
		return false;
	for (; line; line = end ? end + 1 : NULL) {
		end = strchr(line, delimiter);
		snprintf(field, sizeof(field), "%.*s",
			 end ? (int)(end - line) : (int)strlen(line), line);
		/* Other programs' tables have short letter codes, too. */
		if (strlen(field) > 3 && sw_job_state_read(field))
			return true;
	}
	return false;
}
