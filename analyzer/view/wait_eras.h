/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Meaning of the subjects of series.waits.  A name may be found late and also
 * applies to all earlier rows; a recorder that takes over from another starts
 * new numbers with its row "all".
 */
#ifndef SW_ANALYZER_WAIT_ERAS_H
#define SW_ANALYZER_WAIT_ERAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/series/series.h"

enum { SW_WAIT_SUBJECTS = 256 };

/* The subjects of one recorder. */
struct sw_wait_era {
	size_t first, end; /* rows of the table "subjects" */
	uint64_t end_usec; /* end of its rows in series.waits */
};

/* Advance to the next era, from a zeroed one to the first; false at the end. */
bool sw_wait_era_next(struct sw_wait_era *era, const struct sw_series *names);

/*
 * Return the subject of a row if it is of series.waits, or else SW_MISSING with
 * kind set.
 */
uint64_t sw_wait_era_subject(const struct sw_series *names, size_t row,
			     const char **kind);

#endif
