/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The past runs that count. */
#include "analyzer/compare/compare_internal.h"

bool sw_fingerprint_teaches(const struct sw_fingerprint *print)
{
	return print->state == SW_RUN_COMPLETED && !print->has_failure;
}

size_t sw_take_newest(const struct sw_fingerprint **newest,
		      const struct sw_fingerprint *const *runs, size_t count,
		      bool has_to_teach)
{
	size_t first = count, found = 0, taken = 0;

	while (first > 0 && found < SW_EXPECTED_RUNS)
		found += sw_fingerprint_teaches(runs[--first]) || !has_to_teach;
	for (; first < count; first++) {
		if (!has_to_teach || sw_fingerprint_teaches(runs[first]))
			newest[taken++] = runs[first];
	}
	return taken;
}
