/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make rows from cells, one group at a time, and name suspect nodes. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/failures/failure_cell.h"
#include "analyzer/failures/suspects.h"
#include "common/grow.h"

/* Cells of all jobs of a group, and those of failed jobs sorted by cause. */
struct group {
	struct sw_failure_cell **by_cause;
	size_t causes;
	uint64_t jobs, users;
	const char *user; /* the first one */
	struct sw_suspects suspects;
};

struct making {
	const struct sw_failures *failures;
	const char *user; /* jobs of this user only; NULL: all */
	struct sw_failure_rows *rows;
	double tests; /* pairs of cause and node */
};

static int by_cause(const void *left, const void *right)
{
	const struct sw_failure_cell *a =
		*(struct sw_failure_cell *const *)left;
	const struct sw_failure_cell *b =
		*(struct sw_failure_cell *const *)right;
	int order = sw_cell_compare_causes(a, b);

	return order ? order : sw_keyed_compare(&a->entry, &b->entry);
}

static void sum_up(struct sw_failure_row *row,
		   struct sw_failure_cell *const *cells, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct sw_cell_sums *sums = &cells[i]->sums;

		row->count = sw_cell_plus(row->count, sums->count);
		row->core_seconds =
			sw_cell_plus(row->core_seconds, sums->core_seconds);
		row->mib_seconds =
			sw_cell_plus(row->mib_seconds, sums->mib_seconds);
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
	/*
	 * A node that goes down ends all its jobs at once, and Slurm says so.
	 */
	if (row.class != SW_FAILURE_NODE)
		making->tests += sw_suspects_find(&group->suspects, cell,
						  &making->failures->settings,
						  &row.node);
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
	for (i = 1; i <= group->causes; i++) {
		if (i < group->causes &&
		    !sw_cell_compare_causes(group->by_cause[first],
					    group->by_cause[i]))
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

/* Leaves cells in any order. */
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

/* Leaves cells in any order. */
static void fill_group(struct group *group, struct sw_failure_cell **cells,
		       size_t count)
{
	size_t i;

	count_users(group, cells, count);
	for (i = 0; i < count; i++) {
		group->jobs = sw_cell_plus(group->jobs, cells[i]->sums.count);
		if (cells[i]->numbers.class != SW_FAILURE_NONE)
			group->by_cause[group->causes++] = cells[i];
	}
}

static int add_group(struct making *making, struct sw_failure_cell **cells,
		     size_t count)
{
	struct group group = {
		.by_cause = calloc(count, sizeof(struct sw_failure_cell *)),
	};
	int rc = -1;

	if (group.by_cause) {
		fill_group(&group, cells, count);
		rc = group.causes == 0
			     ? 0
			     : sw_suspects_init(&group.suspects,
						&making->failures->evidence,
						making->user, cells, count);
	}
	if (rc == 0 && group.causes)
		rc = add_rows(making, &group);
	sw_suspects_fini(&group.suspects);
	free(group.by_cause);
	return rc;
}

static bool is_same_group(const struct sw_failure_cell *a,
			  const struct sw_failure_cell *b)
{
	return !strcmp(a->text[SW_CELL_CLUSTER], b->text[SW_CELL_CLUSTER]) &&
	       !strcmp(a->text[SW_CELL_GROUP], b->text[SW_CELL_GROUP]);
}

static int add_groups(struct making *making, struct sw_failure_cell **cells,
		      size_t count)
{
	size_t i, first = 0;

	/* add_group() changes the order within a group. */
	for (i = 1; i <= count; i++) {
		if (i < count && is_same_group(cells[i - 1], cells[i]))
			continue;
		if (add_group(making, cells + first, i - first) < 0)
			return -1;
		first = i;
	}
	return 0;
}

/* Bonferroni: with this many pairs, the chance of any wrong name. */
static void name_nodes(struct making *making)
{
	struct sw_failure_node *node;
	size_t i;

	for (i = 0; i < making->rows->count; i++) {
		node = &making->rows->items[i].node;
		node->chance *= making->tests;
		if (node->name &&
		    node->chance >
			    making->failures->settings.node_chance_max_ratio)
			*node = (struct sw_failure_node){ 0 };
	}
}

static int by_loss(const void *left, const void *right)
{
	const struct sw_failure_row *a = left, *b = right;
	int order = sw_cell_order(b->core_seconds, a->core_seconds);

	if (order == 0)
		order = sw_cell_order(b->count, a->count);
	if (order == 0)
		order = strcmp(a->cluster, b->cluster);
	if (order == 0)
		order = strcmp(a->group, b->group);
	if (order == 0)
		order = strcmp(a->program, b->program);
	if (order == 0)
		order = strcmp(a->message, b->message);
	if (order == 0)
		order = sw_cell_order(a->class, b->class);
	if (order == 0)
		order = sw_cell_order(a->exit_code, b->exit_code);
	return order ? order : sw_cell_order(a->signal, b->signal);
}

/* Move the user's cells to the front, in order; return their number. */
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
		.failures = failures,
		.user = user,
		.rows = rows,
	};

	*rows = (struct sw_failure_rows){ 0 };
	if (!sorted)
		return -1;
	if (user)
		count = keep_user(sorted, count, user);
	if (count &&
	    add_groups(&making, (struct sw_failure_cell **)sorted, count) < 0) {
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
	*rows = (struct sw_failure_rows){ 0 };
}
