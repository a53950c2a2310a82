/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Learning and predictions of one group of runs. */
#include "advice/memory_group.h"

#include <math.h>
#include <string.h>

/* Larger numbers are no measurements. */
static const double impossible_bytes = 1e18, impossible_seconds = 1e10;

/* Margin of the third attempt above the largest need. */
static const double above_largest = 1.01;

/* Smaller growth is not mentioned. */
static const double least_growth = 1.1;

/* Choose a rule again when one run in this many is new. */
enum { NEW_ONE_IN = 50 };

void sw_memory_group_fini(struct sw_memory_group *group)
{
	size_t i;

	for (i = 0; i < SW_MEMORY_ORDERS; i++)
		sw_memory_order_fini(&group->orders[i]);
	sw_memory_past_fini(&group->past);
}

static double retry_factor(const struct sw_memory_site *site)
{
	return fmax(site->policy->retry_factor, site->settings->retry_factor);
}

static struct sw_memory_costs costs_of(const struct sw_memory_group *group,
				       const struct sw_memory_site *site)
{
	const struct sw_memory_settings *settings = site->settings;
	double n = (double)group->past.now.count;
	double site_price = isnan(site->policy->failure_price) ?
		settings->site_price : site->policy->failure_price;

	return (struct sw_memory_costs){
		.price = settings->group_price * group->past.now.cost / n +
			site_price * site->cost /
			(double)site->count,
		.time_to_failure = site->policy->time_to_failure,
		.retry_factor = retry_factor(site),
		.tail_prior = settings->tail_first /
			pow(n, settings->tail_power),
		.tail_bytes = settings->tail_bytes,
		.tail_weight = settings->tail_weight,
		.most = INFINITY,
	};
}

/* An expert needs errors for half of the kept runs; the first never has one. */
static bool is_grounded(const struct sw_memory_group *group,
			const struct sw_memory_order *order)
{
	const struct sw_memory_view *now = &group->past.now;
	size_t kept = now->count - sw_memory_view_first(now);

	return order->count > 0 && 2 * order->count + 1 >= kept;
}

/* The costs cover all orders of a group. */
static void try(const struct sw_memory_group *group,
		const struct sw_memory_site *site,
		const struct sw_memory_order *order,
		struct sw_memory_costs *costs, struct sw_memory_rule *best)
{
	const struct sw_memory_view *now = &group->past.now;
	struct sw_memory_error errors[SW_MEMORY_ERRORS_MAX];
	struct sw_memory_margin margin;
	double factor = 1;
	size_t count;

	if (!is_grounded(group, order))
		return;
	count = sw_memory_order_errors(order, &group->past, errors);
	if (order->expert != SW_MEMORY_LARGEST)
		factor += site->settings->other_penalty /
			((double)now->count + 1);
	costs->most = (best->count ? best->margin.cost : INFINITY) / factor;
	margin = sw_memory_margin_choose(errors, count, order->is_added,
					 costs);
	margin.cost *= factor;
	if (margin.count)
		*best = (struct sw_memory_rule){ order->expert, margin,
						 now->count };
}

/* Index of a rule: one query's answer must not change another's. */
enum { KNOWS_INPUT = 1, KNOWS_REQUEST = 2 };

static unsigned knowledge(const struct sw_query *query)
{
	return (query->input_bytes >= 0 ? KNOWS_INPUT : 0) |
	       (query->requested_bytes > 0 ? KNOWS_REQUEST : 0);
}

static bool is_for(size_t expert, unsigned known)
{
	if (expert == SW_MEMORY_REQUEST)
		return known & KNOWS_REQUEST;
	return (known & KNOWS_INPUT) || !sw_memory_experts[expert].is_by_input;
}

/*
 * foretold: skip experts without a prediction; NULL: by knowledge only.  Try
 * the current one first, as it is likely to be the best again.
 */
static struct sw_memory_rule choose(const struct sw_memory_group *group,
				    const struct sw_memory_site *site,
				    unsigned known, const double *foretold)
{
	struct sw_memory_costs costs = costs_of(group, site);
	size_t followed = 2 * group->rules.items[known].expert, i;
	struct sw_memory_rule best = { 0 };

	for (i = 0; i < SW_MEMORY_ORDERS; i++) {
		const struct sw_memory_order *order =
			&group->orders[(followed + i) % SW_MEMORY_ORDERS];
		size_t expert = order->expert;

		if (!order->count || !is_for(expert, known) ||
		    (foretold && !(foretold[expert] > 0)))
			continue;
		try(group, site, order, &costs, &best);
	}
	return best;
}

