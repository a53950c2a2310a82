/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is compared: stepwell at each risk, with and without input sizes, and
 * all other methods that there are; and what each of them does with a set.
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
	bool is_without_input;	/* it never sees an input size */
	double failure_price;	/* the policy's; NAN: as the risk has it */
};

struct advice_sides {
	struct advice_side *items;
	size_t count;
};

/* 0, or -1 (errno ENOMEM). */
int advice_sides_init(struct advice_sides *sides);
void advice_sides_fini(struct advice_sides *sides);

/* The side, or NULL: no such method, or not built in. */
const struct advice_side *advice_sides_find(const struct advice_sides *sides,
					    const char *method,
					    enum sw_risk risk,
					    bool is_without_input);

/* Both times to failure that are measured: 1.0 and 0.5. */
enum { ADVICE_TIMES = 2 };
extern const double advice_times[ADVICE_TIMES];

struct advice_protocol {
	enum sw_replay_order order;
	/* Drawn from each of these, and the mean taken. */
	const uint64_t *seeds;
	size_t seed_count;
};

/* Groups by how many of their runs had ended: 1, 2, to 4, to 8, ... */
enum { ADVICE_SIZES = 9 };

/* What was promised of runs, and what happened. */
struct advice_promise {
	double runs, promised, failed;
};

/* A side on a workflow: means over the protocol's seeds. */
struct advice_row {
	double tasks, failures, failed_tasks, retries_exhausted;
	double wasted_gib_hours, mean_ratio, median_ratio;
};

/* A side on a set; rows[workflow_count] is the total. */
struct advice_result {
	struct advice_row *rows[ADVICE_TIMES];
	struct advice_promise promises[ADVICE_SIZES];	/* of ours */
};

/* 0, or -1 (errno ENOMEM). */
int advice_result_init(struct advice_result *result,
		       const struct advice_side *side,
		       const struct sw_trace *trace,
		       const struct advice_protocol *protocol);
/* The same once more, where it can be no other. */
int advice_result_copy(struct advice_result *result,
		       const struct advice_result *other,
		       const struct sw_trace *trace);
void advice_result_fini(struct advice_result *result);

#endif
