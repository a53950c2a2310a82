/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copy the rows that a node's file of the day does not have yet. */
#ifndef SW_ANALYZER_SWEEP_GATHER_COPY_TAIL_H
#define SW_ANALYZER_SWEEP_GATHER_COPY_TAIL_H

#include <sys/types.h>

/*
 * Copy the tail of the ".part" file called part from the folder from to the
 * folder into.  Call it before copying that file: rows written in between are
 * then in both, and readers use one of them.  Return 1, 0 if there are no rows,
 * or -1 with errno; EPERM: the file belongs neither to owner nor to root.
 */
int sw_copy_tail(int from, int into, const char *part, uid_t owner);

/* Delete the tail of the day's file name, ".part" or not: it is obsolete. */
void sw_drop_tail(int into, const char *name);

#endif
