/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A history for each user, with the runs known to the sweep: a file that only
 * this user can read, and that stepwell reads in addition to the user's own.
 */
#ifndef SW_ANALYZER_SWEEP_GATHER_USER_HISTORIES_H
#define SW_ANALYZER_SWEEP_GATHER_USER_HISTORIES_H

#include <stddef.h>

#include "analyzer/sweep/night/night.h"

struct sw_user_histories {
	/*
	 * Writable only by this process's user.  UID.sqlite belongs to the
	 * user, with mode 0400; working copies are in a private folder.
	 */
	const char *folder;
	unsigned keep_days; /* for runs and files; 0: forever */
};

/*
 * Add the runs of a night to the histories of their users; adding the same
 * night again changes nothing.  *users: number of users with a new file.
 * Return 0, or -1 with *error, which names the first user without one.
 */
int sw_user_histories_add(const struct sw_user_histories *histories,
			  const struct sw_night *night, size_t *users,
			  struct sw_error *error);

#endif
