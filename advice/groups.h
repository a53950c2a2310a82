/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An array of equal items, one for each group, that grows as groups appear. */
#ifndef SW_ADVICE_GROUPS_H
#define SW_ADVICE_GROUPS_H

#include <stddef.h>

struct sw_groups {
	char *items;
	size_t count, item_size;
};

/* New items are zeroed.  NULL: no memory (errno ENOMEM). */
void *sw_groups_get(struct sw_groups *groups, size_t index);
/* NULL where the group was never got. */
void *sw_groups_peek(const struct sw_groups *groups, size_t index);

/* A vector of numbers that grows. */
struct sw_numbers {
	double *items;
	size_t count, room;
};

/* 0, or -1 (errno ENOMEM). */
int sw_numbers_add(struct sw_numbers *numbers, double number);
/* Keeps the numbers in order.  Where it was put, or -1 (errno ENOMEM). */
long sw_numbers_insert(struct sw_numbers *numbers, double number);

#endif
