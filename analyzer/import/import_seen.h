/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of the history that an import has written: two of its rows that became
 * one are told, as one of them may have been another run.
 */
#ifndef SW_ANALYZER_IMPORT_SEEN_H
#define SW_ANALYZER_IMPORT_SEEN_H

#include <stddef.h>
#include <stdint.h>

struct sw_import_seen {
	int64_t *slots;		/* 0 is free */
	size_t slot_count, count;
};

void sw_import_seen_fini(struct sw_import_seen *seen);

/* 1: it was there, 0: it was not and is now, -1 (errno ENOMEM). */
int sw_import_seen_add(struct sw_import_seen *seen, int64_t row);

#endif
