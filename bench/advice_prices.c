/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows the effect of the site's price of a failure. */
#include "bench/advice_prices.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In units of the cost of the site's mean run. */
static const double prices[] = { 15, 50, 150, 500 };

enum { PRICES = sizeof(prices) / sizeof(prices[0]) };

static const struct advice_row *total_of(const struct advice_results *results,
					 size_t set, size_t side)
{
	return &results->items[set * results->sides->count + side].rows[0]
			[results->sets->items[set].trace.workflow_count];
}

static const struct advice_row *
find_total(const struct advice_results *results, size_t set, const char *name)
{
	const struct advice_side *side = advice_sides_find(
		results->sides, name, sw_policy_default.risk, false);

	return side ? total_of(results, set,
			       (size_t)(side - results->sides->items)) : NULL;
}

/*
 * Return the published method with fewest failures; in a tie, the one that
 * wastes least.
 */
static size_t find_safest(const struct advice_results *results, size_t set)
{
	const struct advice_row *safest = NULL;
	size_t found = 0, i;

	for (i = 0; i < results->sides->count; i++) {
		const struct advice_row *row = total_of(results, set, i);

		if (!results->sides->items[i].is_published ||
		    (safest && (row->failures > safest->failures ||
				(row->failures == safest->failures &&
				 row->wasted_gib_hours >=
				 safest->wasted_gib_hours))))
			continue;
		safest = row;
		found = i;
	}
	return found;
}

static void print_line(const char *name, const struct advice_row *row,
		       const struct advice_row *max,
		       const struct advice_row *safest)
{
	bool is_dear = row->wasted_gib_hours > max->wasted_gib_hours;
	bool is_risky = row->failures > safest->failures;

	printf("  %-24s %12.4g %8.3f%c %9.6g%c\n", name,
	       row->wasted_gib_hours,
	       row->wasted_gib_hours / max->wasted_gib_hours,
	       is_dear ? '!' : ' ', row->failures, is_risky ? '!' : ' ');
}

static int print_priced(const struct advice_results *results, size_t set,
			const struct advice_protocol *protocol, double price,
			const struct advice_row *const others[2])
{
	const struct sw_trace *trace = &results->sets->items[set].trace;
	struct advice_side side = *advice_sides_find(
		results->sides, "stepwell", sw_policy_default.risk, false);
	struct advice_result result;
	char name[32];
	int rc;

	side.failure_price = price;
	snprintf(name, sizeof(name), "stepwell, price %.0f", price);
	rc = advice_result_init(&result, &side, trace, protocol);
	if (rc == 0)
		print_line(name, &result.rows[0][trace->workflow_count],
			   others[0], others[1]);
	advice_result_fini(&result);
	return rc;
}

static int print_set(const struct advice_results *results, size_t set,
		     const struct advice_protocol *protocol)
{
	static const char *const simple[] = { "request", "largest", "max" };
	size_t safest = find_safest(results, set), i;
	const struct advice_row *const others[2] = {
		find_total(results, set, "max"), total_of(results, set, safest),
	};
	char name[48];

	printf("%s%s\n  %-24s %12s %9s %9s\n", results->sets->items[set].name,
	       results->sets->items[set].is_fixed_on ? " *" : "", "", "GiBh",
	       "to max", "failures");
	for (i = 0; i < sizeof(simple) / sizeof(simple[0]); i++)
		print_line(simple[i], find_total(results, set, simple[i]),
			   others[0], others[1]);
	snprintf(name, sizeof(name), "%s (safest)",
		 results->sides->items[safest].label);
	print_line(name, others[1], others[0], others[1]);
	for (i = 0; i < PRICES; i++) {
		if (print_priced(results, set, protocol, prices[i], others) < 0)
			return -1;
	}
	print_line("stepwell, default", find_total(results, set, "stepwell"),
		   others[0], others[1]);
	putchar('\n');
	return 0;
}

int advice_print_prices(const struct advice_results *results,
			const struct advice_protocol *protocol)
{
	size_t i;

	if (!results->sides->count || !results->sides->items[0].is_ours)
		return 0;
	printf("== prices: what a failure is worth to the site, in the cost of "
	       "its mean run; time to\n   failure 1.0; ! wastes more than max "
	       "(+ 20 %%), or fails more often than the safest\n   published "
	       "method; * settings were fixed on\n\n");
	for (i = 0; i < results->sets->count; i++) {
		if (total_of(results, i, 0)->tasks > 0 &&
		    print_set(results, i, protocol) < 0)
			return -1;
	}
	return 0;
}
