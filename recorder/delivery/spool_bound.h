/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remove profiles from a full spool.  The largest owner pays: of the user with
 * most bytes the job with most, its oldest profile first, so that nobody can
 * displace the profiles of others.
 */
#ifndef SW_RECORDER_SPOOL_BOUND_H
#define SW_RECORDER_SPOOL_BOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Owner of a finished profile */
struct sw_spooled {
	const char *name;
	uint32_t uid, job_id;
	bool is_leaving; /* being delivered: not removed, not counted */
	void *tag;	 /* for the caller's use */
};

/*
 * Remove profiles until at most max_bytes remain (0: no limit).  spooled, which
 * is sorted here, lists their owners; all others count as one job of a separate
 * user.  Each removed one is reported with its entry, or NULL.  Removes at most
 * a thousand; the rest is left to the next call.
 */
void sw_spool_bound(int spool_fd, struct sw_spooled *spooled, size_t count,
		    uint64_t max_bytes,
		    void (*removed)(void *context,
				    const struct sw_spooled *which),
		    void *context);

#endif
