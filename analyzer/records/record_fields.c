/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of records that a release of Slurm has. */
#include "analyzer/records/record_fields.h"

#include <string.h>
#include <strings.h>

static const struct {
	const char *name;
	bool is_needed;
	bool is_text;	/* users write it: no line may be believed for it */
	bool is_key;	/* with the others tells a run, or a step, from all */
} rows[SW_RECORD_FIELDS] = {
	[SW_RECORD_RAW_ID] = { "JobIDRaw", true, false, true },
	[SW_RECORD_ID] = { "JobID", true, false, false },
	[SW_RECORD_CLUSTER] = { "Cluster", false, false, true },
	[SW_RECORD_UID] = { "UID", false, false, false },
	[SW_RECORD_USER] = { "User", false, false, false },
	[SW_RECORD_ACCOUNT] = { "Account", false, true, false },
	[SW_RECORD_PARTITION] = { "Partition", false, false, false },
	[SW_RECORD_QOS] = { "QOS", false, false, false },
	[SW_RECORD_STATE] = { "State", true, false, false },
	[SW_RECORD_EXIT] = { "ExitCode", false, false, false },
	[SW_RECORD_DERIVED_EXIT] = { "DerivedExitCode", false, false, false },
	[SW_RECORD_SUBMIT] = { "Submit", false, false, true },
	[SW_RECORD_ELIGIBLE] = { "Eligible", false, false, false },
	[SW_RECORD_START] = { "Start", false, false, true },
	[SW_RECORD_END] = { "End", true, false, true },
	[SW_RECORD_ELAPSED] = { "ElapsedRaw", false, false, false },
	[SW_RECORD_LIMIT] = { "TimelimitRaw", false, false, false },
	[SW_RECORD_REQ_CPUS] = { "ReqCPUS", false, false, false },
	[SW_RECORD_REQ_MEM] = { "ReqMem", false, false, false },
	[SW_RECORD_REQ_TRES] = { "ReqTRES", false, false, false },
	[SW_RECORD_ALLOC_CPUS] = { "AllocCPUS", false, false, false },
	[SW_RECORD_ALLOC_TRES] = { "AllocTRES", false, false, false },
	[SW_RECORD_NODES] = { "NNodes", false, false, false },
	[SW_RECORD_TASKS] = { "NTasks", false, false, false },
	[SW_RECORD_NODE_LIST] = { "NodeList", false, false, false },
	[SW_RECORD_TOTAL_CPU] = { "TotalCPU", false, false, false },
	[SW_RECORD_MAX_RSS] = { "MaxRSS", false, false, false },
	[SW_RECORD_USED_IN] = { "TRESUsageInTot", false, false, false },
	[SW_RECORD_USED_OUT] = { "TRESUsageOutTot", false, false, false },
	[SW_RECORD_ENERGY] = { "ConsumedEnergyRaw", false, false, false },
	[SW_RECORD_RESTARTS] = { "Restarts", false, false, false },
	[SW_RECORD_COMMENT] = { "Comment", false, true, false },
	[SW_RECORD_WORK_DIR] = { "WorkDir", false, true, false },
	[SW_RECORD_NAME] = { "JobName", false, true, false },
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

static void append(struct sw_record_fields *fields, const char *name)
{
	if (fields->count++)
		strcat(fields->format, ",");
	strcat(fields->format, name);
}

int sw_record_fields_read(struct sw_record_fields *fields, const char *help,
			  struct sw_error *error)
{
	size_t i;

	memset(fields, 0, sizeof(*fields));
	for (i = 0; i < SW_RECORD_FIELDS; i++) {
		fields->has[i] = is_in(help, rows[i].name);
		if (fields->has[i])
			append(fields, rows[i].name);
		else if (rows[i].is_needed)
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
		facts->has[i] = !rows[i].is_text;
		texts->has[i] = rows[i].is_text || rows[i].is_key;
		if (facts->has[i])
			append(facts, rows[i].name);
		if (texts->has[i])
			append(texts, rows[i].name);
	}
}
