/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times that were written without a zone: of local time.  In the hour that comes
 * twice when summer time ends, such a time is one of two.
 */
#ifndef SW_COMMON_LOCAL_TIME_H
#define SW_COMMON_LOCAL_TIME_H

#include <time.h>

/* Seconds since the Epoch, of two the earlier; NAN: no time. */
double sw_local_time(const struct tm *tm);

/*
 * Which of two each is, of a run of elapsed_seconds: it starts after it was
 * submitted and does not end before it starts.  All were read by
 * sw_local_time(), or are NAN.
 */
void sw_local_times_settle(double submit_seconds, double *start_seconds,
			   double *end_seconds, double elapsed_seconds);

#endif
