/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Realistic rows for the tests of profiles/: a table of a step and one with
 * several subjects a tick, two steps, times of one pass close to each other,
 * counters that follow the time, rare bursts, texts.
 */
#ifndef TEST_UNIT_PROFILES_ROWS_H
#define TEST_UNIT_PROFILES_ROWS_H

#include "profiles_kit.h"

struct rows_kit {
	int ticks; /* numbers of the tables */
	int subjects;
};

/* Define both tables in a writer that has none of these names. */
void rows_define(struct rows_kit *rows, struct sw_writer *writer);

/* Write all rows of the tick; returns their number. */
uint64_t rows_write(const struct rows_kit *rows, struct sw_writer *writer,
		    uint64_t tick);

/* Check that every row of the first ticks is there, in the order of writing. */
void rows_check(const struct sw_reader *reader, uint64_t ticks);

#endif