/* Have there been too few new runs to make a difference? */
static bool is_fresh(const struct sw_memory_group *group,
		     const struct sw_memory_rule *rule)
{
	return rule->count && group->past.now.count <=
		rule->count + rule->count / NEW_ONE_IN;
}

static const struct sw_memory_rule *
rule_for(struct sw_memory_group *group, const struct sw_memory_site *site,
	 unsigned known, const double *foretold)
{
	struct sw_memory_rule *rule = &group->rules.items[known];

	if (!is_fresh(group, rule) ||
	    (foretold && !(foretold[rule->expert] > 0)))
		*rule = choose(group, site, known, foretold);
	return rule;
}

static double say(const struct sw_memory_rule *rule, const double *foretold,
		  unsigned attempt)
{
	if (!rule->count || !(foretold[rule->expert] > 0))
		return 0;
	return sw_memory_margin_apply(&rule->margin, foretold[rule->expert],
				      attempt);
}

/* Return the answer before the runs that needed more than all before them. */
static double say_held(const struct sw_memory_group *group,
		       const struct sw_query *query)
{
	double foretold[SW_MEMORY_EXPERTS_MAX], bytes = 0;
	struct sw_memory_ground ground;
	size_t i;

	for (i = 0; i < group->held_count; i++) {
		const struct sw_memory_held *held = &group->held[i];
		const struct sw_memory_rule *rule =
			&held->rules.items[knowledge(query)];

		sw_memory_ground_init(&ground, &group->past, &held->view,
				      query);
		foretold[rule->expert] =
			sw_memory_experts[rule->expert].foretell(&ground);
		bytes = fmax(bytes, say(rule, foretold, 1));
	}
	return bytes;
}

/*
 * Save the state before a run that needs more than all before it.  After
 * SW_MEMORY_HELD_MAX in a row nothing more is chosen or saved.
 */
static void hold(struct sw_memory_group *group,
		 const struct sw_memory_site *site)
{
	unsigned known;

	if (group->held_count == SW_MEMORY_HELD_MAX)
		return;
	for (known = 0; known < SW_MEMORY_RULES; known++)
		rule_for(group, site, known, NULL);
	group->held[group->held_count++] = (struct sw_memory_held){
		group->past.now, group->rules };
}

static void forget_rules(struct sw_memory_group *group)
{
	size_t i;

	for (i = 0; i < SW_MEMORY_RULES; i++)
		group->rules.items[i].count = 0;
}

static int keep_order(struct sw_memory_group *group, size_t index)
{
	size_t i;

	for (i = 0; i < 2 * sw_memory_expert_count; i++) {
		struct sw_memory_order *order = &group->orders[i];

		order->expert = i / 2;
		order->is_added = i % 2;
		if (order->is_added &&
		    !sw_memory_experts[order->expert].can_add)
			continue;
		if (index >= SW_MEMORY_WINDOW)
			sw_memory_order_remove(order, &group->past,
					       index - SW_MEMORY_WINDOW);
		if (sw_memory_order_add(order, &group->past, index) < 0)
			return -1;
	}
	return 0;
}

/*
 * Estimate the need of a killed run, of which only a lower bound is known: the
 * mean of those that needed more (B. Efron, "The two sample problem with
 * censored data", 1967, gives its weight to them), otherwise the next step up.
 */
static double infer_need(const struct sw_memory_group *group,
			 const struct sw_memory_site *site, double bound)
{
	const struct sw_memory_view *now = &group->past.now;
	double sum = 0;
	size_t i, count = 0;

	for (i = sw_memory_view_first(now); i < now->count; i++) {
		double need = sw_memory_past_run(&group->past, i)->need_bytes;

		if (need <= bound)
			continue;
		sum += need;
		count++;
	}
	return count ? sum / (double)count :
		bound * site->policy->retry_factor;
}

