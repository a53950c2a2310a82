/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The site's preferences for advice: risk, prices, job groups. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/settings/settings_internal.h"

#define GIB (1024.0 * 1024 * 1024)
#define MIB (1024.0 * 1024)

/* More than any site has: a longer list is a mistake. */
enum { LIST_MAX = 1000 };

static const struct sw_walk_number advice_numbers[] = {
	{ "floor_mib", 1, 1e6, MIB, offsetof(struct sw_policy, floor_bytes) },
	{ "cap_gib", 1, 1e6, GIB, offsetof(struct sw_policy, cap_bytes) },
	{ "time_to_failure_ratio", 0, 1, 1,
	  offsetof(struct sw_policy, time_to_failure) },
	{ "retry_factor", 1.01, 10, 1,
	  offsetof(struct sw_policy, retry_factor) },
	{ .key = NULL },
};

static const struct sw_walk_number price_numbers[] = {
	{ "core_hour", 0, 1e6, 1,
	  offsetof(struct sw_policy, core_hour_price) },
	{ "gib_hour", 0, 1e6, 1, offsetof(struct sw_policy, gib_hour_price) },
	{ "gpu_hour", 0, 1e6, 1, offsetof(struct sw_policy, gpu_hour_price) },
	{ .key = NULL },
};

/* Small integers, which are parsed as doubles. */
struct counts {
	double max_attempts, min_runs;
};

static const struct sw_walk_number advice_counts[] = {
	{ "max_attempts", 1, 100, 1, offsetof(struct counts, max_attempts) },
	{ "min_runs", 1, 1000, 1, offsetof(struct counts, min_runs) },
	{ .key = NULL },
};

static int read_risk(const struct sw_walk *walk, const yaml_node_t *value)
{
	static const char *const words[] = {
		[SW_RISK_LOW] = "low", [SW_RISK_MEDIUM] = "medium",
		[SW_RISK_HIGH] = "high",
	};
	const char *text = sw_walk_scalar(value);
	size_t i;

	for (i = 0; text && i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcmp(text, words[i])) {
			sw_walk_settings(walk)->policy.risk = (enum sw_risk)i;
			return 0;
		}
	}
	return sw_walk_complain(walk, value, "risk must be low, medium or "
				"high");
}

static int read_memory_per(const struct sw_walk *walk, const yaml_node_t *value)
{
	static const char *const words[] = {
		[SW_MEMORY_PER_NODE] = "node",
		[SW_MEMORY_PER_CPU] = "cpu",
		[SW_MEMORY_PER_GPU] = "gpu",
	};
	const char *text = sw_walk_scalar(value);
	size_t i;

	for (i = SW_MEMORY_PER_NODE; text && i <= SW_MEMORY_PER_GPU; i++) {
		if (strcmp(text, words[i]) != 0)
			continue;
		sw_walk_settings(walk)->policy.memory_per =
			(enum sw_memory_per)i;
		return 0;
	}
	return sw_walk_complain(walk, value,
				"memory_per must be node, cpu or "
				"gpu");
}

static int read_count(const struct sw_walk *walk, const yaml_node_t *key,
		      const yaml_node_t *value)
{
	struct sw_policy *policy = &sw_walk_settings(walk)->policy;
	struct counts counts = { policy->max_attempts, policy->min_runs };
	int rc = sw_walk_number(walk, key, value, advice_counts, &counts);

	if (rc > 0 && (floor(counts.max_attempts) != counts.max_attempts ||
		       floor(counts.min_runs) != counts.min_runs))
		return sw_walk_complain_name(walk, key, "must be a whole "
					     "number:");
	policy->max_attempts = (unsigned)counts.max_attempts;
	policy->min_runs = (unsigned)counts.min_runs;
	return rc;
}

static int read_advice_key(const struct sw_walk *walk, const yaml_node_t *key,
			   const yaml_node_t *value, const void *context)
{
	struct sw_policy *policy = &sw_walk_settings(walk)->policy;
	const char *name = sw_walk_scalar(key);
	int rc;

	(void)context;
	if (name && !strcmp(name, "risk"))
		return read_risk(walk, value);
	if (name && !strcmp(name, "memory_per"))
		return read_memory_per(walk, value);
	if (name && !strcmp(name, "uses_input"))
		return sw_walk_bool(walk, name, value, &policy->uses_input);
	if (name && !strcmp(name, "folds_names"))
		return sw_walk_bool(walk, name, value, &policy->folds_names);
	rc = sw_walk_number(walk, key, value, advice_numbers, policy);
	if (rc == 0)
		rc = read_count(walk, key, value);
	if (rc == 0)
		return sw_walk_complain_name(walk, key, "unknown setting of "
					     "advice");
	return rc < 0 ? -1 : 0;
}

