/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An array of equal items, one for each group, that grows as groups appear. */
#ifndef SW_ADVICE_GROUPS_H
#define SW_ADVICE_GROUPS_H

#include <stddef.h>

struct sw_groups {
	char *items;
	size_t count, item_size;
};

/* An empty array.  NULL: no memory. */
struct sw_groups *sw_groups_new(size_t item_size);
/* fini, which may be NULL, is called for each item. */
void sw_groups_free(struct sw_groups *groups, void (*fini)(void *item));

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
