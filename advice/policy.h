/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a site wants of advice: risk, retries, bounds and prices. */
#ifndef SW_ADVICE_POLICY_H
#define SW_ADVICE_POLICY_H

#include <stdbool.h>

#include "advice/run.h"

enum sw_risk {
	SW_RISK_LOW,	/* fails no more often than the safest method known */
	SW_RISK_MEDIUM,
	SW_RISK_HIGH,	/* least expected waste, failures at their cost alone */
};

struct sw_policy {
	enum sw_risk risk;
	bool uses_input;	/* input sizes may be used where known */
	enum sw_memory_per memory_per; /* where a run does not say; the site */
	bool folds_names;	/* samples of the same work are one group */
	double floor_bytes;	/* least that is ever asked for */
	double cap_bytes;	/* a node's memory; NAN: not known */
	/* The most that other work was given or a node is known to have; NAN */
	double known_bytes;
	/* When a run that gets too little fails: share of its time, 0 to 1. */
	double time_to_failure;
	double retry_factor;	/* at least, from one attempt to the next */
	unsigned max_attempts;	/* then the work is given up */
	unsigned min_runs;	/* fewer: no advice */
	/*
	 * What a failure is worth to the site, in the cost of its mean run
	 * (memory_settings.h); NAN: as the risk has it.
	 */
	double failure_price;
	/* In the site's currency, for the sentences; NAN: not known. */
	double core_hour_price, gib_hour_price, gpu_hour_price;
	char currency[8];	/* "EUR" */
};

/* Bounds and prices of no site in particular. */
extern const struct sw_policy sw_policy_default;

#endif
