/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts of equal jobs.  Rows are made from the whole key except request,
 * lineage and stratum; with these a cell is evidence about nodes.
 */
#ifndef SW_ANALYZER_FAILURE_CELL_H
#define SW_ANALYZER_FAILURE_CELL_H

#include "analyzer/failures/failures.h"
#include "analyzer/keyed/pack.h"

enum sw_cell_text {
	SW_CELL_CLUSTER,
	SW_CELL_GROUP, /* early, to keep groups together */
	SW_CELL_PROGRAM,
	SW_CELL_MESSAGE,
	SW_CELL_NODE, /* "": several, or unknown */
	SW_CELL_REQUEST,
	SW_CELL_LINEAGE, /* hash, for failures only */
	SW_CELL_USER,
	SW_CELL_TEXTS,
};

/* Numbers of the key, after the texts. */
struct sw_cell_numbers {
	uint64_t class, exit_code, signal;
	uint64_t time; /* the stratum */
};

struct sw_cell_sums {
	uint64_t count, core_seconds, mib_seconds;
	uint64_t example_job_id, first_end_seconds, last_end_seconds;
};

enum {
	SW_CELL_NUMBERS = sizeof(struct sw_cell_numbers) / sizeof(uint64_t),
	SW_CELL_SUMS = sizeof(struct sw_cell_sums) / sizeof(uint64_t),
};

struct sw_failure_cell {
	struct sw_keyed_entry entry;
	struct sw_cell_sums sums;
	struct sw_cell_numbers numbers;
	const char *text[SW_CELL_TEXTS];
	bool is_first; /* of its lineage, in suspects.c */
	char key[];
};

/* Allocate the bytes of a key; NULL (ENOMEM). */
char *sw_cell_key(const char *const text[SW_CELL_TEXTS],
		  const struct sw_cell_numbers *numbers, size_t *size);

/* Add to the cell with that key.  0, or -1: EINVAL (no key), ENOMEM. */
int sw_cell_add(struct sw_keyed *cells, const char *key, size_t size,
		const struct sw_cell_sums *sums);

/* Compare by what ended, how, and with which message. */
int sw_cell_compare_causes(const struct sw_failure_cell *a,
			   const struct sw_failure_cell *b);

void sw_cells_write(const struct sw_keyed *cells,
		    struct sw_keyed_entry *const *sorted, struct sw_pack *pack);
/* Read a written cell.  Return 0, or -1 (EINVAL, ENOMEM). */
int sw_cell_read(struct sw_unpack *unpack, const char **key, size_t *size,
		 struct sw_cell_sums *sums);

static inline int sw_cell_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Saturating. */
static inline uint64_t sw_cell_plus(uint64_t a, uint64_t b)
{
	return a > SW_MISSING - b ? SW_MISSING : a + b;
}

static inline struct sw_failure_cell *sw_cell_of(struct sw_keyed_entry *entry)
{
	return (struct sw_failure_cell *)entry; /* its first member */
}

#endif
