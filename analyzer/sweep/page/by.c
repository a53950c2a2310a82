/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of the page by what jobs have in common, most expensive first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/sweep/night/named.h"
#include "analyzer/sweep/page/words.h"
#include "common/text.h"
#include "common/units.h"

#define USEC_PER_HOUR (3600.0 * (double)SW_USEC_PER_SEC)

const struct sw_sweep_by sw_sweep_bys[SW_SWEEP_BYS] = {
	{ SW_TALLY_USER, "By user", "user", "users", "users", "user", "jobs" },
	{ SW_TALLY_ACCOUNT, "By account", "account", "accounts", "accounts",
	  "account", "jobs" },
	{ SW_TALLY_PARTITION, "By partition", "partition", "partitions",
	  "partitions", "partition", "jobs" },
	{ SW_TALLY_QOS, "By QOS", "QOS", "QOS", "qos", "qos", "jobs" },
	{ SW_TALLY_PIPELINE, "By pipeline", "pipeline", "pipelines",
	  "pipelines", "pipeline", "jobs" },
	{ SW_TALLY_RUN, "By run of a pipeline", "run", "runs", "runs", "run",
	  "jobs" },
	{ SW_TALLY_TASK, "By task of a pipeline", "task", "tasks", "tasks",
	  "task", "jobs" },
	{ SW_TALLY_PROGRAM, "By program that srun started", "program",
	  "programs", "programs", "program", "steps" },
	{ SW_TALLY_STEP, "By step", "step", "steps", "steps", "step", "steps" },
	{ SW_TALLY_KIND, "By kind of node", "kind of node", "kinds of nodes",
	  "node_kinds", "node_kind", "jobs" },
	{ SW_TALLY_NODE, "By node", "node", "nodes", "nodes_used", "node",
	  "jobs" },
};

/* Names that several users may share. */
static bool is_joined(enum sw_tally_of of)
{
	return of == SW_TALLY_PIPELINE || of == SW_TALLY_PROGRAM;
}

int sw_sweep_join_users(struct sw_sweep_page *page)
{
	size_t i;

	for (i = 0; i < page->night->tallies.count; i++) {
		const struct sw_tally *tally = page->sorted[i];
		const struct sw_tally_names names = { tally->of, tally->cluster,
						      tally->name, "", "" };

		if (is_joined(tally->of) && sw_sweep_has_by(page, tally) &&
		    sw_tally_merge_as(&page->joined, &names, tally) < 0)
			return -1;
	}
	page->joined_sorted = sw_tallies_sorted(&page->joined);
	return page->joined_sorted ? 0 : -1;
}

struct ranked {
	const struct sw_tally *tally;
	double waste;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *one = a, *two = b;
	int order = sw_sweep_compare_numbers(one->waste, two->waste);

	return order ? order
		     : sw_keyed_compare(&one->tally->entry, &two->tally->entry);
}

static struct ranked rank(const struct sw_tally *tally,
			  const struct sw_sweep_page *page)
{
	struct sw_sweep_row row = { .tally = tally };

	sw_sweep_put_waste(&row, page);
	return (struct ranked){ tally, row.rank };
}

const struct sw_tally **sw_sweep_by(const struct sw_sweep_page *page,
				    enum sw_tally_of of, size_t *count)
{
	struct sw_tally **from =
		is_joined(of) ? page->joined_sorted : page->sorted;
	size_t i, all = is_joined(of) ? page->joined.count
				      : page->night->tallies.count;
	struct ranked *ranked = calloc(all + 1, sizeof(*ranked));
	const struct sw_tally **tallies =
		calloc(all + 1, sizeof(const struct sw_tally *));

	*count = 0;
	for (i = 0; ranked && tallies && i < all; i++) {
		if (from[i]->of == of &&
		    (is_joined(of) || sw_sweep_has_by(page, from[i])))
			ranked[(*count)++] = rank(from[i], page);
	}
	if (ranked && tallies)
		qsort(ranked, *count, sizeof(*ranked), compare_ranked);
	for (i = 0; ranked && tallies && i < *count; i++)
		tallies[i] = ranked[i].tally;
	if (!ranked) {
		free(tallies);
		tallies = NULL;
	}
	free(ranked);
	return tallies;
}

bool sw_sweep_by_is_shown(const struct sw_sweep_by *by, size_t count)
{
	/* A single one repeats the total, unless most jobs have none. */
	return count > 1 || (count && sw_named_most(by->of));
}

char *sw_sweep_by_name(char *buf, size_t size, const struct sw_tally *tally)
{
	*buf = '\0';
	if (!*tally->name && sw_named_most(tally->of)) {
		sw_text_add(buf, size, "(too many names)");
		if (*tally->user)
			sw_text_add(buf, size, " of %s", tally->user);
		return buf;
	}
	sw_text_add(buf, size, "%s", *tally->name ? tally->name : "-");
	if (sw_named_most(tally->of) && *tally->user)
		sw_text_add(buf, size, " of %s", tally->user);
	if ((tally->of == SW_TALLY_RUN || tally->of == SW_TALLY_TASK) &&
	    *tally->label)
		sw_text_add(buf, size, ", %s", tally->label);
	return buf;
}

static void put_percent(char *buf, double ratio, const char *percent)
{
	if (isnan(ratio))
		snprintf(buf, SW_SWEEP_CELL_SIZE, "?");
	else
		snprintf(buf, SW_SWEEP_CELL_SIZE, "%.0f%s", ratio * 100,
			 percent);
}

void sw_sweep_by_cells(char cells[SW_SWEEP_BY_CELLS][SW_SWEEP_CELL_SIZE],
		       const struct sw_sweep_page *page,
		       const struct sw_tally *tally, const char *percent)
{
	const uint64_t *n = tally->n;

	snprintf(cells[0], SW_SWEEP_CELL_SIZE, "%s",
		 sw_count_text(n[SW_TALLY_JOBS]).s);
	snprintf(cells[1], SW_SWEEP_CELL_SIZE, "%.1f",
		 (double)n[SW_TALLY_CORE_USEC] / USEC_PER_HOUR);
	put_percent(cells[2], sw_tally_ratio(n, SW_TALLY_USED_USEC,
					     SW_TALLY_CORE_KNOWN_USEC),
		    percent);
	put_percent(cells[3], sw_tally_ratio(n, SW_TALLY_NEED_MIB_SECONDS,
					     SW_TALLY_MIB_KNOWN_SECONDS),
		    percent);
	put_percent(cells[4], sw_tally_ratio(n, SW_TALLY_LOST_CORE_USEC,
					     SW_TALLY_CORE_USEC),
		    percent);
	sw_sweep_cost_cell(cells[5], SW_SWEEP_CELL_SIZE, page, n);
}

/* List users with too many names to keep them apart. */
void sw_sweep_say_folded(char *buf, size_t size,
			 const struct sw_sweep_page *page)
{
	const char *between = "Counted as one: ";
	size_t i, j;

	for (i = 0; i < page->night->tallies.count; i++) {
		const struct sw_tally *tally = page->sorted[i];

		if (*tally->name || !sw_named_most(tally->of) ||
		    (page->user && strcmp(page->user, tally->user) != 0))
			continue;
		for (j = 0; j < SW_SWEEP_BYS; j++) {
			if (sw_sweep_bys[j].of != tally->of)
				continue;
			sw_text_add(buf, size, "%smore than %zu %s of %s",
				    between, sw_named_most(tally->of),
				    sw_sweep_bys[j].names, tally->user);
			between = ", ";
		}
	}
	if (*buf)
		sw_text_add(buf, size, ".");
}
