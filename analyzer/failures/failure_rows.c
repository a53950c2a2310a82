/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From cells to rows, one group after the other, and the nodes to be named. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/failures/failure_cell.h"
#include "analyzer/failures/strata.h"
#include "common/grow.h"

/* The cells of a group, in two orders. */
struct group {
	struct sw_failure_cell **by_cause;   /* failures alone */
	struct sw_failure_cell **by_stratum; /* those of one node */
	struct sw_stratum *strata;
	size_t causes, cells;
	uint64_t jobs, users;
	const char *user; /* the first */
};

struct making {
	const struct sw_failure_settings *settings;
	struct sw_failure_rows *rows;
	double tests; /* pairs of cause and node */
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static uint64_t add(uint64_t a, uint64_t b)
{
	return a > SW_MISSING - b ? SW_MISSING : a + b;
}

static int compare_cause(const struct sw_failure_cell *a,
			 const struct sw_failure_cell *b)
{
	int order = strcmp(a->text[SW_CELL_PROGRAM], b->text[SW_CELL_PROGRAM]);

	if (order == 0)
		order = strcmp(a->text[SW_CELL_MESSAGE],
			       b->text[SW_CELL_MESSAGE]);
	if (order == 0)
		order = compare(a->numbers.class, b->numbers.class);
	if (order == 0)
		order = compare(a->numbers.exit_code, b->numbers.exit_code);
	return order ? order : compare(a->numbers.signal, b->numbers.signal);
}

static int by_cause(const void *left, const void *right)
{
	const struct sw_failure_cell *a =
		*(struct sw_failure_cell *const *)left;
	const struct sw_failure_cell *b =
		*(struct sw_failure_cell *const *)right;
	int order = compare_cause(a, b);

	if (order == 0)
		order = strcmp(a->text[SW_CELL_LINEAGE],
			       b->text[SW_CELL_LINEAGE]);
	if (order == 0)
		order = compare(a->numbers.time, b->numbers.time);
	return order ? order : sw_keyed_compare(&a->entry, &b->entry);
}

static int compare_stratum(const struct sw_failure_cell *a,
			   const struct sw_failure_cell *b)
{
	int order = compare(a->numbers.time, b->numbers.time);

	return order ? order
		     : strcmp(a->text[SW_CELL_REQUEST],
			      b->text[SW_CELL_REQUEST]);
}

static int by_stratum(const void *left, const void *right)
{
	const struct sw_failure_cell *a =
		*(struct sw_failure_cell *const *)left;
	const struct sw_failure_cell *b =
		*(struct sw_failure_cell *const *)right;
	int order = compare_stratum(a, b);

	return order ? order : sw_keyed_compare(&a->entry, &b->entry);
}

static int by_node(const void *left, const void *right)
{
	const struct sw_failure_cell *a =
		*(struct sw_failure_cell *const *)left;
	const struct sw_failure_cell *b =
		*(struct sw_failure_cell *const *)right;
	int order = strcmp(a->text[SW_CELL_NODE], b->text[SW_CELL_NODE]);

	return order ? order : sw_keyed_compare(&a->entry, &b->entry);
}

/* What is tried again counts once, where its node is known. */
static void mark_firsts(struct sw_failure_cell **cells, size_t count)
{
	const char *lineage = NULL;
	size_t i;

	for (i = 0; i < count; i++) {
		cells[i]->is_first = false;
		if (!cells[i]->text[SW_CELL_NODE][0] ||
		    (lineage &&
		     !strcmp(lineage, cells[i]->text[SW_CELL_LINEAGE])))
			continue;
		cells[i]->is_first = true;
		lineage = cells[i]->text[SW_CELL_LINEAGE];
	}
}

/* The one with most of the failures; NULL: none.  *nodes: of how many. */
static const char *worst_node(struct sw_failure_cell **cells, size_t count,
			      uint64_t *most, size_t *nodes)
{
	const char *node = NULL, *worst = NULL;
	uint64_t here = 0;
	size_t i;

	*most = *nodes = 0;
	qsort(cells, count, sizeof(*cells), by_node);
	for (i = 0; i < count; i++) {
		if (!cells[i]->is_first)
			continue;
		if (!node || strcmp(node, cells[i]->text[SW_CELL_NODE]) != 0) {
			node = cells[i]->text[SW_CELL_NODE];
			here = 0;
			++*nodes;
		}
		if (++here > *most) {
			*most = here;
			worst = node;
		}
	}
	return worst;
}

static void count_cell(struct sw_stratum *stratum,
		       const struct sw_failure_cell *cell, bool is_cause,
		       bool is_here)
{
	uint64_t count = is_cause ? cell->is_first : cell->sums.count;

	stratum->jobs = add(stratum->jobs, count);
	if (is_here)
		stratum->node_jobs = add(stratum->node_jobs, count);
	if (is_cause)
		stratum->failures += count;
	if (is_cause && is_here)
		stratum->node_failures += count;
}

static size_t fill_strata(struct group *group,
			  const struct sw_failure_cell *cause, const char *node)
{
	const struct sw_failure_cell *cell;
	size_t i, count = 0;

	for (i = 0; i < group->cells; i++) {
		cell = group->by_stratum[i];
		if (i == 0 || compare_stratum(cell, group->by_stratum[i - 1]))
			group->strata[count++] = (struct sw_stratum){0};
		count_cell(&group->strata[count - 1], cell,
			   cell->numbers.class != SW_FAILURE_NONE &&
				   compare_cause(cell, cause) == 0,
			   strcmp(cell->text[SW_CELL_NODE], node) == 0);
	}
	return count;
}

/* As they ran, retries and all. */
static void count_jobs(struct sw_failure_node *result,
		       const struct group *group,
		       const struct sw_failure_cell *cause)
{
	const struct sw_failure_cell *cell;
	bool is_cause, is_here;
	uint64_t count;
	size_t i;

	for (i = 0; i < group->cells; i++) {
		cell = group->by_stratum[i];
		count = cell->sums.count;
		is_here = !strcmp(cell->text[SW_CELL_NODE], result->name);
		is_cause = cell->numbers.class != SW_FAILURE_NONE &&
			   compare_cause(cell, cause) == 0;
		if (is_here)
			result->jobs = add(result->jobs, count);
		else
			result->other_jobs = add(result->other_jobs, count);
		if (is_cause && is_here)
			result->failures = add(result->failures, count);
		else if (is_cause)
			result->other_failures =
				add(result->other_failures, count);
	}
}

/* The chance is of this pair alone yet. */
static void find_node(struct making *making, struct sw_failure_node *result,
		      struct group *group, struct sw_failure_cell **cells,
		      size_t count)
{
	const struct sw_failure_cell *cause = cells[0];
	size_t nodes, strata;
	uint64_t most;
	const char *node;

	mark_firsts(cells, count);
	node = worst_node(cells, count, &most, &nodes);
	making->tests += (double)nodes;
	if (!node || most < making->settings->node_failures_min)
		return;
	strata = fill_strata(group, cause, node);
	if (sw_strata_telling(group->strata, strata) <
	    making->settings->node_times_min)
		return;
	result->name = node;
	result->chance = sw_strata_chance(group->strata, strata);
	count_jobs(result, group, cause);
}

static void sum_up(struct sw_failure_row *row,
		   struct sw_failure_cell *const *cells, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct sw_cell_sums *sums = &cells[i]->sums;

		row->count = add(row->count, sums->count);
		row->core_seconds = add(row->core_seconds, sums->core_seconds);
		row->mib_seconds = add(row->mib_seconds, sums->mib_seconds);
		row->example_job_id =
			sw_min_u64(row->example_job_id, sums->example_job_id);
		row->first_end_seconds = sw_min_u64(row->first_end_seconds,
						    sums->first_end_seconds);
		if (row->last_end_seconds < sums->last_end_seconds)
			row->last_end_seconds = sums->last_end_seconds;
	}
}

