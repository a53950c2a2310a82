/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Receive the kernel's messages about exits (common/exit_socket.h) for all
 * steps that need them.  Do not poll the socket: any user's failing processes
 * would wake the recorder.  Only the loop calls this.
 */
#ifndef SW_RECORDER_EXITS_H
#define SW_RECORDER_EXITS_H

#include "recorder/programs/ends.h"

/*
 * Open the feeds for one more step; they are shared.  Return NULL with *error
 * if unavailable.  *error is also set if no message has come yet about a
 * process of the recorder: then they may come later.
 */
const struct sw_exit_feeds *sw_exits_open(struct sw_error *error);
void sw_exits_close(void);

/*
 * Run a round for a step: process the messages as sw_ends_take() does, up to
 * the limit of a round.  If statuses stay undecided for too long, let a process
 * of the recorder fail to force a message.
 */
void sw_exits_take(struct sw_ends *ends, uint64_t until_nsec,
		   sw_ends_living_f *is_living, void *context);

/*
 * Run the last round: wait until the machine is idle for a moment, or some 50
 * ms on a busy one, and 200 ms at most.
 */
void sw_exits_finish(struct sw_ends *ends, sw_ends_living_f *is_living,
		     void *context);

#endif
