/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A history that the site keeps for a user, read together with the user's own;
 * nothing is written.
 */
#ifndef SW_ANALYZER_HISTORY_BESIDE_H
#define SW_ANALYZER_HISTORY_BESIDE_H

#include "analyzer/history/history.h"

/*
 * Join the own history with the rows of this user in folder (FOLDER/UID.sqlite;
 * NULL: none) as if they had been imported: the better source of each run
 * counts.  A file is only trusted if nobody but its owner can write to it, and
 * the owner is the user, root, or the owner of the folder, which nobody else
 * can write to; otherwise a message is printed to stderr.  An own history of
 * more than 64 MiB is not joined: "stepwell import" reads the other into it.
 * own may be NULL, and is closed if the result is another one.  Return NULL
 * with errno unchanged if there is neither.
 */
struct sw_history *sw_history_join(struct sw_history *own, const char *folder);

/* Likewise for the file at path, opened like sw_history_open_as(). */
struct sw_history *sw_history_open_both(const char *path, const char *folder,
					const struct sw_history_access *access,
					struct sw_error *error);

/*
 * Add the rows of this user's file in the folder to a writable history.  Set
 * the number of rows, and of those that were new.  Return 0, or -1 after a
 * message: nothing was added.
 */
int sw_history_take_beside(struct sw_history *history, const char *folder,
			   size_t *rows, size_t *added);

/* Called for each row; a nonzero result stops. */
typedef int (*sw_history_row_f)(void *context,
				const struct sw_history_run *run);

/*
 * Visit all rows of a history.  A row that is not from sacct but has Slurm's
 * state is passed twice: first as a row of sacct.  Return 0, the nonzero result
 * of the function, or -1 with *error.
 */
int sw_history_each_run(struct sw_history *history, sw_history_row_f function,
			void *context, struct sw_error *error);

/*
 * Delete runs that ended before the time, then the oldest beyond runs_max, and
 * groups without runs.  Return 0, or -1 with *error.
 */
int sw_history_trim(struct sw_history *history, double before_seconds,
		    size_t runs_max, struct sw_error *error);

#endif
