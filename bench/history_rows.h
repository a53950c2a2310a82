/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Past runs of a fictitious site: groups of 1 to 10,000 runs, as many small
 * ones as large ones, with their runs interleaved in time order.
 */
#ifndef BENCH_HISTORY_ROWS_H
#define BENCH_HISTORY_ROWS_H

#include <stdint.h>

#include "analyzer/compare/fingerprint.h"
#include "analyzer/history/history.h"

enum { HISTORY_TEXT_SIZE = 96 };

struct history_group {
	char group[HISTORY_TEXT_SIZE], label[HISTORY_TEXT_SIZE];
	char user[16];
	uint32_t size;
	double need_bytes, elapsed_seconds;	/* medians */
};

struct history_rows {
	struct history_group *groups;
	uint32_t group_count;
	uint32_t *group_of;	/* by row */
	uint32_t count;
	uint64_t state;
};

/* A row and its text. */
struct history_row {
	struct sw_history_run run;
	char job[32], lineage[48];
	uint8_t print[SW_FINGERPRINT_BYTES];
};

/* The same count gives the same rows.  0, or -1 with errno. */
int history_rows_init(struct history_rows *rows, uint32_t count);
void history_rows_fini(struct history_rows *rows);

/* Get the rows in sequence; *row must not be moved. */
void history_rows_get(struct history_rows *rows, uint32_t index,
		      struct history_row *row);

/* Return a number from 0 to below limit. */
uint32_t history_rows_random(struct history_rows *rows, uint32_t limit);

#endif
