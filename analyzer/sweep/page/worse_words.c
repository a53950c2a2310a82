/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences on what got worse. */
#include "analyzer/sweep/night/times.h"
#include "analyzer/sweep/page/words.h"
#include "common/text.h"
#include "common/units.h"

static void add_groups(char *buf, size_t size, const struct sw_worse *worse)
{
	size_t i;

	for (i = 0; i < worse->count && i < SW_WORSE_NAMED; i++) {
		const struct sw_tally *group = worse->groups[i];

		sw_text_add(buf, size, "%s%.80s%s%.40s", i ? ", " : "",
			    group->label, *group->user ? " of " : "",
			    group->user);
	}
	if (worse->count > i)
		sw_text_add(buf, size, " and %zu more group%s",
			    worse->count - i, worse->count - i == 1 ? "" : "s");
}

char *sw_sweep_worse(char *buf, size_t size, const struct sw_worse *worse)
{
	char day[SW_TIME_SIZE];
	size_t i;

	*buf = '\0';
	add_groups(buf, size, worse);
	sw_text_add(buf, size, ", %s job%s", sw_count_text(worse->jobs).s,
		    worse->jobs == 1 ? "" : "s");
	if (*worse->node)
		sw_text_add(buf, size, ", only on node %s", worse->node);
	sw_text_add(buf, size, ": since %s %s%s",
		    sw_time_day(day, worse->since_seconds),
		    worse->count > 1 ? "in the first one " : "", worse->words);
	for (i = 0; i < worse->beside_count; i++)
		sw_text_add(buf, size, "%s%s",
			    i ? " and " : "; this coincides with ",
			    worse->beside[i]);
	sw_text_add(buf, size, ". Compared with %zu night%s before.",
		    worse->past_nights, worse->past_nights == 1 ? "" : "s");
	return buf;
}
