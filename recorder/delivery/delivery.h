/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queue of profiles in the spool to deliver to users: one at a time for each
 * user, users in turn, two concurrently and in addition slow ones; failures are
 * retried at increasing intervals.  The spool is the only state: it is read
 * again after a restart.
 */
#ifndef SW_RECORDER_DELIVERY_H
#define SW_RECORDER_DELIVERY_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct sw_deliveries;

/* Limits; named like the keys of the settings */
struct sw_delivery_bounds {
	uint64_t keep_days, user_max_bytes, spool_max_bytes;
};

/*
 * Start the deliverer; profiles are in the directory spool_fd.  Return NULL
 * with *error.  Call it early: the deliverer keeps a copy of the memory.
 */
struct sw_deliveries *
sw_deliveries_create(int spool_fd, const char *profile_dir,
		     const struct sw_delivery_bounds *bounds,
		     struct sw_error *error);

/* Owner of a profile */
struct sw_delivery_owner {
	uint32_t uid, gid;
	uint32_t job_id;
};

/*
 * Add a finished profile of the spool.  due_usec spreads the writes of a job's
 * nodes.
 */
void sw_deliveries_add(struct sw_deliveries *deliveries, const char *name,
		       const struct sw_delivery_owner *owner,
		       uint64_t due_usec);

/* Return the descriptor to poll() for answers. */
int sw_deliveries_fd(const struct sw_deliveries *deliveries);

/* Process answers, send what is due. */
void sw_deliveries_advance(struct sw_deliveries *deliveries, uint64_t now_usec);

/* Return the number of undelivered profiles. */
size_t sw_deliveries_count(const struct sw_deliveries *deliveries);

/* Return the number of profiles removed from the full spool since the start. */
uint64_t sw_deliveries_removed(const struct sw_deliveries *deliveries);

/* Accepts NULL.  The deliverer finishes what is in progress, then exits. */
void sw_deliveries_destroy(struct sw_deliveries *deliveries);

#endif
