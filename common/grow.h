/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow by one item at a time. */
#ifndef SW_COMMON_GROW_H
#define SW_COMMON_GROW_H

#include <stddef.h>

/*
 * Makes room for one item more than the count that there are.  items is the
 * address of the pointer to them, which begins as NULL; how much room there is
 * follows from the count.  0, or -1 (errno ENOMEM) and all is as it was.
 */
int sw_grow(void *items, size_t count, size_t item_bytes);

#endif
