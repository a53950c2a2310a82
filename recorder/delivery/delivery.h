/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles that wait in the spool to be handed to their users: one after the
 * other for each user, who take turns, two at once in all and beside them those
 * that take long, tried again after longer and longer times.  What is in the spool is the whole state: after a restart the folder
 * is read again.
 */
#ifndef SW_RECORDER_DELIVERY_H
#define SW_RECORDER_DELIVERY_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct sw_deliveries;

/* How much is kept; the settings' keys of these names. */
struct sw_delivery_bounds {
	uint64_t keep_days, user_max_bytes, spool_max_bytes;
};

/*
 * Start the deliverer; profiles are in the folder spool_fd.  NULL with *error.
 * Call it early: the deliverer keeps a copy of the memory.
 */
struct sw_deliveries *
sw_deliveries_create(int spool_fd, const char *profile_dir,
		     const struct sw_delivery_bounds *bounds,
		     struct sw_error *error);

/* Whose a profile is. */
struct sw_delivery_owner {
	uint32_t uid, gid;
	uint32_t job_id;
};

/*
 * A finished profile of the spool; from due_usec on, so that the nodes of one
 * job do not all write at once.
 */
void sw_deliveries_add(struct sw_deliveries *deliveries, const char *name,
		       const struct sw_delivery_owner *owner,
		       uint64_t due_usec);

/* What to poll() for answers. */
int sw_deliveries_fd(const struct sw_deliveries *deliveries);

/* Take answers, send what is due. */
void sw_deliveries_advance(struct sw_deliveries *deliveries, uint64_t now_usec);

/* How many are not delivered yet. */
size_t sw_deliveries_count(const struct sw_deliveries *deliveries);

/* How many were removed since the start, because the spool was full. */
uint64_t sw_deliveries_removed(const struct sw_deliveries *deliveries);

/* Takes NULL.  The deliverer ends; what is under way is finished by it. */
void sw_deliveries_destroy(struct sw_deliveries *deliveries);

#endif