int sw_settings_read_advice(const struct sw_walk *walk, const yaml_node_t *value)
{
	return sw_walk_pairs(walk, value, read_advice_key, NULL);
}

static int read_price(const struct sw_walk *walk, const yaml_node_t *key,
		      const yaml_node_t *value, const void *context)
{
	struct sw_policy *policy = &sw_walk_settings(walk)->policy;
	const char *name = sw_walk_scalar(key), *text = sw_walk_scalar(value);
	int rc;

	(void)context;
	if (name && !strcmp(name, "currency")) {
		if (!text || !*text ||
		    strlen(text) >= sizeof(policy->currency))
			return sw_walk_complain(walk, value, "currency must be "
						"a word such as EUR, of at "
						"most 7 bytes");
		snprintf(policy->currency, sizeof(policy->currency), "%s",
			 text);
		return 0;
	}
	rc = sw_walk_number(walk, key, value, price_numbers, policy);
	if (rc == 0)
		return sw_walk_complain_name(walk, key, "unknown price");
	return rc < 0 ? -1 : 0;
}

int sw_settings_read_prices(const struct sw_walk *walk, const yaml_node_t *value)
{
	return sw_walk_pairs(walk, value, read_price, NULL);
}

typedef int (*item_f)(const struct sw_walk *walk, const yaml_node_t *item);

static int each_item(const struct sw_walk *walk, const yaml_node_t *sequence,
		     item_f function)
{
	const yaml_node_item_t *item;

	if (sequence->type == YAML_SCALAR_NODE &&
	    sequence->data.scalar.length == 0)
		return 0;
	if (sequence->type != YAML_SEQUENCE_NODE)
		return sw_walk_complain(walk, sequence, "expected a list, each "
					"item starting with \"-\"");
	item = sequence->data.sequence.items.start;
	if (sequence->data.sequence.items.top - item > LIST_MAX)
		return sw_walk_complain(walk, sequence, "more than 1000 items");
	for (; item < sequence->data.sequence.items.top; item++) {
		if (function(walk, yaml_document_get_node(walk->document,
							  *item)) < 0)
			return -1;
	}
	return 0;
}

struct group_texts {
	const char *name, *partition, *group;
};

static int read_group_key(const struct sw_walk *walk, const yaml_node_t *key,
			  const yaml_node_t *value, const void *context)
{
	/* The caller's own object, which is not const. */
	struct group_texts *texts = *(struct group_texts *const *)context;
	const char *name = sw_walk_scalar(key), *text = sw_walk_scalar(value);

	if (!name || !text)
		return sw_walk_complain(walk, value, "expected a text");
	if (!strcmp(name, "name"))
		texts->name = text;
	else if (!strcmp(name, "partition"))
		texts->partition = text;
	else if (!strcmp(name, "group"))
		texts->group = text;
	else
		return sw_walk_complain_name(walk, key, "unknown setting of a "
					     "group");
	return 0;
}

static int read_group(const struct sw_walk *walk, const yaml_node_t *item)
{
	struct sw_group_rules *rules = &sw_walk_settings(walk)->group_rules;
	struct group_texts texts = { NULL, NULL, NULL };
	struct group_texts *context = &texts;
	struct sw_group_rule *grown;
	struct sw_error why;

	if (sw_walk_pairs(walk, item, read_group_key, &context) < 0)
		return -1;
	if (!texts.name || !texts.group || !*texts.group)
		return sw_walk_complain(walk, item, "a group needs \"name:\" "
					"(a regular expression) and "
					"\"group:\"");
	grown = realloc(rules->items, (rules->count + 1) * sizeof(*grown));
	if (!grown)
		return sw_error_set(walk->error, "not enough memory");
	rules->items = grown;
	if (sw_group_rule_init(&grown[rules->count], texts.name,
			       texts.partition, texts.group, &why) < 0)
		return sw_walk_complain(walk, item, why.text);
	rules->count++;
	return 0;
}

int sw_settings_read_groups(const struct sw_walk *walk, const yaml_node_t *value)
{
	return each_item(walk, value, read_group);
}
