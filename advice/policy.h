/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A site's policy for advice: risk, retries, bounds and prices. */
#ifndef SW_ADVICE_POLICY_H
#define SW_ADVICE_POLICY_H

#include <stdbool.h>

#include "advice/run.h"

enum sw_risk {
	SW_RISK_LOW,	/* fails no more than the safest known method */
	SW_RISK_MEDIUM,
	SW_RISK_HIGH,	/* least expected waste, failures at cost */
};

struct sw_policy {
	enum sw_risk risk;
	bool uses_input;	/* use input sizes if known */
	enum sw_memory_per memory_per; /* if a run does not say */
	bool folds_names;	/* group samples of the same work */
	double floor_bytes;	/* minimum of any request */
	double cap_bytes;	/* a node's memory; NAN: not known */
	/* Largest request of other work, or memory of a known node; NAN. */
	double known_bytes;
	/* Share of its time after which a run with too little fails, 0 to 1. */
	double time_to_failure;
	double retry_factor;	/* minimum, from one attempt to the next */
	unsigned max_attempts;	/* no retries after this many */
	unsigned min_runs;	/* fewer: no advice */
	/*
	 * Price of a failure to the site, in the cost of its mean run
	 * (memory_settings.h); NAN: that of the risk.
	 */
	double failure_price;
	/* In the site's currency, for messages; NAN: not known. */
	double core_hour_price, gib_hour_price, gpu_hour_price;
	char currency[8];	/* "EUR" */
};

/* Generic bounds and prices. */
extern const struct sw_policy sw_policy_default;

#endif
