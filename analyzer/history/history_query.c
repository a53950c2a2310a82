/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Query the history: runs of a group, and the group that a user means. */
#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice/attempts.h"
#include "analyzer/grouping/job_group.h"
#include "analyzer/history/history_internal.h"
#include "analyzer/keyed/keyed.h"
#include "common/escape.h"
#include "common/jobid.h"

#define NOT_READ "the history was not read"

/* Search so many runs before a retry for its first attempt. */
enum { RUNS_BEFORE_RETRY = 1000 };

/* Runs being read, with a hash of each one's lineage. */
struct reading {
	struct sw_history_runs *runs;
	uint64_t *lineages;
	size_t room;
};

static int make_room(struct reading *reading)
{
	size_t room = reading->room ? 2 * reading->room : 64;
	struct sw_history_runs *runs = reading->runs;
	uint64_t *lineages;
	struct sw_run *grown;
	char **jobs;

	if (runs->count < reading->room)
		return 0;
	grown = reallocarray(runs->runs, room, sizeof(*grown));
	if (!grown)
		return -1;
	runs->runs = grown;
	jobs = reallocarray(runs->jobs, room, sizeof(*jobs));
	if (!jobs)
		return -1;
	runs->jobs = jobs;
	lineages = reallocarray(reading->lineages, room, sizeof(*lineages));
	if (!lineages)
		return -1;
	reading->lineages = lineages;
	reading->room = room;
	return 0;
}

/* 0 for what is not known. */
static uint64_t hash(const char *text)
{
	return *text ? sw_fnv(SW_FNV_FIRST, text, strlen(text)) : 0;
}

static int keep(void *context, sqlite3_stmt *statement)
{
	struct reading *reading = context;
	struct sw_history_runs *runs = reading->runs;
	const char *job;

	if (make_room(reading) < 0)
		return -1;
	job = (const char *)sqlite3_column_text(statement, 0);
	runs->jobs[runs->count] = strdup(sw_text(job));
	if (!runs->jobs[runs->count])
		return -1;
	reading->lineages[runs->count] =
		hash(sw_text((const char *)sqlite3_column_text(statement, 1)));
	sw_history_read_run(statement, 2, &runs->runs[runs->count]);
	runs->count++;
	return 0;
}

/* Newest first: later elements ran before the retry. */
static void find_first(const struct reading *reading, size_t retry)
{
	const struct sw_history_runs *runs = reading->runs;
	size_t i;

	for (i = retry + 1; i < runs->count && i <= retry + RUNS_BEFORE_RETRY;
	     i++) {
		if (reading->lineages[i] != reading->lineages[retry] ||
		    runs->runs[i].attempt > 1)
			continue;
		runs->runs[retry].first_requested_bytes =
			runs->runs[i].requested_bytes;
		return;
	}
}

static void find_first_attempts(const struct reading *reading)
{
	size_t i;

	for (i = 0; i < reading->runs->count; i++) {
		if (reading->runs->runs[i].attempt > 1 && reading->lineages[i])
			find_first(reading, i);
	}
}

/* Newest first, so that the limit drops the oldest. */
static void turn_around(struct sw_history_runs *runs)
{
	struct sw_run run;
	size_t i, j;
	char *job;

	for (i = 0; i < runs->count / 2; i++) {
		j = runs->count - 1 - i;
		run = runs->runs[i];
		runs->runs[i] = runs->runs[j];
		runs->runs[j] = run;
		job = runs->jobs[i];
		runs->jobs[i] = runs->jobs[j];
		runs->jobs[j] = job;
	}
}

int sw_history_each_row(struct sw_history *history, sqlite3_stmt *statement,
			int (*take)(void *context, sqlite3_stmt *statement),
			void *context, struct sw_error *error)
{
	int rc;

	while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
		if (take(context, statement) < 0) {
			rc = SQLITE_NOMEM;
			break;
		}
	}
	sqlite3_reset(statement);
	return rc == SQLITE_DONE ? 0 : sw_history_fail(history, rc, NOT_READ,
						       error);
}

int sw_history_read_runs(struct sw_history *history, sqlite3_stmt *statement,
			 struct sw_history_runs *runs, struct sw_error *error)
{
	struct reading reading = { .runs = runs };
	int rc;

