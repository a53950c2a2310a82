/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Vectors of numbers that grow. */
#ifndef SW_ADVICE_NUMBERS_H
#define SW_ADVICE_NUMBERS_H

#include <stddef.h>

struct sw_numbers {
	double *items;
	size_t count;
};

/* 0, or -1 (errno ENOMEM). */
int sw_numbers_add(struct sw_numbers *numbers, double number);
/* Insert in order.  Returns the index, or -1 (errno ENOMEM). */
long sw_numbers_insert(struct sw_numbers *numbers, double number);

#endif
