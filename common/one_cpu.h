/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many CPUs a step uses if one of its threads runs at a time, and from how
 * many on two do.
 *
 * "make bench-one-cpu" measures it in what "make ward" recorded.  On an idle
 * node with two CPUs, intervals had these CPUs in use, and in use or waited for:
 *
 *				in use, 1 s	or waited for	for 10 s
 *	one thread		0.83 to 1.00	0.96 to 1.00	1.00
 *	take turns at a lock	0.95 to 1.00	1.00 to 1.24	1.07 to 1.13
 *	two ends of a pipe	1.10 to 1.22	1.16 to 1.32	1.19 to 1.25
 *	two threads		1.00 to 2.00	1.94 to 2.00	1.98 to 2.00
 *
 * Those that take turns want more than one CPU for as long as a thread that got
 * the lock waits for the CPU of the previous owner: the upper end is that of
 * CPUs in use.
 */
#ifndef SW_COMMON_ONE_CPU_H
#define SW_COMMON_ONE_CPU_H

#include <stdbool.h>

#define SW_ONE_CPU_LOW 0.8
#define SW_ONE_CPU_HIGH 1.1
/* Half of the time two, and one otherwise */
#define SW_TWO_CPUS_LOW 1.5

/* Return true if one thread at a time explains so many CPUs; NAN: false. */
static inline bool sw_is_one_cpu(double cpus)
{
	return cpus >= SW_ONE_CPU_LOW && cpus <= SW_ONE_CPU_HIGH;
}

#endif
