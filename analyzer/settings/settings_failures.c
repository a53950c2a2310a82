/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Criteria for naming a node for failures, and for retries. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analyzer/settings/settings_internal.h"

#define DAY 86400.0

/* A count or time is a uint64_t at the offset, a ratio a double. */
struct bound {
	const char *key;
	double min, max;
	size_t offset;
};

static const struct bound failure_bounds[] = {
	{ "about_same_time_seconds", 1, 7 * DAY,
	  offsetof(struct sw_failure_settings, about_same_time_seconds) },
	{ "node_failures_min", 1, 1e6,
	  offsetof(struct sw_failure_settings, node_failures_min) },
	{ "node_times_min", 1, 1e6,
	  offsetof(struct sw_failure_settings, node_times_min) },
	{ .key = NULL },
};

static const struct sw_walk_number failure_ratios[] = {
	{ "node_chance_max_ratio", 0, 1, 1,
	  offsetof(struct sw_failure_settings, node_chance_max_ratio) },
	{ .key = NULL },
};

static const struct bound retry_bounds[] = {
	{ "retry_within_seconds", 0, 366 * DAY,
	  offsetof(struct sw_retry_settings, retry_within_seconds) },
	{ "at_once_seconds", 0, DAY,
	  offsetof(struct sw_retry_settings, at_once_seconds) },
	{ "beside_seconds", 0, 366 * DAY,
	  offsetof(struct sw_retry_settings, beside_seconds) },
	{ .key = NULL },
};

/* Like sw_walk_number(). */
static int read_bound(const struct sw_walk *walk, const yaml_node_t *key,
		      const yaml_node_t *value, const struct bound *bound,
		      void *into)
{
	const char *name = sw_walk_scalar(key);
	double number;
	uint64_t whole;

	for (; name && bound->key; bound++) {
		if (strcmp(name, bound->key) != 0)
			continue;
		if (sw_walk_real(walk, name, value, bound->min, bound->max,
				 &number) < 0)
			return -1;
		if (floor(number) != number)
			return sw_walk_complain_name(walk, key, "must be a "
						     "whole number:");
		whole = (uint64_t)number;
		memcpy((char *)into + bound->offset, &whole, sizeof(whole));
		return 1;
	}
	return 0;
}

static int read_failures_key(const struct sw_walk *walk, const yaml_node_t *key,
			     const yaml_node_t *value, const void *context)
{
	struct sw_failure_settings *into = &sw_walk_settings(walk)->failures;
	int rc = sw_walk_number(walk, key, value, failure_ratios, into);

	(void)context;
	if (rc == 0)
		rc = read_bound(walk, key, value, failure_bounds, into);
	if (rc == 0)
		return sw_walk_complain_name(walk, key, "unknown setting of "
					     "failures");
	return rc < 0 ? -1 : 0;
}

int sw_settings_read_failures(const struct sw_walk *walk,
			      const yaml_node_t *value)
{
	return sw_walk_pairs(walk, value, read_failures_key, NULL);
}

static int read_retries_key(const struct sw_walk *walk, const yaml_node_t *key,
			    const yaml_node_t *value, const void *context)
{
	int rc = read_bound(walk, key, value, retry_bounds,
			    &sw_walk_settings(walk)->retries);

	(void)context;
	if (rc == 0)
		return sw_walk_complain_name(walk, key, "unknown setting of "
					     "retries");
	return rc < 0 ? -1 : 0;
}

int sw_settings_read_retries(const struct sw_walk *walk,
			     const yaml_node_t *value)
{
	return sw_walk_pairs(walk, value, read_retries_key, NULL);
}

const struct sw_failure_settings *
sw_settings_failures(const struct sw_settings *settings)
{
	return settings ? &settings->failures : &sw_failure_defaults;
}

const struct sw_retry_settings *
sw_settings_retries(const struct sw_settings *settings)
{
	return settings ? &settings->retries : &sw_retry_defaults;
}