static int add_row(struct making *making, struct group *group,
		   struct sw_failure_cell **cells, size_t count)
{
	const struct sw_failure_cell *cell = cells[0];
	struct sw_failure_row row = {
		.cluster = cell->text[SW_CELL_CLUSTER],
		.group = cell->text[SW_CELL_GROUP],
		.user = group->users == 1 ? group->user : NULL,
		.users = group->users,
		.program = cell->text[SW_CELL_PROGRAM],
		.message = cell->text[SW_CELL_MESSAGE],
		.class = (enum sw_failure_class)cell->numbers.class,
		.exit_code = cell->numbers.exit_code,
		.signal = cell->numbers.signal,
		.group_jobs = group->jobs,
		.example_job_id = SW_MISSING,
		.first_end_seconds = SW_MISSING,
	};
	struct sw_failure_rows *rows = making->rows;

	sum_up(&row, cells, count);
	/* All jobs of a node that goes down end at once, and Slurm says so. */
	if (row.class != SW_FAILURE_NODE)
		find_node(making, &row.node, group, cells, count);
	if (sw_grow(&rows->items, rows->count, sizeof(row)) < 0)
		return -1;
	rows->items[rows->count++] = row;
	return 0;
}

static int add_rows(struct making *making, struct group *group)
{
	size_t i, first = 0;

	qsort(group->by_cause, group->causes, sizeof(*group->by_cause),
	      by_cause);
	qsort(group->by_stratum, group->cells, sizeof(*group->by_stratum),
	      by_stratum);
	for (i = 1; i <= group->causes; i++) {
		if (i < group->causes && compare_cause(group->by_cause[first],
						       group->by_cause[i]) == 0)
			continue;
		if (add_row(making, group, group->by_cause + first, i - first) <
		    0)
			return -1;
		first = i;
	}
	return 0;
}

static int compare_user(const void *left, const void *right)
{
	const struct sw_failure_cell *a =
		*(struct sw_failure_cell *const *)left;
	const struct sw_failure_cell *b =
		*(struct sw_failure_cell *const *)right;

	return strcmp(a->text[SW_CELL_USER], b->text[SW_CELL_USER]);
}