	memset(runs, 0, sizeof(*runs));
	rc = sw_history_each_row(history, statement, keep, &reading, error);
	find_first_attempts(&reading);
	free(reading.lineages);
	if (rc < 0) {
		sw_history_runs_fini(runs);
		return -1;
	}
	turn_around(runs);
	sw_attempts_find(runs->runs, runs->count);
	return 0;
}

int sw_history_runs(struct sw_history *history, const char *group, size_t limit,
		    struct sw_history_runs *runs, struct sw_error *error)
{
	sqlite3_stmt *statement;

	memset(runs, 0, sizeof(*runs));
	statement =
		sw_history_statement(history, SW_HISTORY_SELECT_RUNS, error);
	if (!statement)
		return -1;
	sqlite3_bind_text(statement, 1, group, -1, SQLITE_STATIC);
	sqlite3_bind_int64(statement, 2,
			   limit > INT64_MAX ? INT64_MAX
					     : (sqlite3_int64)limit);
	return sw_history_read_runs(history, statement, runs, error);
}

void sw_history_runs_fini(struct sw_history_runs *runs)
{
	size_t i;

	for (i = 0; i < runs->count; i++)
		free(runs->jobs[i]);
	free(runs->jobs);
	free(runs->runs);
	memset(runs, 0, sizeof(*runs));
}

bool sw_history_is_run(const struct sw_history_run *run, const char *job,
		       double start_seconds)
{
	return !strcmp(job, sw_text(run->job)) &&
	       !(fabs(start_seconds - run->run.start_seconds) >=
		 SW_HISTORY_SAME_START_SECONDS);
}

static bool has_run(const struct sw_history_runs *runs,
		    const struct sw_history_run *run)
{
	size_t i;

	for (i = 0; i < runs->count; i++) {
		if (sw_history_is_run(run, runs->jobs[i],
				      runs->runs[i].start_seconds))
			return true;
	}
	return false;
}

