/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sacct(1) prints.  No field that users can write is asked for, so that
 * a line is a line; one that is not of the expected form is left out.
 */
#include "analyzer/sacct/sacct.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/sacct/sacct_internal.h"
#include "common/job_state.h"
#include "common/units.h"

enum {
	ROWS_MAX = 100000,
	SIGNALS = 64,	/* above are marks of Slurm's, as 125 of OOM kills */
	CLOCK_SLACK_SECONDS = 90,	/* of the node's and Slurm's clock */
};

/* "4096", "12.50K", "4Gn", "2Gc"; old releases say of what ReqMem is. */
static uint64_t parse_bytes(const char *text, bool *is_of_cpu)
{
	static const char units[] = "KMGTP";
	const char *unit;
	char *end;
	double value = strtod(text, &end);

	if (end == text || text[0] < '0' || text[0] > '9' || !(value >= 0))
		return SW_MISSING;
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		value *= (double)((uint64_t)1 << (10 * (unit - units + 1)));
		end++;
	}
	if (*end == 'c' && is_of_cpu)
		*is_of_cpu = true;
	if (*end == 'c' || *end == 'n')
		end++;
	if (*end != '\0' || !(value >= 0 && value < 9e18))
		return SW_MISSING;
	return (uint64_t)value;
}

static uint64_t parse_number(const char *text)
{
	uint64_t value;

	if (sw_count_parse(text, 0, UINT64_MAX / (60 * SW_USEC_PER_SEC) - 1,
			   &value) < 0)
		return SW_MISSING;
	return value;
}

/* "[DD-[HH:]]MM:SS[.mmm]" */
static uint64_t parse_cpu_time(const char *text)
{
	unsigned days = 0, part[3] = { 0 }, count = 0;
	const char *in = text;
	char *end, after;
	double seconds;

	/* One "-" at most, and not the first: scanf would take a sign. */
	if (strspn(text, "0123456789:-.") != strlen(text) ||
	    text[0] < '0' || text[0] > '9')
		return SW_MISSING;
	if (strchr(in, '-')) {
		if (sscanf(in, "%6u%c", &days, &after) != 2 || after != '-')
			return SW_MISSING;
		in = strchr(in, '-') + 1;
	}
	if (strchr(in, '-'))
		return SW_MISSING;
	for (; strchr(in, ':'); in = strchr(in, ':') + 1) {
		if (count == 2 ||
		    sscanf(in, "%9u%c", &part[count], &after) != 2 ||
		    after != ':')
			return SW_MISSING;
		count++;
	}
	seconds = strtod(in, &end);
	if (end == in || *end != '\0' || !(seconds >= 0 && seconds < 1e9))
		return SW_MISSING;
	seconds += count == 2 ? part[0] * 3600.0 + part[1] * 60.0 :
				part[0] * 60.0;
	return (uint64_t)((seconds + days * 86400.0) * 1e6 + 0.5);
}

/* "1:0" is an exit code and a signal. */
static void parse_exit(struct sw_acct_row *row, const char *text)
{
	unsigned code, signal;
	char more;

	row->exit_code = row->signal = SW_MISSING;
	if (sscanf(text, "%3u:%3u%c", &code, &signal, &more) != 2)
		return;
	if (signal > 0 && signal <= SIGNALS)
		row->signal = signal;
	else
		row->exit_code = code;
}

static uint64_t scaled(uint64_t value, uint64_t factor)
{
	return sw_is_missing(value) ? value : value * factor;
}

static void fill(struct sw_acct_row *row, char *const *field)
{
	snprintf(row->state, sizeof(row->state), "%s", field[ACCT_STATE]);
	snprintf(row->cluster, sizeof(row->cluster), "%s",
		 field[ACCT_CLUSTER]);
	snprintf(row->user, sizeof(row->user), "%s", field[ACCT_USER]);
	snprintf(row->nodes, sizeof(row->nodes), "%s", field[ACCT_NODES]);
	parse_exit(row, field[ACCT_EXIT]);
	row->start_seconds = parse_number(field[ACCT_START]);
	row->end_seconds = parse_number(field[ACCT_END]);
	row->elapsed_usec = scaled(parse_number(field[ACCT_ELAPSED]),
				   SW_USEC_PER_SEC);
	row->limit_usec = scaled(parse_number(field[ACCT_LIMIT]),
				 60 * SW_USEC_PER_SEC);
	row->cpus = parse_number(field[ACCT_CPUS]);
	row->node_count = parse_number(field[ACCT_NODE_COUNT]);
	row->task_count = parse_number(field[ACCT_TASKS]);
	row->requested_bytes = parse_bytes(field[ACCT_REQUESTED],
					   &row->is_of_cpu);
	row->used_usec = parse_cpu_time(field[ACCT_USED]);
	row->task_rss_bytes = parse_bytes(field[ACCT_RSS], NULL);
}

static bool split(char *line, char **field)
{
	size_t count = 0;
	char *end;

	for (;; line = end + 1) {
		if (count == ACCT_FIELDS)
			return false;
		field[count++] = line;
		end = strchr(line, '|');
		if (!end)
			return count == ACCT_FIELDS;
		*end = '\0';
	}
}

/*
 * Returns 1 where the line is of the job (wanted NULL: of any), 0 where not,
 * -1 without memory.
 */
