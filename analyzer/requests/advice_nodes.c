/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Check if the work fits on the site's kinds of nodes, and its price. */
#include <math.h>
#include <stdlib.h>

#include "analyzer/requests/advice.h"

/* The suggestion, or else the current request. */
static double wanted(const struct sw_advice *advice, enum sw_resource resource,
		     double asked)
{
	const struct sw_suggestion *suggestion =
		sw_advice_find(advice, resource);

	return suggestion && !suggestion->is_withheld ?
	       suggestion->suggested : asked;
}

static double nodes_of(const struct sw_advice *advice)
{
	double nodes = wanted(advice, SW_RESOURCE_NODES, advice->asked.nodes);

	return nodes >= 1 ? nodes : 1;
}

struct sw_node_need sw_advice_need(const struct sw_advice *advice)
{
	const struct sw_run *asked = &advice->asked;
	double nodes = nodes_of(advice);

	return (struct sw_node_need){
		.cpus = ceil(wanted(advice, SW_RESOURCE_CORES,
				    asked->requested_cores) / nodes),
		.bytes = wanted(advice, SW_RESOURCE_MEMORY,
				asked->requested_bytes),
		.gpus = ceil(wanted(advice, SW_RESOURCE_GPUS,
				    asked->requested_gpus) / nodes),
	};
}

int sw_advice_choose_nodes(struct sw_advice *advice)
{
	struct sw_advice_nodes *nodes = &advice->nodes;
	const struct sw_kind_question question = {
		.kinds = nodes->catalogue.kinds,
		.count = nodes->catalogue.count,
		.need = sw_advice_need(advice),
		.nodes = nodes_of(advice),
	};

	if (!question.count)
		return 0;
	nodes->choices = calloc(question.count, sizeof(*nodes->choices));
	if (!nodes->choices)
		return -1;
	sw_node_kinds_choose(&question, nodes->choices);
	nodes->count = question.count;
	return 0;
}
