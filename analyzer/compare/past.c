/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The past runs that count. */
#include "analyzer/compare/compare_internal.h"

bool sw_fingerprint_teaches(const struct sw_fingerprint *print)
{
	return print->state == SW_RUN_COMPLETED && !print->has_failure;
}

/*
 * The last change of the group's ways: at least SW_EXPECTED_LEAST successful
 * runs in a row that were unlike those before them.  Both are 0 without one.
 */
struct change {
	size_t first, end; /* of these runs */
};

static struct change find_change(const struct sw_fingerprint *const *runs,
				 size_t count)
{
	struct change change = { count, count };
	size_t streak = 0, i;

	for (i = count; i > 0; i--) {
		if (!sw_fingerprint_teaches(runs[i - 1]))
			continue;
		if (runs[i - 1]->was_unlike) {
			change.first = i - 1;
			if (streak++ == 0)
				change.end = i;
			continue;
		}
		if (streak >= SW_EXPECTED_LEAST)
			break;
		streak = 0;
	}
	return streak >= SW_EXPECTED_LEAST ? change : (struct change){ 0, 0 };
}

static bool counts(const struct sw_fingerprint *const *runs, size_t at,
		   const struct change *change)
{
	return sw_fingerprint_teaches(runs[at]) &&
	       (!runs[at]->was_unlike || at < change->end);
}

size_t sw_take_newest(const struct sw_fingerprint **newest,
		      const struct sw_fingerprint *const *runs, size_t count,
		      bool has_to_teach)
{
	struct change change = { 0, 0 };
	size_t first = count, found = 0, taken = 0;

	if (has_to_teach)
		change = find_change(runs, count);
	while (first > change.first && found < SW_EXPECTED_RUNS) {
		first--;
		found += !has_to_teach || counts(runs, first, &change);
	}
	for (; first < count; first++) {
		if (!has_to_teach || counts(runs, first, &change))
			newest[taken++] = runs[first];
	}
	return taken;
}
