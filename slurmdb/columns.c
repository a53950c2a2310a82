/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns, with the same output as sacct(1) with --parsable2, --noconvert
 * and SLURM_TIME_FORMAT=%s.
 */
#include "slurmdb/columns.h"

#include <pwd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>

struct row {
	const struct sw_slurmdb_format *format;
	slurmdb_job_rec_t *job;
	slurmdb_step_rec_t *step;	/* NULL: the line of the job */
};

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static void print_text(FILE *out, const struct row *row, const void *value)
{
	(void)row;
	fputs(or_empty(*(char *const *)value), out);
}

static void print_number(FILE *out, uint32_t value)
{
	if (value != NO_VAL && value != INFINITE)
		fprintf(out, "%u", value);
}

static void print_count(FILE *out, const struct row *row, const void *value)
{
	(void)row;
	print_number(out, *(const uint32_t *)value);
}

static void print_time(FILE *out, const struct row *row, const void *value)
{
	time_t time = *(const time_t *)value;

	(void)row;
	if (time == 0 || time == (time_t)INFINITE)
		fputs("Unknown", out);
	else if (time == (time_t)NO_VAL)
		fputs("None", out);
	else
		fprintf(out, "%lld", (long long)time);
}

static void print_tres_of(FILE *out, const struct row *row, char *simple,
			  uint32_t flags)
{
	char *text = slurmdb_make_tres_string_from_simple(
		simple, row->format->tres_list, (int)NO_VAL,
		SW_CONVERT_EXACT_NO, flags, NULL);

	fputs(or_empty(text), out);
	slurm_xfree((void **)&text);
}

static void print_tres(FILE *out, const struct row *row, const void *value)
{
	print_tres_of(out, row, *(char *const *)value, 0);
}

static void print_usage(FILE *out, const struct row *row, const void *value)
{
	print_tres_of(out, row, *(char *const *)value, SW_TRES_BYTES);
}

static void print_step_id(FILE *out, const slurm_step_id_t *id)
{
	if (id->step_id == SLURM_BATCH_SCRIPT)
		fputs(".batch", out);
	else if (id->step_id == SLURM_EXTERN_CONT)
		fputs(".extern", out);
	else if (id->step_id == SLURM_INTERACTIVE_STEP)
		fputs(".interactive", out);
	else if (id->step_id == SLURM_PENDING_STEP)
		fputs(SW_SLURM_SINCE(26, 5) ? ".TBD" : ".TDB", out);
	else
		fprintf(out, ".%u", id->step_id);
	if (id->step_het_comp != NO_VAL)
		fprintf(out, "+%u", id->step_het_comp);
}

static void print_raw_id(FILE *out, const struct row *row, const void *value)
{
	(void)value;
	fprintf(out, "%u", row->job->jobid);
	if (row->step)
		print_step_id(out, &row->step->step_id);
}

static void print_id(FILE *out, const struct row *row, const void *value)
{
	char *id = slurmdb_get_job_id_str(row->job);

	(void)value;
	fputs(or_empty(id), out);
	slurm_xfree((void **)&id);
	if (row->step)
		print_step_id(out, &row->step->step_id);
}

/* A user without a name is a number since 23.11, and empty before. */
static void print_user(FILE *out, const struct row *row, const void *value)
{
	const struct passwd *user;

	(void)value;
	if (row->step)
		return;
	user = row->job->user ? NULL : getpwuid(row->job->uid);
	if (user || row->job->user)
		fputs(user ? user->pw_name : row->job->user, out);
	else if (SW_SLURM_SINCE(23, 11))
		fprintf(out, "%u", row->job->uid);
}

static const char *qos_name(void *qos_list, uint32_t id)
{
	slurmdb_qos_rec_t *qos, *found = NULL;
	void *iterator;

	if (!qos_list || id == NO_VAL)
		return "";
	iterator = slurm_list_iterator_create(qos_list);
	while (!found && (qos = slurm_list_next(iterator)))
		found = qos->id == id ? qos : NULL;
	slurm_list_iterator_destroy(iterator);
	return found ? or_empty(found->name) : "Unknown";
}

