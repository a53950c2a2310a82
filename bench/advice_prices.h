/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the effect of the site's price of a failure, next to the users'
 * requests and the simplest methods: the default is chosen from this table by
 * the rule of advice/memory_settings.c.
 */
#ifndef SW_BENCH_ADVICE_PRICES_H
#define SW_BENCH_ADVICE_PRICES_H

#include "bench/advice_tables.h"

/* 0, or -1 (errno ENOMEM). */
int advice_print_prices(const struct advice_results *results,
			const struct advice_protocol *protocol);

#endif
