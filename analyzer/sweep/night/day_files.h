/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes' daily summary files, in all folders. */
#ifndef SW_ANALYZER_SWEEP_NIGHT_DAY_FILES_H
#define SW_ANALYZER_SWEEP_NIGHT_DAY_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/trust/judge.h"

/* Zeroed: empty; newest day first. */
struct sw_day_files {
	char **paths;
	size_t count;
};

/*
 * Match "2026-11-22.n1.stepwell", with ".part" appended while it is written;
 * recorders use letters, digits, "-" and "_" for the node.
 */
bool sw_is_day_file(const char *name);

/* Rows not yet in such a file: "2026-11-22.n1.stepwell.tail". */
bool sw_is_day_tail(const char *name);

/* True if the day in a file's name is between both days, inclusive. */
bool sw_day_file_is_within(const char *path, const char *first_day,
			   const char *last_day);

/*
 * List the files of all summary folders.  Folders that cannot be listed are
 * passed to complain, with errno.  Return 0, or -1 (errno ENOMEM).
 */
int sw_day_files_init(struct sw_day_files *files, const struct sw_judge *judge,
		      void (*complain)(void *context, const char *folder),
		      void *context);
void sw_day_files_fini(struct sw_day_files *files);

#endif
