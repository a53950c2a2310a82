/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of all that a step waited for while it stood still, what it was about. */
#ifndef SW_ANALYZER_HANG_H
#define SW_ANALYZER_HANG_H

#include "analyzer/view/view.h"

/*
 * The wait that the others come from, of the last sample from start to end;
 * NULL: there is none.  Who waits for a child, or for a program of the step
 * that waits as well, waits for what that one does.
 */
const struct sw_view_hang *sw_hang_find(const struct sw_view *view,
					uint64_t start_usec,
					uint64_t end_usec);

/* It sleeps, and nothing else of the step stands in its way. */
bool sw_hang_is_sleep(const struct sw_view_hang *hang);

/*
 * Its thread ran again and again, and not because its waits ended by their
 * time limit: what it waited for came each time.
 */
bool sw_hang_goes_on(const struct sw_view_hang *hang);

/*
 * It waits for events, and wakes up by its time limit, again and again: it has
 * nothing to do, or asks now and then.
 */
bool sw_hang_is_paced(const struct sw_view_hang *hang);

/* It waits for whoever may come: a connection, or a message, to its port. */
bool sw_hang_is_server(const struct sw_view_hang *hang);

/* One of both, and nobody of the step waits for it. */
bool sw_hang_is_idle(const struct sw_view *view,
		     const struct sw_view_hang *hang);

/* One thread was in one call for I/O all the while that was looked at. */
bool sw_hang_is_stuck(const struct sw_view_hang *hang);

/*
 * What it waited for is known, and is no work to come: a deadlock, a file, a
 * peer that was asked, a lock whose holder or file is known.
 */
bool sw_hang_is_certain(const struct sw_view *view,
			const struct sw_view_hang *hang);

/*
 * Who or what has to act before it goes on is known (a file, a peer that was
 * asked, the other end of a pipe, a lock by its file or holder), or another
 * process waits for it.  Else it may be a server, or a pool of threads, with
 * nothing to do.
 */
bool sw_hang_is_named(const struct sw_view *view,
		      const struct sw_view_hang *hang);

/*
 * The one that sw_hang_find() finds, if a reader has to act on it; NULL: there
 * is none, or it sleeps, or goes on.
 */
const struct sw_view_hang *sw_hang_open(const struct sw_view *view,
					uint64_t start_usec,
					uint64_t end_usec);

/* Two that wait for each other; NULL: none. */
const struct sw_view_hang *sw_hang_partner(const struct sw_view *view,
					   const struct sw_view_hang *hang);

/* One that waits for it; NULL: none. */
const struct sw_view_hang *sw_hang_victim(const struct sw_view *view,
					  const struct sw_view_hang *hang);

#endif