static struct sw_memory_run run_of(const struct sw_memory_group *group,
				   const struct sw_memory_site *site,
				   const struct sw_run *run)
{
	double need = fmin(run->need_bytes, impossible_bytes);

	if (run->is_lower_bound)
		need = infer_need(group, site, need);
	return (struct sw_memory_run){
		.input_bytes =
			site->policy->uses_input &&
					run->input_bytes <= impossible_bytes
				? run->input_bytes
				: NAN,
		.need_bytes = fmax(need, site->policy->floor_bytes),
		/* A request that grew because of a failure reveals the need. */
		.requested_bytes =
			sw_run_is_retry(run) ? NAN : run->requested_bytes,
		.seen_bytes = fmin(run->need_bytes, impossible_bytes),
		.enough_bytes = sw_run_ended_well(run) ?
			run->requested_bytes : NAN,
		.had_too_little = sw_run_had_too_little(run),
		/* Runs of unknown duration have equal weight. */
		.seconds = run->elapsed_seconds > 0 ? fmin(run->elapsed_seconds,
							   impossible_seconds)
						    : 1,
	};
}

static void remember_foretold(struct sw_memory_group *group,
			      const struct sw_run *run,
			      struct sw_memory_run *item)
{
	const struct sw_query query = {
		.input_bytes = item->input_bytes,
		.requested_bytes = item->requested_bytes,
		.start_seconds = run->start_seconds,
	};

	if (!sw_memory_past_answer(&group->past, run, item->foretold))
		sw_memory_foretell(&group->past, &group->past.now, &query,
				   item->foretold);
	if (sw_run_is_retry(run))
		item->foretold[SW_MEMORY_REQUEST] = NAN;
	if (group->past.now.count)
		return;
	/* The first run was the largest, too. */
	item->foretold[SW_MEMORY_LARGEST] = item->need_bytes;
	item->foretold[SW_MEMORY_LEVEL] =
		sw_memory_experts[SW_MEMORY_LEVEL].foretell(NULL);
}

int sw_memory_group_learn(struct sw_memory_group *group,
			  struct sw_memory_site *site,
			  const struct sw_run *run)
{
	struct sw_memory_run item;

	if (!(run->need_bytes > 0))
		return 0;
	group->open_bytes = fmax(group->open_bytes, run->open_bytes);
	sw_memory_said_judge(&group->said, &group->past, run);
	item = run_of(group, site, run);
	remember_foretold(group, run, &item);
	if (item.need_bytes > group->largest_need && group->past.now.count) {
		hold(group, site);
		forget_rules(group);
	} else if (group->held_count) {
		group->held_count = 0;
		forget_rules(group);
	}
	if (!run->is_lower_bound)
		group->largest_need = fmax(group->largest_need,
					   item.need_bytes);
	site->cost += item.need_bytes * item.seconds;
	site->count++;
	if (sw_memory_past_add(&group->past, &item) < 0)
		return -1;
	return keep_order(group, group->past.now.count - 1);
}

/* Without a rule use the largest need and a margin. */
static double say_largest(const struct sw_memory_group *group,
			  const struct sw_memory_site *site)
{
	return group->past.now.largest_bytes *
		(1 + site->settings->tail_first);
}

/* More than what is asked for is not advised for its sake. */
double sw_memory_group_keep_open(const struct sw_memory_group *group,
				 const struct sw_query *query, double bytes)
{
	return fmax(bytes, fmin(group->open_bytes, query->requested_bytes));
}

double sw_memory_group_say(struct sw_memory_group *group,
			   const struct sw_memory_site *site,
			   const struct sw_query *query)
{
	double foretold[SW_MEMORY_EXPERTS_MAX], bytes;
	struct sw_memory_bounds bounds;

	if (!group->past.now.count)
		return NAN;
	sw_memory_foretell(&group->past, &group->past.now, query, foretold);
	if (group->held_count == SW_MEMORY_HELD_MAX)
		bytes = say_largest(group, site);
	else
		bytes = say(rule_for(group, site, knowledge(query),
				     foretold), foretold, 1);
	bytes = fmax(bytes, say_held(group, query));
	sw_memory_bounds_find(&bounds, &group->past, site->policy, query,
			      query->requested_bytes);
	bytes = fmin(fmax(bytes, bounds.least), bounds.most);
	bytes = fmin(fmax(bytes, site->policy->floor_bytes), impossible_bytes);
	bytes = sw_memory_said_keep(&group->said, query, bytes);
	bytes = sw_memory_group_keep_open(group, query, bytes);
	return isnan(site->policy->cap_bytes) ? bytes :
		fmin(bytes, site->policy->cap_bytes);
}

double sw_memory_group_ask(struct sw_memory_group *group,
			   const struct sw_memory_site *site,
			   const struct sw_query *query)
{
	double foretold[SW_MEMORY_EXPERTS_MAX];

	/* An empty prediction must not stand for a later one. */
	if (group->past.now.count) {
		sw_memory_foretell(&group->past, &group->past.now, query,
				   foretold);
		sw_memory_past_ask(&group->past, query, foretold);
	}
	return sw_memory_group_say(group, site, query);
}