static int add_line(struct sw_acct *acct, char *line,
		    const struct sw_jobid *wanted)
{
	struct sw_acct_row *grown, *row;
	char *field[ACCT_FIELDS];
	struct sw_jobid id;

	if (acct->count >= ROWS_MAX || !split(line, field) ||
	    sw_jobid_parse(field[ACCT_ID], &id) < 0 ||
	    (wanted && !sw_jobid_covers(wanted, &id)))
		return 0;
	grown = realloc(acct->rows, (acct->count + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	acct->rows = grown;
	row = &grown[acct->count++];
	memset(row, 0, sizeof(*row));
	row->id = id;
	fill(row, field);
	return 1;
}

static int compare_rows(const void *a, const void *b)
{
	const struct sw_acct_row *one = a, *two = b;

	/* The allocation has no step, and comes first. */
	if (!one->id.step[0] || !two->id.step[0])
		return !one->id.step[0] - !two->id.step[0] > 0 ? -1 :
		       !one->id.step[0] - !two->id.step[0] < 0;
	return sw_stepid_compare(one->id.step, two->id.step);
}

static bool is_one_job(const struct sw_acct *acct)
{
	size_t i;

	for (i = 1; i < acct->count; i++) {
		if (acct->rows[i].id.array_task !=
			    acct->rows[0].id.array_task ||
		    acct->rows[i].id.het_component !=
			    acct->rows[0].id.het_component)
			return false;
	}
	return true;
}

static bool has_step(const struct sw_acct *acct, const char *step)
{
	size_t i;

	for (i = 0; i < acct->count; i++) {
		if (!strcmp(acct->rows[i].id.step, step))
			return true;
	}
	return false;
}

static int judge(const struct sw_acct *acct, const struct sw_jobid *id,
		 struct sw_error *error)
{
	char text[SW_JOBID_TEXT_SIZE], example[SW_JOBID_TEXT_SIZE];
	struct sw_jobid first;

	sw_jobid_format(text, sizeof(text), id);
	if (!acct->count || !has_step(acct, id->step)) {
		errno = ESRCH;
		return sw_error_set(error, "sacct has no record of job %s",
				    text);
	}
	if (is_one_job(acct))
		return 0;
	first = acct->rows[0].id;
	first.step[0] = '\0';
	errno = ENOTUNIQ;
	return sw_error_set(error, "%s matches several jobs in sacct; name "
			    "one, as in \"%s\"", text,
			    sw_jobid_format(example, sizeof(example), &first));
}

static int add_lines(struct sw_acct *acct, char *text,
		     const struct sw_jobid *wanted, struct sw_error *error)
{
	char *line, *rest = NULL;

	memset(acct, 0, sizeof(*acct));
	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		int added = add_line(acct, line, wanted);

		if (added < 0) {
			sw_acct_fini(acct);
			return sw_error_set(error, "not enough memory");
		}
		acct->skipped += !added;
	}
	return 0;
}

int sw_acct_parse(struct sw_acct *acct, char *text, const struct sw_jobid *id,
		  struct sw_error *error)
{
	if (add_lines(acct, text, id, error) < 0)
		return -1;
	if (judge(acct, id, error) < 0) {
		int saved = errno;

		sw_acct_fini(acct);
		errno = saved;
		return -1;
	}
	qsort(acct->rows, acct->count, sizeof(*acct->rows), compare_rows);
	return 0;
}

/* sacct prints the steps of a run behind its allocation. */
int sw_acct_parse_runs(struct sw_acct *acct, char *text,
		       struct sw_error *error)
{
	size_t i, run = 0;

	if (add_lines(acct, text, NULL, error) < 0)
		return -1;
	for (i = 0; i < acct->count; i++) {
		run += !acct->rows[i].id.step[0];
		acct->rows[i].run = run;
	}
	return 0;
}

static bool is_of_cluster(const struct sw_acct_row *row, const char *cluster)
{
	return !cluster || !*cluster || !row->cluster[0] ||
	       !strcmp(row->cluster, cluster);
}

static bool is_on_at(const struct sw_acct_row *row, uint64_t seconds)
{
	return sw_is_missing(seconds) ||
	       (!sw_is_missing(row->start_seconds) &&
		row->start_seconds <= seconds + CLOCK_SLACK_SECONDS &&
		(sw_is_missing(row->end_seconds) ||
		 seconds <= row->end_seconds + CLOCK_SLACK_SECONDS));
}

const struct sw_acct_row *sw_acct_find(const struct sw_acct *acct,
				       const struct sw_jobid *id,
				       const char *cluster,
				       uint64_t time_seconds)
{
	const struct sw_acct_row *found = NULL, *row;
	size_t i;

	for (i = 0; i < acct->count; i++) {
		row = &acct->rows[i];
		if (row->id.step[0] || sw_jobid_compare(&row->id, id) ||
		    !is_of_cluster(row, cluster) ||
		    !is_on_at(row, time_seconds))
			continue;
		/* Of two runs at a requeue the one that had begun. */
		if (!found || sw_is_missing(time_seconds) ||
		    row->start_seconds <= time_seconds)
			found = row;
	}
	return found;
}

const struct sw_acct_row *sw_acct_find_step(const struct sw_acct *acct,
					    const struct sw_acct_row *job,
					    const char *step)
{
	size_t i = (size_t)(job - acct->rows) + 1;

	for (; i < acct->count && acct->rows[i].run == job->run; i++) {
		if (!strcmp(acct->rows[i].id.step, step))
			return &acct->rows[i];
	}
	return NULL;
}

bool sw_acct_is_final(const struct sw_acct_row *row)
{
	return sw_job_state_is_final(sw_job_state_read(row->state));
}

void sw_acct_fini(struct sw_acct *acct)
{
	free(acct->rows);
	memset(acct, 0, sizeof(*acct));
}