int sw_history_runs_put(struct sw_history_runs *runs,
			const struct sw_history_run *run)
{
	struct sw_run *grown;
	char **jobs, *job;
	size_t at = runs->count;

	if (has_run(runs, run))
		return 0;
	grown = realloc(runs->runs, (runs->count + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	runs->runs = grown;
	jobs = realloc(runs->jobs, (runs->count + 1) * sizeof(*jobs));
	if (!jobs)
		return -1;
	runs->jobs = jobs;
	job = strdup(run->job);
	if (!job)
		return -1;
	for (; at > 0 && runs->runs[at - 1].end_seconds >
			 run->run.end_seconds; at--) {
		runs->runs[at] = runs->runs[at - 1];
		jobs[at] = jobs[at - 1];
	}
	runs->runs[at] = run->run;
	sw_history_clean(&runs->runs[at]);
	jobs[at] = job;
	runs->count++;
	return 0;
}

/* A meaning of a user's word ?1; ?2 is the user's name. */
static const char *const meanings[] = {
	/* a group */
	"SELECT name FROM groups WHERE name = ?1",
	/* a job or step, last restart */
	"SELECT g.name FROM runs r JOIN groups g ON g.id = r.group_id "
	"WHERE r.job IN (?1, 'lsf:' || ?1) AND r.step = ?3 "
	"ORDER BY r.start_seconds DESC LIMIT 1",
	/* an array, whose elements are the same work */
	"SELECT g.name FROM runs r JOIN groups g ON g.id = r.group_id "
	"WHERE (r.job >= ?1 || '_' AND r.job < ?1 || '`' OR r.job >= 'lsf:' || "
	"?1 || '_' AND r.job < 'lsf:' || ?1 || '`') AND r.step = ?3 "
	"GROUP BY g.name ORDER BY count(*) DESC LIMIT 1",
	/* own work of this name, then anybody's */
	"SELECT name FROM groups WHERE name = ?2 || '/' || ?1",
	"SELECT name FROM groups WHERE label = ?1 AND NOT is_of_step LIMIT 2",
	"SELECT name FROM groups WHERE label = ?1 LIMIT 2",
	/* common prefix of the names, as "prep" of "prep_#" */
	"SELECT name FROM groups WHERE label IN (?1 || '_#', ?1 || '-#', "
	"?1 || '.#', ?1 || '#') AND NOT is_of_step LIMIT 2",
	/* process or task, without the workflow before it */
	"SELECT name FROM groups WHERE substr(name, -length(?1) - 1) = ':' || "
	"?1 AND NOT is_of_step LIMIT 2",
	/* generic name, followed by the programs in the group */
	"SELECT name FROM groups WHERE name > ?1 || ':' AND name < ?1 || ';' "
	"AND NOT is_of_step LIMIT 2",
};

enum { MEANINGS = sizeof(meanings) / sizeof(meanings[0]) };

const char *sw_history_own_name(void)
{
	const struct passwd *entry = getpwuid(geteuid());

	return entry ? entry->pw_name : "";
}

/* "123.batch": the step follows the last dot of an id. */
static void split(char *what, const char **step)
{
	char *dot = strrchr(what, '.');

	*step = "";
	if (what[0] < '0' || what[0] > '9' || !dot || dot == what || !dot[1])
		return;
	*dot = '\0';
	*step = dot + 1;
}

/* Return 0: none, 1: one, in *group, 2: several. */
static int ask(struct sw_history *history, size_t meaning, const char *what,
	       const char *step, char **group, struct sw_error *error)
{
	sqlite3_stmt *statement;
	int rc, found = 0;

	rc = sqlite3_prepare_v2(history->db, meanings[meaning], -1, &statement,
				NULL);
	if (rc != SQLITE_OK)
		return sw_history_fail(history, rc, NOT_READ, error);
	sqlite3_bind_text(statement, 1, what, -1, SQLITE_STATIC);
	if (strstr(meanings[meaning], "?2"))
		sqlite3_bind_text(statement, 2, sw_history_own_name(), -1,
				  SQLITE_STATIC);
	if (strstr(meanings[meaning], "?3"))
		sqlite3_bind_text(statement, 3, step, -1, SQLITE_STATIC);
	while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
		if (++found > 1)
			continue;
		*group = strdup((const char *)sqlite3_column_text(statement,
								  0));
		if (!*group) {
			rc = SQLITE_NOMEM;
			break;
		}
	}
	if (rc != SQLITE_DONE)
		found = sw_history_fail(history, rc, NOT_READ, error);
	sqlite3_finalize(statement);
	return found;
}

/* Look up a job name with its variable parts folded. */
static int ask_folded(struct sw_history *history, const char *what,
		      char **group, struct sw_error *error)
{
	char name[SW_JOB_GROUP_SIZE];
	int found = 0;
	size_t i;

	sw_fold_name(name, sizeof(name), what);
	for (i = 0; i < MEANINGS && found == 0; i++) {
		if (!strstr(meanings[i], "?3"))
			found = ask(history, i, name, "", group, error);
	}
	return found;
}

int sw_history_find_group(struct sw_history *history, const char *what,
			  char **group, struct sw_error *error)
{
	char job[256], shown[160], one[160];
	struct sw_jobid id;
	const char *step;
	int found = 0;
	size_t i;

	snprintf(job, sizeof(job), "%s", what);
	split(job, &step);
	*group = NULL;
	for (i = 0; i < MEANINGS && found == 0; i++)
		found = ask(history, i, strstr(meanings[i], "?3") ? job : what,
			    step, group, error);
	if (found == 0 && sw_jobid_parse(what, &id) < 0)
		found = ask_folded(history, what, group, error);
	if (found == 1)
		return 0;
	sw_escape_ascii(one, sizeof(one), *group ? *group : "");
	free(*group);
	*group = NULL;
	if (found < 0)
		return -1;
	sw_escape_ascii(shown, sizeof(shown), what);
	errno = found ? ENOTUNIQ : ENOENT;
	return found ? sw_error_set(error, "\"%s\" is the name of several "
				    "groups; use a full name, such as \"%s\"",
				    shown, one) :
	       sw_error_set(error, "%s: the history has no run of \"%s\"",
			    history->path, shown);
}

int sw_history_without_record(struct sw_history *history, size_t limit,
			      char **ids, struct sw_error *error)
{
	/* Ids of runs without Slurm contain other letters. */
	static const char sql[] =
		"SELECT ifnull(group_concat(job), '') FROM ("
		"SELECT job FROM runs WHERE source = ?1 AND step = '' AND "
		"has_slurm_state = 0 AND job GLOB '[1-9]*' AND "
		"job NOT GLOB '*[^0-9_+]*' GROUP BY job "
		"ORDER BY max(end_seconds) DESC LIMIT ?2)";
	sqlite3_stmt *statement;
	int rc;

	*ids = NULL;
	rc = sqlite3_prepare_v2(history->db, sql, -1, &statement, NULL);
	if (rc != SQLITE_OK)
		return sw_history_fail(history, rc, NOT_READ, error);
	sqlite3_bind_int(statement, 1, SW_HISTORY_PROFILE);
	sqlite3_bind_int64(statement, 2, (sqlite3_int64)limit);
	rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW) {
		*ids = strdup((const char *)sqlite3_column_text(statement, 0));
		rc = *ids ? SQLITE_OK : SQLITE_NOMEM;
	}
	sqlite3_finalize(statement);
	return rc == SQLITE_OK ? 0 :
	       sw_history_fail(history, rc, NOT_READ, error);
}