/* Return the order that a rule was chosen from. */
static const struct sw_memory_order *
order_of(const struct sw_memory_group *group,
	 const struct sw_memory_rule *rule)
{
	return &group->orders[2 * rule->expert + rule->margin.is_added];
}

static double least_spread(const struct sw_memory_group *group,
			   const double *foretold)
{
	struct sw_memory_error errors[SW_MEMORY_ERRORS_MAX];
	double least = INFINITY;
	size_t i, count;

	for (i = 0; i < sw_memory_expert_count; i++) {
		const struct sw_memory_order *order = &group->orders[2 * i];

		if (!is_grounded(group, order) || !(foretold[i] > 0))
			continue;
		count = sw_memory_order_errors(order, &group->past, errors);
		least = fmin(least, errors[count * 19 / 20].key /
				    errors[count / 20].key);
	}
	return least;
}

static double foretell_of(const struct sw_memory_group *group, size_t expert,
			  const struct sw_query *query, double input_bytes)
{
	struct sw_query other = *query;
	struct sw_memory_ground ground;

	other.input_bytes = input_bytes;
	sw_memory_ground_init(&ground, &group->past, &group->past.now, &other);
	return sw_memory_experts[expert].foretell(&ground);
}

/* Does the prediction grow from the smallest to the largest input seen? */
static bool grows(const struct sw_memory_group *group, size_t expert,
		  const struct sw_query *query)
{
	const struct sw_memory_past *past = &group->past;

	if (!past->input_count)
		return false;
	return foretell_of(group, expert, query, past->now.largest_input) >
		least_growth * foretell_of(group, expert, query,
					   past->inputs[0].input_bytes);
}

void sw_memory_group_explain(struct sw_memory_group *group,
			     const struct sw_memory_site *site,
			     const struct sw_query *query, double bytes,
			     struct sw_memory_reason *reason)
{
	double foretold[SW_MEMORY_EXPERTS_MAX], given;
	struct sw_memory_error errors[SW_MEMORY_ERRORS_MAX];
	const struct sw_memory_rule *rule;

	*reason = (struct sw_memory_reason){ .risk = NAN, .spread = NAN,
					     .above_largest = NAN,
					     .beyond_input = 1 };
	sw_memory_foretell(&group->past, &group->past.now, query, foretold);
	rule = rule_for(group, site, knowledge(query), foretold);
	if (!rule->count || !(foretold[rule->expert] > 0))
		return;
	given = foretold[rule->expert];
	reason->beyond_input = sw_memory_beyond_input(&group->past.now,
						      query->input_bytes);
	reason->expert = &sw_memory_experts[rule->expert];
	reason->grows = grows(group, rule->expert, query);
	reason->is_held = group->held_count &&
		say_held(group, query) > say(rule, foretold, 1);
	reason->spread = least_spread(group, foretold);
	reason->errors = sw_memory_order_errors(order_of(group, rule),
						&group->past, errors);
	reason->above_largest = bytes / (rule->margin.is_added ?
		given + errors[reason->errors - 1].key :
		given * errors[reason->errors - 1].key);
	reason->risk = sw_memory_risk(&(struct sw_memory_chance){
		.view = &group->past.now, .expert = reason->expert,
		.errors = errors, .count = reason->errors,
		.is_added = rule->margin.is_added,
		.costs = costs_of(group, site),
		.foretold = given, .input_bytes = query->input_bytes,
	}, bytes, &reason->fits);
}

double sw_memory_group_again(struct sw_memory_group *group,
			     const struct sw_memory_site *site,
			     const struct sw_query *query, double failed_bytes,
			     unsigned attempt)
{
	double foretold[SW_MEMORY_EXPERTS_MAX], bytes;
	double largest = group->past.now.largest_bytes;

	if (!group->past.now.count)
		return NAN;
	sw_memory_foretell(&group->past, &group->past.now, query, foretold);
	bytes = say(rule_for(group, site, knowledge(query), foretold),
		    foretold, attempt);
	/* If the chosen steps were not enough, use the largest need. */
	if (attempt > 2)
		bytes = fmax(bytes, largest > failed_bytes ?
			     largest * above_largest : 2 * failed_bytes);
	return fmax(bytes, failed_bytes * retry_factor(site));
}
