/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find runs that were resubmitted with more memory because an earlier one was
 * killed when out of memory.  Users do that by hand with a new job, which no
 * scheduler recognizes as a retry.
 */
#ifndef SW_ADVICE_ATTEMPTS_H
#define SW_ADVICE_ATTEMPTS_H

#include "advice/run.h"

/*
 * Set first_requested_bytes of the runs of a group that request more than a run
 * that had been killed before they started, one run for each kill.  runs are
 * ordered by end time.  Known values are kept.
 */
void sw_attempts_find(struct sw_run *runs, size_t count);

#endif