/* cells is in any order then. */
static void count_users(struct group *group, struct sw_failure_cell **cells,
			size_t count)
{
	size_t i;

	qsort(cells, count, sizeof(*cells), compare_user);
	group->user = cells[0]->text[SW_CELL_USER];
	for (i = 0; i < count; i++)
		group->users +=
			i == 0 || compare_user(&cells[i - 1], &cells[i]) != 0;
}

static int add_group(struct making *making, struct sw_keyed_entry *const *from,
		     size_t count)
{
	struct group group = {
		.by_cause = calloc(count, sizeof(struct sw_failure_cell *)),
		.by_stratum = calloc(count, sizeof(struct sw_failure_cell *)),
		.strata = calloc(count, sizeof(struct sw_stratum)),
	};
	struct sw_failure_cell *cell;
	int rc = -1;
	size_t i;

	if (group.by_cause && group.by_stratum && group.strata) {
		for (i = 0; i < count; i++)
			group.by_cause[i] = sw_cell_of(from[i]);
		count_users(&group, group.by_cause, count);
		for (i = 0; i < count; i++) {
			cell = sw_cell_of(from[i]);
			group.jobs = add(group.jobs, cell->sums.count);
			if (cell->numbers.class != SW_FAILURE_NONE)
				group.by_cause[group.causes++] = cell;
			if (cell->text[SW_CELL_NODE][0])
				group.by_stratum[group.cells++] = cell;
		}
		rc = group.causes ? add_rows(making, &group) : 0;
	}
	free(group.by_cause);
	free(group.by_stratum);
	free(group.strata);
	return rc;
}

static bool is_same_group(struct sw_keyed_entry *a, struct sw_keyed_entry *b)
{
	return !strcmp(sw_cell_of(a)->text[SW_CELL_CLUSTER],
		       sw_cell_of(b)->text[SW_CELL_CLUSTER]) &&
	       !strcmp(sw_cell_of(a)->text[SW_CELL_GROUP],
		       sw_cell_of(b)->text[SW_CELL_GROUP]);
}

static int add_groups(struct making *making, struct sw_keyed_entry **cells,
		      size_t count)
{
	size_t i, first = 0;

	for (i = 1; i <= count; i++) {
		if (i < count && is_same_group(cells[first], cells[i]))
			continue;
		if (add_group(making, cells + first, i - first) < 0)
			return -1;
		first = i;
	}
	return 0;
}

/* With how many pairs there are, the chance is of any wrong one. */
static void name_nodes(struct making *making)
{
	struct sw_failure_node *node;
	size_t i;

	for (i = 0; i < making->rows->count; i++) {
		node = &making->rows->items[i].node;
		node->chance *= making->tests;
		if (node->name &&
		    node->chance > making->settings->node_chance_max_ratio)
			*node = (struct sw_failure_node){0};
	}
}

static int by_loss(const void *left, const void *right)
{
	const struct sw_failure_row *a = left, *b = right;
	int order = compare(b->core_seconds, a->core_seconds);

	if (order == 0)
		order = compare(b->count, a->count);
	if (order == 0)
		order = strcmp(a->cluster, b->cluster);
	if (order == 0)
		order = strcmp(a->group, b->group);
	if (order == 0)
		order = strcmp(a->program, b->program);
	if (order == 0)
		order = strcmp(a->message, b->message);
	if (order == 0)
		order = compare(a->class, b->class);
	if (order == 0)
		order = compare(a->exit_code, b->exit_code);
	return order ? order : compare(a->signal, b->signal);
}

/* Those of the user come first, in their order; how many they are. */
static size_t keep_user(struct sw_keyed_entry **cells, size_t count,
			const char *user)
{
	size_t i, kept = 0;

	for (i = 0; i < count; i++) {
		if (!strcmp(sw_cell_of(cells[i])->text[SW_CELL_USER], user))
			cells[kept++] = cells[i];
	}
	return kept;
}

int sw_failures_rows(const struct sw_failures *failures, const char *user,
		     struct sw_failure_rows *rows)
{
	size_t count = failures->cells.count;
	struct sw_keyed_entry **sorted = sw_keyed_sorted(&failures->cells);
	struct making making = {
		.settings = &failures->settings,
		.rows = rows,
	};

	*rows = (struct sw_failure_rows){0};
	if (!sorted)
		return -1;
	if (user)
		count = keep_user(sorted, count, user);
	if (count && add_groups(&making, sorted, count) < 0) {
		free(sorted);
		sw_failure_rows_fini(rows);
		return -1;
	}
	free(sorted);
	name_nodes(&making);
	if (rows->count)
		qsort(rows->items, rows->count, sizeof(*rows->items), by_loss);
	return 0;
}

void sw_failure_rows_fini(struct sw_failure_rows *rows)
{
	free(rows->items);
	*rows = (struct sw_failure_rows){0};
}
