/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compared sides: stepwell at each risk, with and without input sizes, and all
 * other methods; and the results of each side on a set.
 */
#ifndef SW_BENCH_ADVICE_SIDES_H
#define SW_BENCH_ADVICE_SIDES_H

#include "analyzer/backtest/backtest.h"
#include "bench/advice_sets.h"

struct advice_side {
	char label[32];
	const struct sw_method *method;
	enum sw_risk risk;
	bool is_ours, is_published;
	bool is_without_input;	/* never sees an input size */
	double failure_price;	/* NAN: that of the risk */
};

struct advice_sides {
	struct advice_side *items;
	size_t count;
};

/* 0, or -1 (errno ENOMEM). */
int advice_sides_init(struct advice_sides *sides);
void advice_sides_fini(struct advice_sides *sides);

/* NULL: no such method, or not built in. */
const struct advice_side *advice_sides_find(const struct advice_sides *sides,
					    const char *method,
					    enum sw_risk risk,
					    bool is_without_input);

/* Times to failure that are measured: 1.0 and 0.5. */
enum { ADVICE_TIMES = 2 };
extern const double advice_times[ADVICE_TIMES];

struct advice_protocol {
	enum sw_replay_order order;
	/* Each seed gives a replay; results are their mean. */
	const uint64_t *seeds;
	size_t seed_count;
};

/* Size classes of groups by ended runs: 1, 2, to 4, to 8, ... */
enum { ADVICE_SIZES = 9 };

/* Promised and actual failures of runs. */
struct advice_promise {
	double runs, promised, failed;
};

/* A side's results on a workflow: means over the protocol's seeds. */
struct advice_row {
	double tasks, failures, failed_tasks, retries_exhausted;
	double wasted_gib_hours, mean_ratio, median_ratio;
};

/* A side's results on a set; rows[workflow_count] is the total. */
struct advice_result {
	struct advice_row *rows[ADVICE_TIMES];
	struct advice_promise promises[ADVICE_SIZES];	/* stepwell's */
};

/* 0, or -1 (errno ENOMEM). */
int advice_result_init(struct advice_result *result,
		       const struct advice_side *side,
		       const struct sw_trace *trace,
		       const struct advice_protocol *protocol);
/* Copy a result that must be the same. */
int advice_result_copy(struct advice_result *result,
		       const struct advice_result *other,
		       const struct sw_trace *trace);
void advice_result_fini(struct advice_result *result);

#endif