static void print_qos(FILE *out, const struct row *row, const void *value)
{
	(void)value;
	if (!row->step)
		fputs(qos_name(row->format->qos_list, row->job->qosid), out);
}

static void print_state(FILE *out, const struct row *row, const void *value)
{
	uint32_t state = row->step ? row->step->state : row->job->state;
	uint32_t by = row->step ? row->step->requid : row->job->requid;

	(void)value;
	if (state == NO_VAL)
		return;
	fputs(slurm_job_state_string(state), out);
	if ((state & JOB_STATE_BASE) == JOB_CANCELLED && by != INFINITE)
		fprintf(out, " by %u", by);
}

static void print_status(FILE *out, uint32_t status, bool is_derived)
{
	int code = 0, signal = 0, is_known = status != NO_VAL;

	if (is_known && WIFSIGNALED((int)status))
		signal = WTERMSIG((int)status);
	else if (is_known && WIFEXITED((int)status))
		code = WEXITSTATUS((int)status);
	/* Before 25.11 sacct subtracts a shell's offset for a signal. */
	if (code >= 128 && !is_derived && !SW_SLURM_SINCE(25, 11))
		code -= 128;
	if (is_known || is_derived)
		fprintf(out, "%d:%d", code, signal);
}

static void print_exit(FILE *out, const struct row *row, const void *value)
{
	(void)value;
	print_status(out, row->step ? (uint32_t)row->step->exitcode :
				      (uint32_t)row->job->exitcode, false);
}

static void print_derived(FILE *out, const struct row *row, const void *value)
{
	(void)value;
	if (!row->step)
		print_status(out, row->job->derived_ec, true);
}

static void print_limit(FILE *out, const struct row *row, const void *value)
{
	uint32_t minutes = *(const uint32_t *)value;

	/* A step without its own limit has that of its job. */
	if (minutes == INFINITE)
		fputs(row->step ? "" : "UNLIMITED", out);
	else if (minutes == NO_VAL)
		fputs("Partition_Limit", out);
	else if (minutes)
		fprintf(out, "%u", minutes);
}

static uint32_t zero_if_none(uint64_t count)
{
	return count == INFINITE64 ? 0 : (uint32_t)count;
}

static uint32_t cpus_of_job(const slurmdb_job_rec_t *job)
{
	char *tres = job->tres_alloc_str;

#if !SW_SLURM_SINCE(23, 2)
	if (!tres || !*tres)
		tres = job->tres_req_str;
#endif
	return zero_if_none(slurmdb_find_tres_count_in_string(tres,
							      SW_TRES_CPU));
}

static uint32_t cpus_of_step(const struct row *row)
{
	uint64_t count = slurmdb_find_tres_count_in_string(
		row->step->tres_alloc_str, SW_TRES_CPU);

	return count == INFINITE64 ? cpus_of_job(row->job) : (uint32_t)count;
}

static void print_cpus(FILE *out, const struct row *row, const void *value)
{
	(void)value;
	print_number(out, row->step ? cpus_of_step(row) :
				      cpus_of_job(row->job));
}

static void print_req_cpus(FILE *out, const struct row *row, const void *value)
{
	(void)value;
	print_number(out, row->step ? cpus_of_step(row) : row->job->req_cpus);
}

/* If none was requested, sacct of 22.05 prints an impossible number. */
static void print_req_mem(FILE *out, const struct row *row, const void *value)
{
	uint64_t mib;

	(void)value;
	if (row->step)
		return;
	mib = slurmdb_find_tres_count_in_string(row->job->tres_req_str,
						SW_TRES_MEM);
	if (mib == INFINITE64 || mib == 0)
		fputs("0", out);
	else if (mib != NO_VAL64)
		fprintf(out, "%lluM", (unsigned long long)mib);
}

