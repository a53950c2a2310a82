/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Witt's percentile predictor: the 95th of the needs seen, then doubled. */
#include <math.h>
#include <stdlib.h>

#include "advice/methods.h"
#include "advice/numbers.h"
#include "advice/sample.h"

#define PERCENTILE 0.95

static void fini(void *group)
{
	struct sw_numbers *needs = group;

	free(needs->items);
}

static int learn(void *group, struct sw_memory_site *site,
		 const struct sw_run *run)
{
	(void)site;
	return sw_numbers_insert(group, run->need_bytes) < 0 ? -1 : 0;
}

static double ask(void *group, const struct sw_asking *asking)
{
	const struct sw_numbers *needs = group;

	(void)asking;
	if (!needs->count)
		return NAN;
	return sw_quantile(needs->items, needs->count, PERCENTILE);
}

const struct sw_method sw_method_witt_percentile = {
	.name = "witt_percentile",
	.title = "Witt: 95th percentile",
	.source = "Witt, Wagner, Leser: Feedback-based resource allocation "
		  "for batch scheduling of scientific workflows, HPCS 2019",
	.group_size = sizeof(struct sw_numbers),
	.fini = fini,
	.learn = learn,
	.ask = ask,
};
