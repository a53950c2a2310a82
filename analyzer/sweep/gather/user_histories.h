/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A history for each user, of the runs that the sweep knows: a file that only
 * this user can read, and which stepwell reads beside the user's own.
 */
#ifndef SW_ANALYZER_SWEEP_GATHER_USER_HISTORIES_H
#define SW_ANALYZER_SWEEP_GATHER_USER_HISTORIES_H

#include <stddef.h>

#include "analyzer/sweep/night/night.h"

struct sw_user_histories {
	/*
	 * Of this process's user, who alone can write to it.  UID.sqlite is the
	 * user's, mode 0400; what is gone on with is in a folder of its own.
	 */
	const char *folder;
	unsigned keep_days; /* runs and files; 0: for ever */
};

/*
 * Add the runs of a night to the histories of their users.  The same night
 * again adds nothing.  How many users have a new file in *users.  0, or -1 with
 * *error, which names the first user who has none.
 */
int sw_user_histories_add(const struct sw_user_histories *histories,
			  const struct sw_night *night, size_t *users,
			  struct sw_error *error);

#endif
