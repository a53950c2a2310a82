/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which runs were asked for again with more, because one before was killed for
 * want of memory.  Users do that by hand, with a new job, that no scheduler
 * knows as a retry.
 */
#ifndef SW_ADVICE_ATTEMPTS_H
#define SW_ADVICE_ATTEMPTS_H

#include "advice/run.h"

/*
 * Sets first_requested_bytes of those runs of a group that ask for more than
 * one that had been killed when they started, each kill for one of them; runs
 * are by the time of their ends.  What is known already stays.
 */
void sw_attempts_find(struct sw_run *runs, size_t count);

#endif
