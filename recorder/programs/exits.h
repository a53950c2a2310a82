/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder's one ear for how processes end (common/exit_socket.h), for all
 * steps that need it.  Never to be polled: any user's failing processes would
 * wake the recorder.  Only the loop calls this.
 */
#ifndef SW_RECORDER_EXITS_H
#define SW_RECORDER_EXITS_H

#include "recorder/programs/ends.h"

/*
 * For one more step: the feeds, the same for all of them.  NULL with *error
 * where nothing can be had; *error is set as well where nothing was told of a
 * process of its own at first: then it may come yet.
 */
const struct sw_exit_feeds *sw_exits_open(struct sw_error *error);
void sw_exits_close(void);

/*
 * A round of a step: as sw_ends_take(), of what has been told, or as much of
 * it as is due to a round; where that proves nothing for too long, a process
 * of the recorder's own fails.
 */
void sw_exits_take(struct sw_ends *ends, uint64_t until_nsec,
		   sw_ends_living_f *is_living, void *context);

/*
 * The last one: it waits for messages until the machine is idle for a moment,
 * on a busy one for some 50 ms, for 200 ms at most.
 */
void sw_exits_finish(struct sw_ends *ends, sw_ends_living_f *is_living,
		     void *context);

#endif
