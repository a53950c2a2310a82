/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Baseline of bench_history: an SQLite table with the same columns, the group
 * as text in each row, and no index.
 */
#ifndef BENCH_HISTORY_PLAIN_H
#define BENCH_HISTORY_PLAIN_H

#include <stddef.h>

#include "analyzer/history/history.h"

struct history_plain;

/* NULL: failed, with a message on stderr. */
struct history_plain *history_plain_open(const char *path);
void history_plain_close(struct history_plain *plain);

/* 0, or -1 with a message; add rows between begin and commit. */
int history_plain_begin(struct history_plain *plain);
int history_plain_add(struct history_plain *plain,
		      const struct sw_history_run *run);
int history_plain_commit(struct history_plain *plain);

/* Read the newest limit runs of a group; return their number, or -1. */
long history_plain_read(struct history_plain *plain, const char *group,
			size_t limit);

#endif
