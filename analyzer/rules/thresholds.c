/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thresholds in force. */
#include <stdlib.h>

#include "analyzer/rules/rule.h"

int sw_thresholds_set(struct sw_thresholds *thresholds,
		      const struct sw_rule *rule, size_t index, double value)
{
	struct sw_threshold *grown;

	grown = realloc(thresholds->items,
			(thresholds->count + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	thresholds->items = grown;
	grown[thresholds->count++] =
		(struct sw_threshold){ rule, index, value };
	return 0;
}

void sw_thresholds_fini(struct sw_thresholds *thresholds)
{
	free(thresholds->items);
	*thresholds = (struct sw_thresholds){ 0 };
}

double sw_threshold(const struct sw_thresholds *thresholds,
		    const struct sw_rule *rule, size_t index)
{
	double value = rule->settings[index].value;
	size_t i;

	for (i = 0; thresholds && i < thresholds->count; i++) {
		if (thresholds->items[i].rule == rule &&
		    thresholds->items[i].index == index)
			value = thresholds->items[i].value;
	}
	return value;
}
