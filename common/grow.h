/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow by one item at a time. */
#ifndef SW_COMMON_GROW_H
#define SW_COMMON_GROW_H

#include <stddef.h>

/*
 * Make room for one more item.  items is the address of the pointer to count
 * items, initially NULL; the capacity follows from the count.  Returns 0, or -1
 * (errno ENOMEM) with nothing changed.
 */
int sw_grow(void *items, size_t count, size_t item_bytes);

#endif
