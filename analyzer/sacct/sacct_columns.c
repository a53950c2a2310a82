/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of sacct, and the fields of a line. */
#include "analyzer/sacct/sacct_columns.h"

#include <string.h>
#include <strings.h>

#include "common/missing.h"

/* sacct takes any case; several names can be of one field. */
static const struct {
	const char *name;
	enum sw_sacct_field field;
} names[] = {
	{ "JobID", SW_SACCT_JOB_ID }, { "JobName", SW_SACCT_JOB_NAME },
	{ "User", SW_SACCT_USER }, { "Cluster", SW_SACCT_CLUSTER },
	{ "Partition", SW_SACCT_PARTITION }, { "Comment", SW_SACCT_COMMENT },
	{ "State", SW_SACCT_STATE }, { "Start", SW_SACCT_START },
	{ "End", SW_SACCT_END }, { "Elapsed", SW_SACCT_ELAPSED },
	{ "ElapsedRaw", SW_SACCT_ELAPSED_RAW }, { "Timelimit", SW_SACCT_LIMIT },
	{ "TimelimitRaw", SW_SACCT_LIMIT_RAW }, { "ReqMem", SW_SACCT_REQ_MEM },
	{ "ReqTRES", SW_SACCT_REQ_TRES }, { "AllocTRES", SW_SACCT_ALLOC_TRES },
	{ "MaxRSS", SW_SACCT_MAX_RSS }, { "AveRSS", SW_SACCT_AVE_RSS },
	{ "AllocCPUS", SW_SACCT_CPUS }, { "NCPUS", SW_SACCT_CPUS },
	{ "ReqCPUS", SW_SACCT_REQ_CPUS }, { "NNodes", SW_SACCT_NODES },
	{ "AllocNodes", SW_SACCT_NODES }, { "NTasks", SW_SACCT_TASKS },
	{ "TotalCPU", SW_SACCT_TOTAL_CPU }, { "Restarts", SW_SACCT_RESTARTS },
	{ "Submit", SW_SACCT_SUBMIT }, { "ExitCode", SW_SACCT_EXIT },
};

/*
 * At most max parts; the last of them is all that is left where has_rest.
 * Returns how many there are, also beyond max.
 */
static size_t split(char *text, char separator, char **parts, size_t max,
		    bool has_rest)
{
	size_t count = 0;
	char *end;

	for (;;) {
		end = strchr(text, separator);
		if (count < max)
			parts[count] = text;
		count++;
		if (!end || (has_rest && count == max))
			return count;
		*end = '\0';
		text = end + 1;
	}
}

/* A tab is of a trace's header, not of sacct's. */
char sw_sacct_separator(const char *header)
{
	for (; *header; header++) {
		if (*header == '|' ||
		    ((unsigned char)*header < ' ' && *header != '\t'))
			return *header;
	}
	return '\0';
}

static int field_of(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcasecmp(name, names[i].name))
			return (int)names[i].field;
	}
	return SW_NO_INDEX;
}

/* What is not known can hold a separator too: Constraints "[a|b]". */
static bool is_text(int field)
{
	return field == SW_NO_INDEX || field == SW_SACCT_JOB_NAME ||
	       field == SW_SACCT_COMMENT;
}

static bool ends_in_text(const struct sw_sacct_columns *columns)
{
	size_t i, last = columns->count - 1;

	for (i = 0; i < last; i++) {
		if (is_text(columns->field_of[i]))
			return false;
	}
	return columns->field_of[last] != SW_NO_INDEX &&
	       is_text(columns->field_of[last]);
}

int sw_sacct_columns_read(struct sw_sacct_columns *columns, char *header)
{
	char *parts[SW_SACCT_COLUMNS_MAX];
	size_t i;

	memset(columns, 0, sizeof(*columns));
	columns->separator = sw_sacct_separator(header);
	if (!columns->separator)
		columns->separator = '|';
	columns->count = split(header, columns->separator, parts,
			       SW_SACCT_COLUMNS_MAX, false);
	if (columns->count > SW_SACCT_COLUMNS_MAX)
		return -1;
	/* --parsable has a separator, and so an empty name, at the end. */
	for (i = 0; i < columns->count; i++) {
		columns->field_of[i] = field_of(parts[i]);
		if (columns->field_of[i] != SW_NO_INDEX)
			columns->has[columns->field_of[i]] = true;
	}
	columns->ends_in_text = ends_in_text(columns);
	return 0;
}

int sw_sacct_columns_split(const struct sw_sacct_columns *columns, char *line,
			   const char *field[SW_SACCT_FIELDS])
{
	char *parts[SW_SACCT_COLUMNS_MAX];
	size_t i;

	for (i = 0; i < SW_SACCT_FIELDS; i++)
		field[i] = "";
	if (split(line, columns->separator, parts, columns->count,
		  columns->ends_in_text) != columns->count)
		return -1;
	for (i = 0; i < columns->count; i++) {
		if (columns->field_of[i] != SW_NO_INDEX)
			field[columns->field_of[i]] = parts[i];
	}
	return 0;
}
