/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe nodes of a job that were limited by different resources. */
#include <stdio.h>

#include "analyzer/report/words.h"
#include "analyzer/view/bottleneck.h"
#include "analyzer/view/bottleneck_words.h"
#include "common/text.h"

/* At most one node is named for each resource. */
enum { KINDS_MAX = 4, BRIEF_SIZE = 160 };

/* Nodes with the same limit. */
struct kind {
	enum sw_limited_by resource;
	const struct sw_view *first;
	size_t count;
};

/* False where too little was seen of a node, or it had no single limit. */
static bool find_resource(const struct sw_view *node, enum sw_limited_by *resource)
{
	struct sw_bottleneck found;

	if (!sw_bottleneck_find(&found, &node->limits) ||
	    !sw_bottleneck_is_sampled(&found) ||
	    found.resource == SW_LIMITED_BY_NONE)
		return false;
	*resource = found.resource;
	return true;
}

static size_t sort_nodes(struct kind *kinds, const struct sw_job *job)
{
	size_t i, k, count = 0;
	enum sw_limited_by resource;

	for (i = 0; i < job->node_count; i++) {
		const struct sw_view *node = &job->nodes[i].total;

		if (!find_resource(node, &resource))
			continue;
		for (k = 0; k < count; k++) {
			if (kinds[k].resource == resource)
				break;
		}
		if (k == KINDS_MAX)
			continue;
		if (k == count)
			kinds[count++] = (struct kind){ resource, node, 0 };
		kinds[k].count++;
	}
	return count;
}

char *sw_nodes_differ_words(char *buf, size_t size, const struct sw_job *job)
{
	struct kind kinds[KINDS_MAX];
	size_t i, count = job ? sort_nodes(kinds, job) : 0;
	char brief[BRIEF_SIZE];

	buf[0] = '\0';
	for (i = 0; count > 1 && i < count; i++) {
		sw_text_add(buf, size, "%s%s on %.64s", i ? ", " :
			    " Nodes differ: ",
			    sw_bottleneck_brief(brief, sizeof(brief),
						kinds[i].first),
			    sw_text(kinds[i].first->node));
		if (kinds[i].count > 1)
			sw_text_add(buf, size, " and %zu more",
				    kinds[i].count - 1);
	}
	if (*buf)
		sw_text_add(buf, size, ".");
	return buf;
}
