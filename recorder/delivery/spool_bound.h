/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is removed of a spool that is full.  Whoever holds most of it pays: of
 * the user with the most bytes the job with the most, its oldest profile
 * first, so that nobody pushes out what others have there.
 */
#ifndef SW_RECORDER_SPOOL_BOUND_H
#define SW_RECORDER_SPOOL_BOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whose a finished profile is. */
struct sw_spooled {
	const char *name;
	uint32_t uid, job_id;
	bool is_leaving; /* being delivered: stays, and counts for nothing */
	void *tag;	 /* the caller's */
};

/*
 * Remove profiles until the rest takes max_bytes at most (0: no limit).
 * spooled, which is sorted here, says whose they are; all that it does not
 * name count as one job of a user of their own.  Each that was removed is
 * told with its entry, NULL: it had none.  Removes a thousand at most: the
 * rest has its turn at the next call.
 */
void sw_spool_bound(int spool_fd, struct sw_spooled *spooled, size_t count,
		    uint64_t max_bytes,
		    void (*removed)(void *context,
				    const struct sw_spooled *which),
		    void *context);

#endif
