/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Convert times written without a zone, as local time.  In the hour that is
 * repeated when summer time ends, such a time is ambiguous.
 */
#ifndef SW_COMMON_LOCAL_TIME_H
#define SW_COMMON_LOCAL_TIME_H

#include <time.h>

/* Return seconds since the Epoch, the earlier if ambiguous; NAN: not a time. */
double sw_local_time(const struct tm *tm);

/*
 * Resolve ambiguous times of a run of elapsed_seconds: it starts after its
 * submission and does not end before its start.  All are results of
 * sw_local_time(), or NAN.
 */
void sw_local_times_settle(double submit_seconds, double *start_seconds,
			   double *end_seconds, double elapsed_seconds);

#endif