static void print_nodes(FILE *out, const struct row *row, const void *value)
{
	uint32_t count = row->step ? row->step->nnodes : row->job->alloc_nodes;
	char *tres = row->job->tres_alloc_str;

	(void)value;
	if (row->step)
		tres = row->step->tres_alloc_str;
	else if (!tres || !*tres)
		tres = row->job->tres_req_str;
	if (!count)
		count = zero_if_none(slurmdb_find_tres_count_in_string(
			tres, SW_TRES_NODE));
	print_number(out, count);
}

/* "[D-]HH:MM:SS", "MM:SS.mmm", or "00:MM:SS" */
static void print_cpu_time(FILE *out, uint64_t seconds, uint64_t usec)
{
	unsigned long long days, hours, minutes, rest;

	if (seconds == NO_VAL64)
		return;
	seconds += usec / 1000000;
	usec %= 1000000;
	days = seconds / 86400;
	hours = seconds / 3600 % 24;
	minutes = seconds / 60 % 60;
	rest = seconds % 60;
	if (days)
		fprintf(out, "%llu-%02llu:%02llu:%02llu", days, hours, minutes,
			rest);
	else if (hours || usec < 1000)
		fprintf(out, "%02llu:%02llu:%02llu", hours, minutes, rest);
	else
		fprintf(out, "%02llu:%02llu.%03llu", minutes, rest,
			(unsigned long long)usec / 1000);
}

static void print_total_cpu(FILE *out, const struct row *row,
			    const void *value)
{
	(void)value;
	if (row->step)
		print_cpu_time(out, row->step->tot_cpu_sec,
			       row->step->tot_cpu_usec);
	else
		print_cpu_time(out, row->job->tot_cpu_sec,
			       row->job->tot_cpu_usec);
}

static void print_wide(FILE *out, uint64_t value)
{
	if (value != NO_VAL64 && value != INFINITE64)
		fprintf(out, "%llu", (unsigned long long)value);
}

/* Of the tasks of a step. */
static void print_rss(FILE *out, const struct row *row, const void *value)
{
	print_wide(out, slurmdb_find_tres_count_in_string(
		*(char *const *)value, SW_TRES_MEM));
	(void)row;
}

static void print_energy(FILE *out, const struct row *row, const void *value)
{
	uint64_t joules;

	(void)value;
	if (row->step) {
		print_wide(out, row->step->stats.consumed_energy);
		return;
	}
	joules = slurmdb_find_tres_count_in_string(row->job->tres_alloc_str,
						   SW_TRES_ENERGY);
	print_wide(out, joules == INFINITE64 ? 0 : joules);
}

#if SW_SLURM_SINCE(24, 11)
static void print_restarts(FILE *out, const struct row *row, const void *value)
{
	(void)value;
	if (!row->step && row->job->restart_cnt != NO_VAL16 &&
	    row->job->restart_cnt != INFINITE16)
		fprintf(out, "%u", row->job->restart_cnt);
}
#endif

/* Offset of the value; a column without one prints a computed value. */
#define JOB(member) offsetof(slurmdb_job_rec_t, member)
#define STEP(member) offsetof(slurmdb_step_rec_t, member)

enum { NONE = -1, OF_ITS_JOB = -2, COMPUTED = -3 };

#if SW_SLURM_SINCE(25, 5)
#define STEP_LIMIT STEP(timelimit)
#else
#define STEP_LIMIT NONE
#endif

