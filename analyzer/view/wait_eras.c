/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Meaning of the subjects of series.waits under successive recorders. */
#include "analyzer/view/wait_eras.h"

#include <string.h>

uint64_t sw_wait_era_subject(const struct sw_series *names, size_t row,
			     const char **kind)
{
	const char *source = sw_series_text(names, row, "source");
	uint64_t subject = sw_series_at(names, row, "subject");

	*kind = sw_series_text(names, row, "kind");
	return source && !strcmp(source, "waits") && *kind &&
			       subject < SW_WAIT_SUBJECTS
		       ? subject
		       : SW_MISSING;
}

static bool is_first_of_era(const struct sw_series *names, size_t row)
{
	const char *kind;

	return !sw_is_missing(sw_wait_era_subject(names, row, &kind)) &&
	       !strcmp(kind, "all");
}

bool sw_wait_era_next(struct sw_wait_era *era, const struct sw_series *names)
{
	size_t rows = sw_series_rows(names);
	bool has_begun = false;

	/* Without names there is a single era with unknown subjects. */
	if (era->end >= rows && era->end_usec)
		return false;
	era->first = era->end;
	for (; era->end < rows; era->end++) {
		if (!is_first_of_era(names, era->end))
			continue;
		if (has_begun)
			break;
		has_begun = true;
	}
	era->end_usec = era->end < rows
				? sw_series_at(names, era->end, "time_usec")
				: SW_MISSING;
	return true;
}
