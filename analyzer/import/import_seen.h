/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Set of history rows written by an import: two of its rows that were merged
 * are reported, since one of them may be another run.
 */
#ifndef SW_ANALYZER_IMPORT_SEEN_H
#define SW_ANALYZER_IMPORT_SEEN_H

#include <stddef.h>
#include <stdint.h>

struct sw_import_seen {
	int64_t *slots;		/* 0: free */
	size_t slot_count, count;
};

void sw_import_seen_fini(struct sw_import_seen *seen);

/* Add a row: 1 if it was present, 0 if it is new, -1 (errno ENOMEM). */
int sw_import_seen_add(struct sw_import_seen *seen, int64_t row);

#endif
