/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows as a recorder writes them, for the tests of profiles/: a table of a
 * step and one with several subjects a tick, two steps, times of one round
 * close to each other, counters that go with the time, rare bursts, texts.
 */
#ifndef TEST_UNIT_PROFILES_ROWS_H
#define TEST_UNIT_PROFILES_ROWS_H

#include "profiles_kit.h"

struct rows_kit {
	int ticks; /* the tables' numbers */
	int subjects;
};

/* Both tables, of a writer that has none of these names. */
void rows_define(struct rows_kit *rows, struct sw_writer *writer);

/* All rows of the tick; how many. */
uint64_t rows_write(const struct rows_kit *rows, struct sw_writer *writer,
		    uint64_t tick);

/* Is every row of the first ticks there, and in the order of writing? */
void rows_check(const struct sw_reader *reader, uint64_t ticks);

#endif
