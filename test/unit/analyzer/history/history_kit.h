/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A history in its own folder, created for each test. */
#ifndef TEST_UNIT_HISTORY_KIT_H
#define TEST_UNIT_HISTORY_KIT_H

#include <check.h>

#include "analyzer/history/history.h"
#include "test/temp_folder.h"

extern char kit_folder[TEMP_FOLDER_SIZE], kit_path[96];

struct sw_history *kit_open(void);

/* A run of alice's group "alice/align"; the caller owns the texts. */
struct sw_history_run kit_run_of(const char *job, double end_seconds);

/* Returns the result of adding. */
int kit_add(struct sw_history *history, const struct sw_history_run *run);
struct sw_history_runs kit_runs(struct sw_history *history, const char *group,
				size_t limit);

TCase *kit_case(const char *name);
int kit_run(TCase *tests);

#endif
