/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that the nodes' recorders keep of each day, in all folders. */
#ifndef SW_ANALYZER_SWEEP_NIGHT_DAY_FILES_H
#define SW_ANALYZER_SWEEP_NIGHT_DAY_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/trust/judge.h"

/* All zero is empty; the newest day first. */
struct sw_day_files {
	char **paths;
	size_t count;
};

/*
 * "2026-11-22.n1.stepwell", or with ".part" behind it while it is written: the
 * node is of letters, digits, "-" and "_", as recorders name it.
 */
bool sw_is_day_file(const char *name);

/* The rows that one of them does not have yet: "2026-11-22.n1.stepwell.tail". */
bool sw_is_day_tail(const char *name);

/* Of a path; the days are as in its name, and both are within. */
bool sw_day_file_is_within(const char *path, const char *first_day,
			   const char *last_day);

/*
 * Those of all folders of summaries.  One that cannot be listed is passed to
 * complain, with errno.  0, or -1 (errno ENOMEM).
 */
int sw_day_files_init(struct sw_day_files *files, const struct sw_judge *judge,
		      void (*complain)(void *context, const char *folder),
		      void *context);
void sw_day_files_fini(struct sw_day_files *files);

#endif
