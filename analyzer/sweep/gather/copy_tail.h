/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows that a node's file of the day does not have yet, copied. */
#ifndef SW_ANALYZER_SWEEP_GATHER_COPY_TAIL_H
#define SW_ANALYZER_SWEEP_GATHER_COPY_TAIL_H

#include <sys/types.h>

/*
 * Beside the ".part" called part below from, into the folder into; before that
 * file, so that rows that come into it meanwhile are in both, of which readers
 * take one.  1, 0: there are none, or -1 with errno; EPERM: it is not a file of
 * owner's or root's.
 */
int sw_copy_tail(int from, int into, const char *part, uid_t owner);

/* The one of the day's file of that name, ".part" or not, is of no use now. */
void sw_drop_tail(int into, const char *name);

#endif
