/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of records that a release of Slurm has. */
#include "analyzer/records/record_fields.h"

#include <string.h>
#include <strings.h>

static const struct {
	const char *name;
	bool is_needed;
} rows[SW_RECORD_FIELDS] = {
	[SW_RECORD_RAW_ID] = { "JobIDRaw", true },
	[SW_RECORD_ID] = { "JobID", true },
	[SW_RECORD_CLUSTER] = { "Cluster", false },
	[SW_RECORD_UID] = { "UID", false },
	[SW_RECORD_USER] = { "User", false },
	[SW_RECORD_ACCOUNT] = { "Account", false },
	[SW_RECORD_PARTITION] = { "Partition", false },
	[SW_RECORD_QOS] = { "QOS", false },
	[SW_RECORD_STATE] = { "State", true },
	[SW_RECORD_EXIT] = { "ExitCode", false },
	[SW_RECORD_DERIVED_EXIT] = { "DerivedExitCode", false },
	[SW_RECORD_SUBMIT] = { "Submit", false },
	[SW_RECORD_ELIGIBLE] = { "Eligible", false },
	[SW_RECORD_START] = { "Start", false },
	[SW_RECORD_END] = { "End", true },
	[SW_RECORD_ELAPSED] = { "ElapsedRaw", false },
	[SW_RECORD_LIMIT] = { "TimelimitRaw", false },
	[SW_RECORD_REQ_CPUS] = { "ReqCPUS", false },
	[SW_RECORD_REQ_MEM] = { "ReqMem", false },
	[SW_RECORD_REQ_TRES] = { "ReqTRES", false },
	[SW_RECORD_ALLOC_CPUS] = { "AllocCPUS", false },
	[SW_RECORD_ALLOC_TRES] = { "AllocTRES", false },
	[SW_RECORD_NODES] = { "NNodes", false },
	[SW_RECORD_TASKS] = { "NTasks", false },
	[SW_RECORD_NODE_LIST] = { "NodeList", false },
	[SW_RECORD_TOTAL_CPU] = { "TotalCPU", false },
	[SW_RECORD_MAX_RSS] = { "MaxRSS", false },
	[SW_RECORD_USED_IN] = { "TRESUsageInTot", false },
	[SW_RECORD_USED_OUT] = { "TRESUsageOutTot", false },
	[SW_RECORD_ENERGY] = { "ConsumedEnergyRaw", false },
	[SW_RECORD_RESTARTS] = { "Restarts", false },
	[SW_RECORD_COMMENT] = { "Comment", false },
	[SW_RECORD_WORK_DIR] = { "WorkDir", false },
	[SW_RECORD_NAME] = { "JobName", false },
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
