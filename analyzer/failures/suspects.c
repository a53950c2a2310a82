/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evidence of a group in two orders, and the node with most of a cause. */
#include "analyzer/failures/suspects.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/failures/evidence.h"

static int by_cause(const void *left, const void *right)
{
	const struct sw_failure_cell *a =
		*(struct sw_failure_cell *const *)left;
	const struct sw_failure_cell *b =
		*(struct sw_failure_cell *const *)right;
	int order = sw_cell_compare_causes(a, b);

	if (order == 0)
		order = strcmp(a->text[SW_CELL_LINEAGE],
			       b->text[SW_CELL_LINEAGE]);
	if (order == 0)
		order = sw_cell_order(a->numbers.time, b->numbers.time);
	return order ? order : sw_keyed_compare(&a->entry, &b->entry);
}

static int compare_stratum(const struct sw_failure_cell *a,
			   const struct sw_failure_cell *b)
{
	int order = sw_cell_order(a->numbers.time, b->numbers.time);

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

/* Count retries once, on the node of the first attempt if known. */
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

/* Node with most of the failures, or NULL.  *nodes: number of nodes. */
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

	stratum->jobs = sw_cell_plus(stratum->jobs, count);
	if (is_here)
		stratum->node_jobs = sw_cell_plus(stratum->node_jobs, count);
	if (is_cause)
		stratum->failures += count;
	if (is_cause && is_here)
		stratum->node_failures += count;
}

static bool is_of_cause(const struct sw_failure_cell *cell,
			const struct sw_failure_cell *cause)
{
	return cell->numbers.class != SW_FAILURE_NONE &&
	       sw_cell_compare_causes(cell, cause) == 0;
}

static size_t fill_strata(struct sw_suspects *suspects,
			  const struct sw_failure_cell *cause, const char *node)
{
	const struct sw_failure_cell *cell;
	size_t i, count = 0;

	for (i = 0; i < suspects->cells; i++) {
		cell = suspects->by_stratum[i];
		if (i == 0 ||
		    compare_stratum(cell, suspects->by_stratum[i - 1]))
			suspects->strata[count++] = (struct sw_stratum){ 0 };
		count_cell(&suspects->strata[count - 1], cell,
			   is_of_cause(cell, cause),
			   strcmp(cell->text[SW_CELL_NODE], node) == 0);
	}
	return count;
}

/* Count jobs as they ran, with retries. */
static void count_jobs(struct sw_failure_node *result,
		       const struct sw_suspects *suspects,
		       const struct sw_failure_cell *cause)
{
	const struct sw_failure_cell *cell;
	uint64_t *jobs, *failures;
	bool is_here;
	size_t i;

	for (i = 0; i < suspects->all_count; i++) {
		cell = suspects->all[i];
		if (!*cell->text[SW_CELL_NODE])
			continue;
		is_here = !strcmp(cell->text[SW_CELL_NODE], result->name);
		jobs = is_here ? &result->jobs : &result->other_jobs;
		failures =
			is_here ? &result->failures : &result->other_failures;
		*jobs = sw_cell_plus(*jobs, cell->sums.count);
		if (is_of_cause(cell, cause))
			*failures = sw_cell_plus(*failures, cell->sums.count);
	}
}

/* Return the adjacent cells of the cause. */
static struct sw_failure_cell **cells_of(const struct sw_suspects *suspects,
					 const struct sw_failure_cell *cause,
					 size_t *count)
{
	size_t first = 0;

	while (first < suspects->causes &&
	       !is_of_cause(suspects->by_cause[first], cause))
		first++;
	*count = 0;
	while (first + *count < suspects->causes &&
	       is_of_cause(suspects->by_cause[first + *count], cause))
		++*count;
	return suspects->causes ? suspects->by_cause + first : NULL;
}

double sw_suspects_find(struct sw_suspects *suspects,
			const struct sw_failure_cell *cause,
			const struct sw_failure_settings *settings,
			struct sw_failure_node *result)
{
	size_t count, nodes, strata;
	struct sw_failure_cell **cells = cells_of(suspects, cause, &count);
	uint64_t most;
	const char *node;

	if (count == 0)
		return 0;
	mark_firsts(cells, count);
	node = worst_node(cells, count, &most, &nodes);
	if (!node || most < settings->node_failures_min)
		return (double)nodes;
	strata = fill_strata(suspects, cause, node);
	if (sw_strata_telling(suspects->strata, strata) <
	    settings->node_times_min)
		return (double)nodes;
	result->name = node;
	result->chance = sw_strata_chance(suspects->strata, strata);
	count_jobs(result, suspects, cause);
	return (double)nodes;
}

static void take_cells(struct sw_suspects *suspects,
		       const struct sw_evidence *evidence, const char *user)
{
	size_t i;

	for (i = 0; i < evidence->cells.room; i++) {
		struct sw_failure_cell *cell =
			sw_cell_of(evidence->cells.slots[i]);

		if (!cell ||
		    (user && strcmp(cell->text[SW_CELL_USER], user) != 0))
			continue;
		suspects->by_stratum[suspects->cells++] = cell;
		if (cell->numbers.class != SW_FAILURE_NONE)
			suspects->by_cause[suspects->causes++] = cell;
	}
	if (suspects->cells)
		qsort(suspects->by_stratum, suspects->cells,
		      sizeof(*suspects->by_stratum), by_stratum);
	if (suspects->causes)
		qsort(suspects->by_cause, suspects->causes,
		      sizeof(*suspects->by_cause), by_cause);
}

int sw_suspects_init(struct sw_suspects *suspects,
		     const struct sw_keyed *all_evidence, const char *user,
		     struct sw_failure_cell **all, size_t all_count)
{
	const struct sw_evidence *evidence =
		sw_evidence_of(all_evidence, all[0]);
	size_t count = evidence ? evidence->cells.count : 0;

	*suspects = (struct sw_suspects){ .all = all, .all_count = all_count };
	if (count == 0)
		return 0;
	suspects->by_cause = calloc(count, sizeof(*suspects->by_cause));
	suspects->by_stratum = calloc(count, sizeof(*suspects->by_stratum));
	suspects->strata = calloc(count, sizeof(*suspects->strata));
	if (!suspects->by_cause || !suspects->by_stratum || !suspects->strata)
		return -1;
	take_cells(suspects, evidence, user);
	return 0;
}

void sw_suspects_fini(struct sw_suspects *suspects)
{
	free(suspects->by_cause);
	free(suspects->by_stratum);
	free(suspects->strata);
	*suspects = (struct sw_suspects){ 0 };
}
