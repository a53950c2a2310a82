/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find groups that are samples of the same work, by their runs. */
#include "analyzer/history/history_fold.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/history/history_internal.h"
#include "common/missing.h"

#define NOT_READ "the history was not read"

/* Common properties of the groups of a family, and a name in it. */
struct kind {
	char *group;
	char family[SW_JOB_GROUP_SIZE];
	char from[SW_JOB_GROUP_SIZE], to[SW_JOB_GROUP_SIZE];
	char *user, *programs;
	bool is_of_step;
	bool is_common; /* sw_is_common() for all runs with its request */
	struct sw_run asked;
};

/* sw_family(name): NULL if no part of it differs between samples. */
static void family_function(sqlite3_context *context, int count,
			    sqlite3_value **values)
{
	const char *name = (const char *)sqlite3_value_text(values[0]);
	char family[SW_JOB_GROUP_SIZE];

	(void)count;
	if (name && sw_family_name(family, sizeof(family), name))
		sqlite3_result_text(context, family, -1, SQLITE_TRANSIENT);
}

enum { PROGRAMS_MAX = 4 }; /* sw_job_group_programs() has up to 3 */

/* Programs common to several runs, and the length of the shortest list. */
struct common {
	bool has_any;
	size_t fewest, count;
	char names[PROGRAMS_MAX][SW_JOB_GROUP_SIZE];
};

static size_t count_programs(const char *programs)
{
	size_t count = 1;

	for (; *programs; programs++)
		count += *programs == '+';
	return count;
}

static bool has_program(const char *programs, const char *name)
{
	size_t length = strlen(name), own;

	for (; *programs; programs += own + (programs[own] == '+')) {
		own = strcspn(programs, "+");
		if (own == length && !strncmp(programs, name, length))
			return true;
	}
	return false;
}

static void take_first(struct common *common, const char *programs)
{
	size_t length;

	common->has_any = true;
	common->fewest = count_programs(programs);
	while (*programs && common->count < PROGRAMS_MAX) {
		length = strcspn(programs, "+");
		snprintf(common->names[common->count++], SW_JOB_GROUP_SIZE,
			 "%.*s", (int)length, programs);
		programs += length + (programs[length] == '+');
	}
}

static void common_step(sqlite3_context *context, int count,
			sqlite3_value **values)
{
	struct common *common =
		sqlite3_aggregate_context(context, sizeof(*common));
	const char *programs = (const char *)sqlite3_value_text(values[0]);
	size_t i, kept = 0, fewer;

	(void)count;
	if (!common || !programs)
		return;
	if (!common->has_any) {
		take_first(common, programs);
		return;
	}
	fewer = count_programs(programs);
	if (fewer < common->fewest)
		common->fewest = fewer;
	for (i = 0; i < common->count; i++) {
		if (!has_program(programs, common->names[i]))
			continue;
		memmove(common->names[kept], common->names[i],
			SW_JOB_GROUP_SIZE);
		kept++;
	}
	common->count = kept;
}

/*
 * sw_is_common(programs): true if one of the lists is part of all others.  A
 * program with a tenth of the CPU time is in the list of one run, but not in
 * that of the next.
 */
static void common_final(sqlite3_context *context)
{
	const struct common *common = sqlite3_aggregate_context(context, 0);

	sqlite3_result_int(context, common && common->count > 0 &&
					    common->count == common->fewest);
}

static sqlite3_stmt *prepare(struct sw_history *history, const char *sql,
			     struct sw_error *error)
{
	sqlite3_stmt *statement = NULL;
	int rc;

