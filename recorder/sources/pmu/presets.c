/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find out how many of PAPI's presets can be counted here. */
#include "recorder/sources/pmu/presets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "recorder/sources/pmu/pmu.h"

enum { NAMES_MAX = 4, REASONS_MAX = 3 };

struct presets {
	struct sw_papi_library library;
	size_t count;
	struct sw_papi_counter counter[SW_PAPI_PRESETS_MAX];
};

/* Nothing is counted: counting would begin at this process's next exec. */
static void try_counter(struct sw_papi_counter *counter)
{
	struct sw_pmu_group group = { .count = 0 };
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

/* List all presets that are unavailable for the same reason as this one. */
static void tell_reason(char *line, size_t size, const struct presets *presets,
			size_t from, bool *is_told)
{
	const char *why = presets->counter[from].reason;
	size_t i, told = 0;

	for (i = from; i < presets->count; i++) {
		const struct sw_papi_counter *counter = &presets->counter[i];

		if (!counter->has_formula || strcmp(counter->reason, why) != 0)
			continue;
		is_told[i] = true;
		if (told++ < NAMES_MAX)
			sw_text_add(line, size, "%s%s",
				    told == 1 ? "; not " : ", ", counter->name);
	}
	if (told > NAMES_MAX)
		sw_text_add(line, size, " and %zu more", told - NAMES_MAX);
	sw_text_add(line, size, ": %s", why);
}

static void tell(char *line, size_t size, const struct presets *presets)
{
	bool is_told[SW_PAPI_PRESETS_MAX] = { false };
	size_t i, all = 0, good = 0, reasons = 0;

	for (i = 0; i < presets->count; i++) {
		all += presets->counter[i].has_formula;
		good += !presets->counter[i].reason[0];
	}
	sw_text_add(line, size,
		    "%zu presets for this processor, %zu count here", all,
		    good);
	for (i = 0; i < presets->count && reasons < REASONS_MAX; i++) {
		if (!presets->counter[i].has_formula ||
		    !presets->counter[i].reason[0] || is_told[i])
			continue;
		tell_reason(line, size, presets, i, is_told);
		reasons++;
	}
}

static void fill(struct presets *presets, const struct sw_papi_origin *origin)
{
	size_t i;

	presets->count = sw_papi_presets(presets->counter, SW_PAPI_PRESETS_MAX,
					 origin, &presets->library);
	for (i = 0; i < presets->count; i++) {
		if (!presets->counter[i].reason[0])
			try_counter(&presets->counter[i]);
	}
}

void sw_presets_print(FILE *file, const struct sw_papi_origin *origin)
{
	struct presets *presets = calloc(1, sizeof(*presets));
	char line[480] = "";
	size_t i;

	if (!presets) {
		fputs("not enough memory\n", file);
		return;
	}
	fill(presets, origin);
	if (presets->library.version[0])
		sw_text_add(line, sizeof(line),
			    "PAPI %s: ", presets->library.version);
	if (presets->count)
		tell(line, sizeof(line), presets);
	else
		sw_text_add(line, sizeof(line), "%s", presets->library.why);
	fprintf(file, "%s\n", line);
	for (i = 0; i < presets->count; i++)
		fprintf(file, "%s: %s\n", presets->counter[i].name,
			presets->counter[i].reason[0]
				? presets->counter[i].reason
				: "counts here");
	free(presets);
}
