/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kubernetes' Vertical Pod Autoscaler, its recommender's target for memory: a
 * histogram of peaks with buckets growing by 5 %, samples that lose half of
 * their weight in a day, the end of the bucket of the 90th percentile, and a
 * margin of 15 %.  It is made for services with a peak for each day; here each
 * run gives one peak.
 */
#include <math.h>

#include "advice/methods.h"

#define FIRST_BUCKET_BYTES 1e7
#define LAST_BUCKET_BYTES 1e12
#define BUCKET_RATIO 1.05
#define PERCENTILE 0.9
#define MARGIN_FACTOR 1.15
#define HALF_LIFE_SECONDS 86400.0
#define KILLED_FACTOR 1.2
#define KILLED_STEP_BYTES (100.0 * 1024 * 1024)
/* Weights are scaled down before their exponent exceeds this. */
#define EXPONENT_MAX 100.0

enum { BUCKETS = 177 };

struct histogram {
	double weights[BUCKETS];
	double total;
	double reference_seconds;
	size_t samples;
};

/* Bucket i begins at first * (1 + ratio + ... + ratio^(i-1)). */
static double bucket_start(size_t bucket)
{
	return FIRST_BUCKET_BYTES * (pow(BUCKET_RATIO, (double)bucket) - 1) /
	       (BUCKET_RATIO - 1);
}

static size_t find_bucket(double bytes)
{
	double index;

	if (bytes < FIRST_BUCKET_BYTES)
		return 0;
	if (bytes >= LAST_BUCKET_BYTES)
		return BUCKETS - 1;
	index = log(bytes * (BUCKET_RATIO - 1) / FIRST_BUCKET_BYTES + 1) /
		log(BUCKET_RATIO);
	return index < BUCKETS - 1 ? (size_t)index : BUCKETS - 1;
}

/* Runs without a time have no age: all have the same weight. */
static double weight_of(struct histogram *histogram, double seconds)
{
	double exponent;
	size_t i;

	if (isnan(seconds))
		return 1;
	if (!histogram->samples)
		histogram->reference_seconds = seconds;
	exponent = (seconds - histogram->reference_seconds) /
		   HALF_LIFE_SECONDS;
	if (exponent > EXPONENT_MAX) {
		for (i = 0; i < BUCKETS; i++)
			histogram->weights[i] *= exp2(-exponent);
		histogram->total *= exp2(-exponent);
		histogram->reference_seconds = seconds;
		exponent = 0;
	}
	return exp2(exponent);
}

static double after_kill(double bytes)
{
	return fmax(bytes + KILLED_STEP_BYTES, bytes * KILLED_FACTOR);
}

static int learn(void *group, struct sw_memory_site *site,
		 const struct sw_run *run)
{
	struct histogram *histogram = group;
	double weight = weight_of(histogram, run->end_seconds);

	(void)site;
	histogram->weights[find_bucket(run->is_lower_bound ?
				       after_kill(run->need_bytes) :
				       run->need_bytes)] += weight;
	histogram->total += weight;
	histogram->samples++;
	return 0;
}

static double ask(void *group, const struct sw_asking *asking)
{
	const struct histogram *histogram = group;
	double sum = 0;
	size_t i;

	(void)asking;
	if (!histogram->samples)
		return NAN;
	for (i = 0; i < BUCKETS - 1; i++) {
		sum += histogram->weights[i];
		if (sum >= PERCENTILE * histogram->total)
			break;
	}
	return MARGIN_FACTOR *
	       bucket_start(i < BUCKETS - 1 ? i + 1 : BUCKETS - 1);
}

static double again(void *group, const struct sw_asking *asking)
{
	(void)group;
	return after_kill(asking->failed_bytes);
}

const struct sw_method sw_method_vpa = {
	.name = "vpa",
	.title = "VPA: 90th percentile, half-life of a day, + 15 %",
	.source = "kubernetes/autoscaler 55c37cd, vertical-pod-autoscaler "
		  "recommender, defaults",
	.group_size = sizeof(struct histogram),
	.learns_bounds = true,
	.learn = learn,
	.ask = ask,
	.again = again,
};