	rc = sqlite3_create_function(history->db, "sw_family", 1,
				     SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
				     family_function, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_create_function(history->db, "sw_is_common", 1,
					     SQLITE_UTF8 | SQLITE_DETERMINISTIC,
					     NULL, NULL, common_step,
					     common_final);
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(history->db, sql, -1, &statement, NULL);
	if (rc != SQLITE_OK)
		sw_history_fail(history, rc, NOT_READ, error);
	return statement;
}

/*
 * All names of a family have a common prefix, followed by a letter or digit, so
 * they are adjacent in the index of names.
 */
static bool put_family(struct kind *kind, const char *group)
{
	if (!sw_family_name(kind->family, sizeof(kind->family), group))
		return false;
	snprintf(kind->from, sizeof(kind->from), "%.*s",
		 (int)strcspn(kind->family, "*"), kind->family);
	snprintf(kind->to, sizeof(kind->to), "%.*s\x7f",
		 (int)sizeof(kind->to) - 2, kind->from);
	return true;
}

static int copy(struct kind *kind, const char *group, const char *user,
		const char *programs, const struct sw_run *asked)
{
	kind->group = strdup(group);
	kind->user = strdup(sw_text(user));
	kind->programs = strdup(sw_text(programs));
	kind->asked = *asked;
	return kind->group && kind->user && kind->programs ? 0 : -1;
}

static void kind_fini(struct kind *kind)
{
	free(kind->group);
	free(kind->user);
	free(kind->programs);
}

static int ask_kind(struct sw_history *history, struct kind *kind,
		    const char *group, const struct sw_group_rules *rules,
		    struct sw_error *error)
{
	char *columns = sw_history_columns_sql(history), *text = NULL;
	sqlite3_stmt *statement = NULL;
	struct sw_run asked;
	int rc = SQLITE_NOMEM;

	if (columns)
		text = sqlite3_mprintf(
			"SELECT user, programs, step != '', name, partition, "
			"%s FROM runs WHERE group_id = (SELECT id FROM groups "
			"WHERE name = ?1) AND programs != '' "
			"ORDER BY end_seconds DESC, id DESC LIMIT 1",
			columns);
	if (text)
		statement = prepare(history, text, error);
	sqlite3_free(columns);
	sqlite3_free(text);
	if (!statement)
		return text ? -1
			    : sw_history_fail(history, rc, NOT_READ, error);
	sqlite3_bind_text(statement, 1, group, -1, SQLITE_STATIC);
	rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW &&
	    !sw_group_rules_apply(
		    rules, (const char *)sqlite3_column_text(statement, 3),
		    (const char *)sqlite3_column_text(statement, 4))) {
		kind->is_of_step = sqlite3_column_int(statement, 2) != 0;
		sw_history_read_run(statement, 5, &asked);
		if (copy(kind, group,
			 (const char *)sqlite3_column_text(statement, 0),
			 (const char *)sqlite3_column_text(statement, 1),
			 &asked) < 0)
			rc = SQLITE_NOMEM;
	}
	sqlite3_finalize(statement);
	return rc == SQLITE_ROW || rc == SQLITE_DONE
		       ? 0
		       : sw_history_fail(history, rc, NOT_READ, error);
}

/* If the programs are unknown, kind->group stays NULL. */
static int find_kind(struct sw_history *history, struct kind *kind,
		     const char *group, const struct sw_history_run *own,
		     const struct sw_group_rules *rules, struct sw_error *error)
{
	if (!own)
		return ask_kind(history, kind, group, rules, error);
	if (!*sw_text(own->programs) ||
	    sw_group_rules_apply(rules, sw_text(own->name), own->partition))
		return 0;
	kind->is_of_step = *sw_text(own->step) != '\0';
	return copy(kind, group, own->user, own->programs, &own->run) == 0
		       ? 0
		       : sw_history_fail(history, SQLITE_NOMEM, NOT_READ,
					 error);
}

#define IN_FAMILY "g.name >= ?1 AND g.name < ?2 AND sw_family(g.name) = ?3"
#define OF_REQUEST                                                             \
	"g.is_of_step = ?4 AND r.user = ?6 AND r.programs != '' AND "          \
	"r.requested_cores IS ?8 AND r.nodes IS ?9 AND r.tasks IS ?10 AND "    \
	"r.requested_gpus IS ?11"
#define FOLDED                                                                 \
	"FROM runs r JOIN groups g ON g.id = r.group_id WHERE " IN_FAMILY      \
	" AND (g.name = ?5 OR (" OF_REQUEST " AND (?12 OR r.programs = ?7))) "

static void bind_family(sqlite3_stmt *statement, const struct kind *kind)
{
	sqlite3_bind_text(statement, 1, kind->from, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 2, kind->to, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 3, kind->family, -1, SQLITE_STATIC);
}

/* Unknown values (NAN) are bound as NULL. */
static void bind_kind(sqlite3_stmt *statement, const struct kind *kind)
{
	bind_family(statement, kind);
	sqlite3_bind_int(statement, 4, kind->is_of_step);
	sqlite3_bind_text(statement, 5, kind->group, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 6, kind->user, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 7, kind->programs, -1, SQLITE_STATIC);
	sqlite3_bind_double(statement, 8, kind->asked.requested_cores);
	sqlite3_bind_double(statement, 9, kind->asked.nodes);
	sqlite3_bind_double(statement, 10, kind->asked.tasks);
	sqlite3_bind_double(statement, 11, kind->asked.requested_gpus);
	sqlite3_bind_int(statement, 12, kind->is_common);
}

