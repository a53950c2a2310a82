/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A history that the site keeps for a user, beside the user's own: read as one,
 * and nothing is written.
 */
#ifndef SW_ANALYZER_HISTORY_BESIDE_H
#define SW_ANALYZER_HISTORY_BESIDE_H

#include "analyzer/history/history.h"

/*
 * The own history with the rows of this user's in folder (NULL: there is none;
 * FOLDER/UID.sqlite) as if these had been imported: for each run the better
 * source counts.  Only a file is taken that nobody but its owner can write to:
 * the user, root or the owner of the folder, which nobody else can write to,
 * either; for another one there is a message on stderr.  An own history of more
 * than 64 MiB stays alone: "stepwell import" reads the other into it.  own may
 * be NULL, and is closed where the result is another one.  NULL with errno as
 * it was: there is neither.
 */
struct sw_history *sw_history_join(struct sw_history *own, const char *folder);

/* The same of the file at path; otherwise as sw_history_open_as(), to read. */
struct sw_history *sw_history_open_both(const char *path, const char *folder,
					const struct sw_history_access *access,
					struct sw_error *error);

/*
 * Open this user's file in the folder alone, to read it.  NULL with errno
 * ENOENT: there is none, or it was told why it is not taken.
 */
struct sw_history *sw_history_open_beside(const char *folder,
					  struct sw_error *error);

/*
 * Add the rows of this user's file in the folder to a history that is open to
 * be written.  How many there were, and were not in it.  0, or -1 after a
 * message: nothing was added.
 */
int sw_history_take_beside(struct sw_history *history, const char *folder,
			   size_t *rows, size_t *added);

/* What to do with each row; not 0 ends it. */
typedef int (*sw_history_row_f)(void *context,
				const struct sw_history_run *run);

/*
 * Pass all rows of a history on.  One whose state is Slurm's, and that is not
 * from sacct, comes twice: as sacct would have it before.  0, what the function
 * returned, or -1 with *error.
 */
int sw_history_each_run(struct sw_history *history, sw_history_row_f function,
			void *context, struct sw_error *error);

/*
 * Delete runs that ended before, and of what is left the oldest beyond so many,
 * with groups that have none.  0, or -1 with *error.
 */
int sw_history_trim(struct sw_history *history, double before_seconds,
		    size_t runs_max, struct sw_error *error);

#endif