/* First text in sql's result for a group (?1; ?2 is CSV), or "". */
static int ask_text(struct sw_history *history, const char *sql,
		    const char *group, char **text, struct sw_error *error)
{
	sqlite3_stmt *statement;
	int rc;

	*text = NULL;
	rc = sqlite3_prepare_v2(history->db, sql, -1, &statement, NULL);
	if (rc != SQLITE_OK)
		return sw_history_fail(history, rc, NOT_READ, error);
	sqlite3_bind_text(statement, 1, group, -1, SQLITE_STATIC);
	if (strstr(sql, "?2"))
		sqlite3_bind_int(statement, 2, SW_HISTORY_CSV);
	rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW || rc == SQLITE_DONE) {
		*text = strdup(rc == SQLITE_ROW ? (const char *)
			       sqlite3_column_text(statement, 0) : "");
		rc = *text ? SQLITE_OK : SQLITE_NOMEM;
	}
	sqlite3_finalize(statement);
	return rc == SQLITE_OK ? 0 :
	       sw_history_fail(history, rc, NOT_READ, error);
}

int sw_history_name(struct sw_history *history, const char *group, char **name,
		    struct sw_error *error)
{
	return ask_text(history,
		"SELECT substr(r.name, CASE r.source WHEN ?2 THEN "
		"instr(r.name, ':') + 1 ELSE 1 END) FROM runs r JOIN groups g "
		"ON g.id = r.group_id WHERE g.name = ?1 AND r.name != '' "
		"ORDER BY r.end_seconds DESC LIMIT 1", group, name, error);
}

int sw_history_largest_request(struct sw_history *history, const char *group,
			       double *bytes, struct sw_error *error)
{
	sqlite3_stmt *statement;
	int rc;

	*bytes = NAN;
	rc = sqlite3_prepare_v2(history->db,
		"SELECT max(requested_bytes) FROM runs WHERE cluster IN ("
		"SELECT r.cluster FROM runs r JOIN groups g "
		"ON g.id = r.group_id WHERE g.name = ?1)", -1, &statement,
		NULL);
	if (rc != SQLITE_OK)
		return sw_history_fail(history, rc, NOT_READ, error);
	sqlite3_bind_text(statement, 1, group, -1, SQLITE_STATIC);
	rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW &&
	    sqlite3_column_type(statement, 0) != SQLITE_NULL)
		*bytes = sqlite3_column_double(statement, 0);
	sqlite3_finalize(statement);
	return rc == SQLITE_ROW ? 0 :
	       sw_history_fail(history, rc, NOT_READ, error);
}

int sw_history_each_group(struct sw_history *history, bool is_of_steps,
			  sw_history_group_f seen, void *context,
			  struct sw_error *error)
{
	sqlite3_stmt *statement;
	int rc, answer = 0;

	rc = sqlite3_prepare_v2(history->db,
		"SELECT g.name, count(*) AS n FROM runs r JOIN groups g "
		"ON g.id = r.group_id WHERE g.is_of_step = ?1 "
		"GROUP BY r.group_id ORDER BY n DESC, g.name", -1, &statement,
		NULL);
	if (rc != SQLITE_OK)
		return sw_history_fail(history, rc, NOT_READ, error);
	sqlite3_bind_int(statement, 1, is_of_steps);
	while (answer == 0 && (rc = sqlite3_step(statement)) == SQLITE_ROW)
		answer = seen(context,
			      (const char *)sqlite3_column_text(statement, 0),
			      (size_t)sqlite3_column_int64(statement, 1));
	if (rc != SQLITE_DONE && rc != SQLITE_ROW)
		answer = sw_history_fail(history, rc, NOT_READ, error);
	sqlite3_finalize(statement);
	return answer;
}