static const struct {
	const char *name;
	void (*print)(FILE *out, const struct row *row, const void *value);
	long in_job, in_step;
} columns[] = {
	{ "Account", print_text, JOB(account), OF_ITS_JOB },
	{ "AllocCPUS", print_cpus, COMPUTED, COMPUTED },
	{ "AllocTRES", print_tres, JOB(tres_alloc_str), STEP(tres_alloc_str) },
	{ "AveRSS", print_rss, NONE, STEP(stats.tres_usage_in_ave) },
	{ "Cluster", print_text, JOB(cluster), OF_ITS_JOB },
	{ "Comment", print_text, JOB(derived_es), NONE },
	{ "ConsumedEnergyRaw", print_energy, COMPUTED, COMPUTED },
	{ "DerivedExitCode", print_derived, COMPUTED, COMPUTED },
	{ "ElapsedRaw", print_count, JOB(elapsed), STEP(elapsed) },
	{ "Eligible", print_time, JOB(eligible), STEP(start) },
	{ "End", print_time, JOB(end), STEP(end) },
	{ "ExitCode", print_exit, COMPUTED, COMPUTED },
	{ "JobID", print_id, COMPUTED, COMPUTED },
	{ "JobIDRaw", print_raw_id, COMPUTED, COMPUTED },
	{ "JobName", print_text, JOB(jobname), STEP(stepname) },
	{ "MaxRSS", print_rss, NONE, STEP(stats.tres_usage_in_max) },
	{ "NNodes", print_nodes, COMPUTED, COMPUTED },
	{ "NodeList", print_text, JOB(nodes), STEP(nodes) },
	{ "NTasks", print_count, NONE, STEP(ntasks) },
	{ "Partition", print_text, JOB(partition), NONE },
	{ "QOS", print_qos, COMPUTED, COMPUTED },
	{ "ReqCPUS", print_req_cpus, COMPUTED, COMPUTED },
	{ "ReqMem", print_req_mem, COMPUTED, COMPUTED },
	{ "ReqTRES", print_tres, JOB(tres_req_str), NONE },
#if SW_SLURM_SINCE(24, 11)
	{ "Restarts", print_restarts, COMPUTED, COMPUTED },
#endif
	{ "Start", print_time, JOB(start), STEP(start) },
	{ "State", print_state, COMPUTED, COMPUTED },
	{ "Submit", print_time, JOB(submit), STEP(start) },
	{ "TimelimitRaw", print_limit, JOB(timelimit), STEP_LIMIT },
	{ "TotalCPU", print_total_cpu, COMPUTED, COMPUTED },
	{ "TRESUsageInTot", print_usage, NONE, STEP(stats.tres_usage_in_tot) },
	{ "TRESUsageOutTot", print_usage, NONE,
	  STEP(stats.tres_usage_out_tot) },
	{ "UID", print_count, JOB(uid), NONE },
	{ "User", print_user, COMPUTED, COMPUTED },
	{ "WorkDir", print_text, JOB(work_dir), NONE },
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void print_column(FILE *out, const struct row *row, size_t column)
{
	long in_job = columns[column].in_job;
	long offset = row->step ? columns[column].in_step : in_job;
	const char *from = row->step && offset != OF_ITS_JOB ?
				   (const char *)row->step :
				   (const char *)row->job;

	if (offset == NONE)
		return;
	if (offset == OF_ITS_JOB)
		offset = in_job;
	columns[column].print(out, row, offset < 0 ? NULL : from + offset);
}

void sw_slurmdb_print_names(FILE *out)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		fprintf(out, "%s\n", columns[i].name);
}

static int find_column(const char *name, size_t length, size_t *column)
{
	for (*column = 0; *column < COLUMNS; ++*column) {
		if (strlen(columns[*column].name) == length &&
		    !strncasecmp(columns[*column].name, name, length))
			return 0;
	}
	return -1;
}

int sw_slurmdb_format_read(struct sw_slurmdb_format *format, const char *text,
			   const char **unknown)
{
	size_t length;

	format->count = 0;
	for (*unknown = text; ; *unknown += length + 1) {
		length = strcspn(*unknown, ",");
		if (format->count == SW_SLURMDB_COLUMNS_MAX ||
		    find_column(*unknown, length,
				&format->columns[format->count]) < 0)
			return -1;
		format->count++;
		if ((*unknown)[length] == '\0')
			return 0;
	}
}

void sw_slurmdb_print(FILE *out, const struct sw_slurmdb_format *format,
		      slurmdb_job_rec_t *job, slurmdb_step_rec_t *step)
{
	const struct row row = { format, job, step };
	size_t i;

	for (i = 0; i < format->count; i++) {
		if (i > 0)
			fputs(format->delimiter, out);
		print_column(out, &row, format->columns[i]);
	}
	fputc('\n', out);
}
