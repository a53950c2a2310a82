/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The site's node types for the work.  Gives up where it is not known on which
 * of them the runs were.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/requests/advice.h"
#include "analyzer/settings/settings.h"
#include "common/escape.h"
#include "common/text.h"

/* What is suggested, else what is asked for now. */
static double wanted(const struct sw_advice *advice, enum sw_resource resource,
		     double asked)
{
	const struct sw_suggestion *suggestion =
		sw_advice_find(advice, resource);

	return suggestion && !suggestion->is_withheld ?
	       suggestion->suggested : asked;
}

/* On each of its nodes. */
static struct sw_node_need need_of(const struct sw_advice *advice)
{
	const struct sw_run *asked = &advice->asked;
	double nodes = wanted(advice, SW_RESOURCE_NODES, asked->nodes);

	if (!(nodes >= 1))
		nodes = 1;
	return (struct sw_node_need){
		.cores = ceil(wanted(advice, SW_RESOURCE_CORES,
				     asked->requested_cores) / nodes),
		.bytes = wanted(advice, SW_RESOURCE_MEMORY,
				asked->requested_bytes),
		.gpus = ceil(wanted(advice, SW_RESOURCE_GPUS,
				    asked->requested_gpus) / nodes),
	};
}

/* The one type of the partition; NULL: none, or more than one. */
static const struct sw_node_type *
find_type(const struct sw_node_type *types, size_t count,
	  const char *partition)
{
	const struct sw_node_type *found = NULL;
	size_t i;

	for (i = 0; *partition && i < count; i++) {
		if (strcmp(types[i].partition, partition) != 0)
			continue;
		if (found)
			return NULL;
		found = &types[i];
	}
	return found;
}

static void refuse(struct sw_node_ranking *ranking, const char *partition)
{
	char shown[SW_NODE_NAME_SIZE];

	ranking->is_withheld = true;
	if (*partition)
		sw_text_add(ranking->why, sizeof(ranking->why),
			    "the partition of the runs, %s, does not match "
			    "exactly one node type of the settings",
			    sw_escape_ascii(shown, sizeof(shown), partition));
	else
		sw_text_add(ranking->why, sizeof(ranking->why),
			    "the partition of the runs is not known");
}

static int rank(struct sw_advice *advice, size_t count)
{
	const struct sw_runs runs = { advice->runs.runs, advice->runs.count };
	const struct sw_node_need need = need_of(advice);
	struct sw_advice_nodes *nodes = &advice->nodes;

	nodes->choices = calloc(count, sizeof(*nodes->choices));
	if (!nodes->choices ||
	    sw_node_types_rank(&runs, nodes->types, count, nodes->here, &need,
			       SW_NODE_BY_COST, nodes->choices,
			       &nodes->ranking) < 0)
		return -1;
	nodes->count = nodes->ranking.is_withheld ? 0 : count;
	return 0;
}

int sw_advice_rank_nodes(struct sw_advice *advice, struct sw_history *history,
			 const struct sw_settings *settings,
			 struct sw_error *error)
{
	struct sw_advice_nodes *nodes = &advice->nodes;
	size_t count;
	char *partition;
	int status = 0;

	nodes->types = sw_settings_nodes(settings, &count);
	advice->has_nodes = count > 0;
	if (!count)
		return 0;
	if (sw_history_partition(history, advice->group, &partition,
				 error) < 0)
		return -1;
	nodes->here = find_type(nodes->types, count, partition);
	if (!nodes->here)
		refuse(&nodes->ranking, partition);
	else
		status = rank(advice, count);
	if (status < 0) {
		errno = ENOMEM;
		sw_error_set(error,
			     "out of memory while ranking %zu node types",
			     count);
	}
	free(partition);
	return status;
}
