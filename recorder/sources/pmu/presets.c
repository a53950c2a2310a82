/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many of PAPI's presets count here. */
#include "recorder/sources/pmu/presets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "recorder/sources/pmu/pmu.h"

enum { NAMES_MAX = 4, REASONS_MAX = 3 };

/* Nothing is counted: it would be from this process's next exec on. */
static void try_counter(struct sw_papi_counter *counter)
{
	struct sw_pmu_group group = {.count = 0};
	unsigned i;

	for (i = 0; i < counter->term_count; i++) {
		struct perf_event_attr attr = sw_papi_attr(&counter->term[i]);

		if (sw_pmu_group_add(&group, &attr, 0) == 0)
			continue;
		snprintf(counter->reason, sizeof(counter->reason), "%s",
			 strerror(errno));
		break;
	}
	sw_pmu_group_close(&group);
}

/* All with the reason of the first of them, which they lose. */
static void tell_reason(char *line, size_t size,
			struct sw_papi_counter *counters, size_t count)
{
	char why[sizeof(counters->reason)];
	size_t i, told = 0;

	snprintf(why, sizeof(why), "%s", counters->reason);
	for (i = 0; i < count; i++) {
		if (strcmp(counters[i].reason, why) != 0)
			continue;
		counters[i].reason[0] = '\0';
		if (told++ < NAMES_MAX)
			sw_text_add(line, size, "%s%s",
				    told == 1 ? "; not " : ", ",
				    counters[i].name);
	}
	if (told > NAMES_MAX)
		sw_text_add(line, size, " and %zu more", told - NAMES_MAX);
	sw_text_add(line, size, ": %s", why);
}

static void tell(char *line, size_t size, struct sw_papi_counter *counters,
		 size_t count)
{
	size_t i, good = 0, reasons = 0;

	for (i = 0; i < count; i++) {
		if (!counters[i].reason[0])
			try_counter(&counters[i]);
		good += !counters[i].reason[0];
	}
	sw_text_add(line, size,
		    "%zu presets for this processor, %zu count "
		    "here",
		    count, good);
	for (i = 0; i < count && reasons < REASONS_MAX; i++) {
		if (!counters[i].reason[0])
			continue;
		tell_reason(line, size, &counters[i], count - i);
		reasons++;
	}
}

void sw_presets_tell(char *line, size_t size,
		     const struct sw_papi_origin *origin)
{
	struct sw_papi_counter *counters =
		calloc(SW_PAPI_PRESETS_MAX, sizeof(*counters));
	struct sw_papi_library library = {.why = "not enough memory"};
	size_t count = 0;

	line[0] = '\0';
	if (counters)
		count = sw_papi_presets(counters, SW_PAPI_PRESETS_MAX, origin,
					&library);
	if (library.version[0])
		sw_text_add(line, size, "PAPI %s: ", library.version);
	if (count)
		tell(line, size, counters, count);
	else
		sw_text_add(line, size, "%s", library.why);
	free(counters);
}
