/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hash table from numbers to numbers, with open addressing. */
#ifndef SW_ANALYZER_NUMBERED_H
#define SW_ANALYZER_NUMBERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed: empty. */
struct sw_numbered {
	struct sw_numbered_slot *slots;
	size_t count, room; /* room is 0 or a power of two */
};

/*
 * Find the value of a key, or add it as NAN.  The pointer is valid until the
 * next call.  Keys 0 and 1 are the same.  NULL (ENOMEM).
 */
double *sw_numbered_need(struct sw_numbered *table, uint64_t key,
			 bool *is_new);

/* Return NAN if the key is not found. */
double sw_numbered_get(const struct sw_numbered *table, uint64_t key);

void sw_numbered_fini(struct sw_numbered *table);

#endif