static int ask_number(struct sw_history *history, const struct kind *kind,
		      const char *sql, size_t *number, struct sw_error *error)
{
	sqlite3_stmt *statement = prepare(history, sql, error);
	int rc;

	if (!statement)
		return -1;
	bind_kind(statement, kind);
	rc = sqlite3_step(statement);
	*number = (size_t)sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return rc == SQLITE_ROW ? 0
				: sw_history_fail(history, rc, NOT_READ, error);
}

static int ask_common(struct sw_history *history, struct kind *kind,
		      struct sw_error *error)
{
	size_t is_common = 0;
	int rc = ask_number(
		history, kind,
		"SELECT sw_is_common(programs) FROM (SELECT ?7 AS programs "
		"UNION ALL SELECT r.programs FROM runs r JOIN groups g "
		"ON g.id = r.group_id WHERE " IN_FAMILY " AND " OF_REQUEST ")",
		&is_common, error);

	kind->is_common = is_common != 0;
	return rc;
}

/* The group may have no run in the history, as own is not there yet. */
static int count_names(struct sw_history *history, const struct kind *kind,
		       size_t *names, struct sw_error *error)
{
	return ask_number(
		history, kind,
		"SELECT count(DISTINCT g.id) + 1 - "
		"count(DISTINCT CASE g.name WHEN ?5 THEN g.id END) " FOLDED,
		names, error);
}

static int read_runs(struct sw_history *history, const struct kind *kind,
		     size_t limit, struct sw_history_runs *runs,
		     struct sw_error *error)
{
	char *columns = sw_history_columns_sql(history), *text = NULL;
	sqlite3_stmt *statement = NULL;
	int rc;

	if (columns)
		text = sqlite3_mprintf("SELECT job, lineage, %s " FOLDED
				       "ORDER BY end_seconds DESC, r.id DESC "
				       "LIMIT ?13",
				       columns);
	if (text)
		statement = prepare(history, text, error);
	else
		sw_history_fail(history, SQLITE_NOMEM, NOT_READ, error);
	sqlite3_free(columns);
	sqlite3_free(text);
	if (!statement)
		return -1;
	bind_kind(statement, kind);
	sqlite3_bind_int64(statement, 13, (sqlite3_int64)limit);
	rc = sw_history_read_runs(history, statement, runs, error);
	sqlite3_finalize(statement);
	return rc;
}

int sw_history_fold(struct sw_history *history, const char *group,
		    const struct sw_history_run *own,
		    const struct sw_group_rules *rules, size_t limit,
		    struct sw_history_fold *fold, struct sw_error *error)
{
	struct kind kind = { .group = NULL };
	int rc = 0;

	*fold = (struct sw_history_fold){ .names = 1 };
	if (!put_family(&kind, group))
		return 0;
	rc = find_kind(history, &kind, group, own, rules, error);
	if (rc == 0 && kind.group)
		rc = ask_common(history, &kind, error);
	if (rc == 0 && kind.group)
		rc = count_names(history, &kind, &fold->names, error);
	if (rc == 0 && fold->names > 1) {
		snprintf(fold->name, sizeof(fold->name), "%s", kind.family);
		rc = read_runs(history, &kind, limit, &fold->runs, error);
	}
	kind_fini(&kind);
	return rc;
}

/* Without a user, the caller's own name. */
static void put_owner(char *user, char *group, size_t size, const char *what)
{
	const char *slash = strchr(what, '/');

	if (slash)
		snprintf(user, size, "%.*s", (int)(slash - what), what);
	else
		snprintf(user, size, "%s", sw_history_own_name());
	if (slash)
		snprintf(group, size, "%s", what);
	else
		snprintf(group, size, "%.64s/%.180s", user, what);
}

