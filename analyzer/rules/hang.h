/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the wait that explains why a step stood still. */
#ifndef SW_ANALYZER_HANG_H
#define SW_ANALYZER_HANG_H

#include "analyzer/view/view.h"

/*
 * Return the wait that causes the others, from the last sample between start
 * and end, or NULL.  A thread that waits for a child, or for a waiting program
 * of the step, is followed to what that one waits for.
 */
const struct sw_view_hang *sw_hang_find(const struct sw_view *view,
					uint64_t start_usec,
					uint64_t end_usec);

/* Return true if the thread sleeps and depends on nothing else in the step. */
bool sw_hang_is_sleep(const struct sw_view_hang *hang);

/*
 * Return true if the thread ran repeatedly, and not only because its waits
 * timed out: what it waited for came each time.
 */
bool sw_hang_goes_on(const struct sw_view_hang *hang);

/* Return true if it waits for any connection or message to its port. */
bool sw_hang_is_server(const struct sw_view_hang *hang);

/* True if paced or a server, and no process of the step waits for it. */
bool sw_hang_is_idle(const struct sw_view *view,
		     const struct sw_view_hang *hang);

/* True if the thread stayed in one I/O call throughout the samples. */
bool sw_hang_is_stuck(const struct sw_view_hang *hang);

/*
 * Return true if the object of the wait is known and not just future work: a
 * deadlock, a file, a peer that was asked, a lock with known holder or file.
 */
bool sw_hang_is_certain(const struct sw_view *view,
			const struct sw_view_hang *hang);

/*
 * Return true if it is known who or what has to act (a file, a peer that was
 * sent a request, the other end of a pipe, a lock with known file or holder),
 * or if another process waits for this one.  Otherwise it may be an idle server
 * or thread pool.
 */
bool sw_hang_is_named(const struct sw_view *view,
		      const struct sw_view_hang *hang);

/*
 * Return what sw_hang_find() finds if a reader has to act on it; NULL if
 * nothing was found, or if it sleeps or makes progress.
 */
const struct sw_view_hang *sw_hang_open(const struct sw_view *view,
					uint64_t start_usec,
					uint64_t end_usec);

/* The hang that waits for this one while this one waits for it, or NULL. */
const struct sw_view_hang *sw_hang_partner(const struct sw_view *view,
					   const struct sw_view_hang *hang);

/* Return a hang that waits for this one, or NULL. */
const struct sw_view_hang *sw_hang_victim(const struct sw_view *view,
					  const struct sw_view_hang *hang);

#endif
