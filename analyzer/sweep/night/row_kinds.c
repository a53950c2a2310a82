/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data about a group on each kind of node in the catalogue. */
#include "analyzer/sweep/night/row_kinds.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* The two times whose jobs are counted. */
struct nights {
	const struct sw_night *now, *past;
};

static const struct sw_tally *find(const struct sw_night *night,
				   const struct sw_tally *group,
				   const struct sw_node_kind *kind)
{
	const struct sw_tally_names names = {
		.of = SW_TALLY_GROUP_KIND,
		.cluster = group->cluster,
		.name = group->name,
		.user = group->user,
		.label = kind->name,
	};

	return sw_tally_find(&night->tallies, &names);
}

static int add(struct sw_quantiles *sketch, const struct sw_tally *tally)
{
	if (!tally)
		return 0;
	return sw_quantiles_merge(sketch,
				  &tally->sketch[SW_TALLY_ELAPSED_SECONDS]);
}

/* Use the completed jobs of both. */
static int see(struct sw_kind_seen *seen, const struct sw_tally *now,
	       const struct sw_tally *before)
{
	struct sw_quantiles sketch = { 0 };
	int rc = add(&sketch, now);

	if (rc == 0)
		rc = add(&sketch, before);
	*seen = (struct sw_kind_seen){ (size_t)sketch.count, NAN };
	if (sketch.count)
		seen->median_seconds = (double)sw_quantiles_at(&sketch, 1, 2);
	sw_quantiles_fini(&sketch);
	return rc;
}

struct seen {
	struct sw_kind_seen *kinds;
	size_t here; /* SIZE_MAX: none */
};

static int see_all(struct seen *seen, const struct sw_catalogue *catalogue,
		   const struct nights *nights, const struct sw_tally *group)
{
	uint64_t most = 0;
	size_t i;

	seen->here = SIZE_MAX;
	seen->kinds = calloc(catalogue->count + 1, sizeof(*seen->kinds));
	if (!seen->kinds)
		return -1;
	for (i = 0; i < catalogue->count; i++) {
		const struct sw_node_kind *kind = &catalogue->kinds[i];
		const struct sw_tally *now = find(nights->now, group, kind);

		if (see(&seen->kinds[i], now, find(nights->past, group, kind)) <
		    0)
			return -1;
		if (now && now->n[SW_TALLY_JOBS] > most) {
			most = now->n[SW_TALLY_JOBS];
			seen->here = i;
		}
	}
	return 0;
}

static void choose(struct sw_sweep_kinds *kinds, const struct seen *seen,
		   const struct sw_kind_question *question)
{
	size_t i;

	sw_node_kinds_choose(question, kinds->choices);
	kinds->count = question->count;
	kinds->best = sw_node_kinds_best(kinds->choices, kinds->count);
	for (i = 0; i < kinds->count; i++) {
		if (kinds->choices[i].kind == seen->here)
			kinds->here = &kinds->choices[i];
	}
}

int sw_sweep_kinds_init(struct sw_sweep_kinds *kinds,
			const struct sw_catalogue *catalogue,
			const struct sw_night *night,
			const struct sw_night *past,
			const struct sw_tally *group,
			const struct sw_sweep_lines *lines)
{
	const struct nights nights = { night, past };
	struct sw_kind_question question = {
		.kinds = catalogue->kinds,
		.count = catalogue->count,
		.need = lines->need,
		.nodes = lines->nodes,
	};
	struct seen seen;
	int rc = -1;

	*kinds = (struct sw_sweep_kinds){ .choices = NULL };
	kinds->choices = calloc(catalogue->count + 1, sizeof(*kinds->choices));
	if (see_all(&seen, catalogue, &nights, group) == 0 && kinds->choices) {
		question.seen = seen.kinds;
		question.is_whole = kinds->is_whole =
			seen.here != SIZE_MAX &&
			lines->need.cpus >= catalogue->kinds[seen.here].cpus;
		choose(kinds, &seen, &question);
		rc = 0;
	}
	free(seen.kinds);
	if (rc < 0) {
		sw_sweep_kinds_fini(kinds);
		errno = ENOMEM;
	}
	return rc;
}

void sw_sweep_kinds_fini(struct sw_sweep_kinds *kinds)
{
	free(kinds->choices);
	*kinds = (struct sw_sweep_kinds){ .choices = NULL };
}