int sw_history_find_relative(struct sw_history *history, const char *what,
			     double cores, char **group, struct sw_error *error)
{
	char user[SW_JOB_GROUP_SIZE], name[SW_JOB_GROUP_SIZE];
	struct kind kind = { .group = NULL };
	sqlite3_stmt *statement;
	int rc;

	*group = NULL;
	put_owner(user, name, sizeof(name), what);
	if (!put_family(&kind, name)) {
		errno = ENOENT;
		return -1;
	}
	/* SQLite: the name is that of the row with the maximum. */
	statement = prepare(
		history,
		"SELECT g.name, max(r.end_seconds), sw_is_common(r.programs) "
		"FROM runs r JOIN groups g "
		"ON g.id = r.group_id WHERE " IN_FAMILY " AND "
		"NOT g.is_of_step AND r.user = ?4 AND r.programs != '' AND "
		"(?5 IS NULL OR r.requested_cores IS NULL OR "
		"r.requested_cores = ?5)",
		error);
	if (!statement)
		return -1;
	bind_family(statement, &kind);
	sqlite3_bind_text(statement, 4, user, -1, SQLITE_STATIC);
	sqlite3_bind_double(statement, 5, cores);
	rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW && sqlite3_column_int(statement, 2)) {
		*group = strdup(sw_text(
			(const char *)sqlite3_column_text(statement, 0)));
		rc = *group ? SQLITE_ROW : SQLITE_NOMEM;
	}
	sqlite3_finalize(statement);
	if (rc != SQLITE_ROW)
		return sw_history_fail(history, rc, NOT_READ, error);
	errno = ENOENT;
	return *group ? 0 : -1;
}

/*
 * Runs with the columns to fold by: runs with equal columns, and equal programs
 * unless these are common, form one fold.
 */
#define WITH_FOLDS                                                             \
	"WITH members AS (SELECT g.id AS id, sw_family(g.name) AS family, "    \
	"r.user AS user, r.programs AS programs, r.requested_cores AS cores, " \
	"r.nodes AS nodes, r.tasks AS tasks, r.requested_gpus AS gpus "        \
	"FROM runs r JOIN groups g ON g.id = r.group_id "                      \
	"WHERE NOT g.is_of_step AND r.programs != '' AND family IS NOT NULL)," \
	"requests AS (SELECT family, user, cores, nodes, tasks, gpus, "        \
	"sw_is_common(programs) AS is_common FROM members GROUP BY family, "   \
	"user, cores, nodes, tasks, gpus), "                                   \
	"kinds AS (SELECT m.*, CASE WHEN is_common THEN '' ELSE programs END " \
	"AS kind FROM members m JOIN requests r ON m.family = r.family AND "   \
	"m.user = r.user AND m.cores IS r.cores AND m.nodes IS r.nodes AND "   \
	"m.tasks IS r.tasks AND m.gpus IS r.gpus), "                           \
	"folds AS (SELECT *, min(id) OVER fold != max(id) OVER fold AS "       \
	"is_folded FROM kinds WINDOW fold AS (PARTITION BY family, user, "     \
	"kind, cores, nodes, tasks, gpus)) "

int sw_history_each_folded(struct sw_history *history, unsigned min_runs,
			   sw_history_folded_f seen, void *context,
			   struct sw_error *error)
{
	sqlite3_stmt *statement = prepare(
		history,
		WITH_FOLDS
		"SELECT family AS name, count(*) AS n, count(DISTINCT id) "
		"FROM folds WHERE is_folded GROUP BY family, user, "
		"kind, cores, nodes, tasks, gpus "
		"UNION ALL SELECT g.name, count(*), 1 "
		"FROM runs r JOIN groups g ON g.id = r.group_id "
		"WHERE NOT g.is_of_step GROUP BY r.group_id "
		"HAVING sum(r.state = ?2) >= ?1 OR r.group_id NOT IN "
		"(SELECT id FROM folds WHERE is_folded) "
		"ORDER BY n DESC, name",
		error);
	int rc = SQLITE_DONE, answer = 0;

	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, 1, min_runs);
	sqlite3_bind_int(statement, 2, SW_RUN_COMPLETED);
	while (answer == 0 && (rc = sqlite3_step(statement)) == SQLITE_ROW)
		answer = seen(context,
			      (const char *)sqlite3_column_text(statement, 0),
			      (size_t)sqlite3_column_int64(statement, 1),
			      (size_t)sqlite3_column_int64(statement, 2));
	if (rc != SQLITE_DONE && rc != SQLITE_ROW)
		answer = sw_history_fail(history, rc, NOT_READ, error);
	sqlite3_finalize(statement);
	return answer;
}
