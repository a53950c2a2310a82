/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences about suggestions. */
#include "analyzer/suggest/advice_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advice/text.h"
#include "analyzer/dialects/dialect.h"
#include "common/escape.h"
#include "common/missing.h"
#include "common/units.h"

struct sw_units_text sw_amount_words(enum sw_resource resource, double value)
{
	static const char *const one[SW_RESOURCES] = {
		[SW_RESOURCE_CORES] = "CPU", [SW_RESOURCE_GPUS] = "GPU",
		[SW_RESOURCE_TASKS] = "task", [SW_RESOURCE_NODES] = "node",
	};
	struct sw_units_text text;

	if (resource == SW_RESOURCE_MEMORY && !isnan(value))
		return sw_text_bytes(value);
	if (resource == SW_RESOURCE_TIME && !isnan(value))
		return sw_text_seconds(value);
	if (isnan(value))
		snprintf(text.s, sizeof(text.s), "not known");
	else
		snprintf(text.s, sizeof(text.s), "%.0f %s%s", value,
			 one[resource], value == 1 ? "" : "s");
	return text;
}

/* Smaller savings are not mentioned, in any unit. */
static const double WORTH_TELLING = 0.01;

static void add_number(char *buf, size_t size, double value)
{
	sw_text_add(buf, size, value >= 10 ? "%.0f" : value >= 1 ? "%.1f" :
		    "%.2f", value);
}

struct saving {
	double amount;
	const char *unit;
};

static void add_savings(char *buf, size_t size, const struct saving *savings,
			size_t count, double sign)
{
	bool is_first = true;
	size_t i;

	for (i = 0; i < count; i++) {
		double amount = sign * savings[i].amount;

		if (!(amount >= WORTH_TELLING) || !isfinite(amount))
			continue;
		if (is_first)
			sw_text_add(buf, size, ", which would have %s ",
				    sign > 0 ? "saved" : "cost");
		else
			sw_text_add(buf, size, " and ");
		is_first = false;
		if (i + 1 == count)
			sw_text_add(buf, size, "%.2f", amount);
		else
			add_number(buf, size, amount);
		sw_text_add(buf, size, " %s", savings[i].unit);
	}
	if (!is_first && sign < 0)
		sw_text_add(buf, size, " more");
}

/*
 * "This advice would have been enough for 28 of 30 past runs at the first
 * attempt, ... saved 41 GiB-hours and 3.20 EUR; ..."; "" if it could not be
 * tested on any run.
 */
static char *backtest_words(char *buf, size_t size,
			    const struct sw_suggestion *suggestion,
			    const struct sw_policy *policy)
{
	const struct sw_backtest *backtest = &suggestion->backtest;
	const struct saving savings[] = {
		{ backtest->saved_gib_hours, "GiB-hours" },
		{ backtest->saved_core_hours, "core-hours" },
		{ backtest->saved_gpu_hours, "GPU-hours" },
		{ backtest->saved_cost, policy->currency },
	};
	const size_t count = sizeof(savings) / sizeof(savings[0]);

	buf[0] = '\0';
	if (suggestion->is_withheld || backtest->of == 0)
		return buf;
	if (backtest->of == 1)
		sw_text_add(buf, size,
			    "This advice would %shave been enough for the one "
			    "past run it could be tested on",
			    backtest->fits ? "" : "not ");
	else
		sw_text_add(buf, size,
			    "This advice would have been enough for %zu of %zu "
			    "past runs at the first attempt",
			    backtest->fits, backtest->of);
	add_savings(buf, size, savings, count, 1);
	add_savings(buf, size, savings, count, -1);
	sw_text_add(buf, size, "; computed for each run from the runs that "
			       "ended before it");
	if (suggestion->resource == SW_RESOURCE_MEMORY &&
	    suggestion->runs > SW_BACKTEST_RUNS_MAX)
		sw_text_add(buf, size,
			    ", for those of the newest %d of %zu "
			    "that had enough of them",
			    SW_BACKTEST_RUNS_MAX, suggestion->runs);
	else if (backtest->of + 1 == suggestion->runs)
		sw_text_add(buf, size, " (the other one had too few)");
	else if (backtest->of < suggestion->runs)
		sw_text_add(buf, size, " (the other %zu had too few)",
			    suggestion->runs - backtest->of);
	sw_text_add(buf, size, ".");
	return buf;
}

/* Count the runs that needed more, and those of them with larger input. */
static size_t count_above(const struct sw_advice *advice,
			  enum sw_resource resource, double value,
			  size_t *larger)
{
	size_t above = 0, i;

	*larger = 0;
	for (i = 0; i < advice->runs.count; i++) {
		const struct sw_run *run = &advice->runs.runs[i];

		if (!((resource == SW_RESOURCE_MEMORY ? run->need_bytes :
		       run->elapsed_seconds) > value))
			continue;
		above++;
		*larger += run->input_bytes > advice->query.input_bytes;
	}
	return above;
}

/* For resources in integers, the advisor knows the maximum need. */
static void say_below_count(char *buf, size_t size,
			    const struct sw_suggestion *suggestion)
{
	/* For CPUs, its sentence already says so. */
	if (suggestion->resource == SW_RESOURCE_CORES ||
	    !(suggestion->margin < 1))
		return;
	sw_text_add(buf, size, "Careful: this is %s; the most was %s.",
		    suggestion->statistic,
		    sw_amount_words(suggestion->resource,
				    suggestion->suggested /
				    suggestion->margin).s);
}

char *sw_below_need_words(char *buf, size_t size,
			  const struct sw_request *request,
			  enum sw_resource resource)
{
	const struct sw_request_item *item = &request->items[resource];
	double largest = sw_advice_largest(request->advice, resource);
	double value = (double)item->next *
		(resource == SW_RESOURCE_MEMORY ? (double)SW_MIB : 60.0);
	size_t above, larger;

	buf[0] = '\0';
	if (sw_is_missing(item->next))
		return buf;
	if (isnan(largest))
		say_below_count(buf, size, item->suggestion);
	if (!(value < largest))
		return buf;
	above = count_above(request->advice, resource, value, &larger);
	sw_text_add(buf, size, "Careful: %zu of these %zu runs %s more, the "
		    "largest %s", above, request->advice->runs.count,
		    resource == SW_RESOURCE_MEMORY ? "needed" : "took",
		    sw_amount_words(resource, largest).s);
	if (larger == above)
		sw_text_add(buf, size,
			    "; the input of %s was larger than the "
			    "one this advice is for",
			    above == 1 ? "that one" : "each of them");
	else if (larger)
		sw_text_add(buf, size,
			    "; the inputs of %zu of them were "
			    "larger than the one this advice is for",
			    larger);
	sw_text_add(buf, size, ".");
	return buf;
}

const char *sw_retry_limit_words(const struct sw_request *request,
				 enum sw_resource resource)
{
	/* After a kill, everything known about the site was considered. */
	static const char *const words[][2] = {
		[SW_RETRY_LIMIT_NONE] = { "", "" },
		[SW_RETRY_LIMIT_NODE] = {
			" No node has more (cap_gib or node_catalogue in the "
			"settings).",
			" No node has more (cap_gib or node_catalogue in the "
			"settings)." },
		[SW_RETRY_LIMIT_KNOWN] = {
			" No run of this kind requested more.",
			" No larger request and no larger node is known." },
		[SW_RETRY_LIMIT_BEYOND] = {
			" No run of this kind requested as much.",
			" No request and no node of this size is known, so it "
			"may never start." },
	};
	const struct sw_request_item *item = &request->items[resource];

	if (resource != SW_RESOURCE_MEMORY || !item->is_change)
		return "";
	return words[item->suggestion->retry_limit]
		    [item->suggestion->is_lower_bound];
}

/* Append with a capital letter and a full stop. */
static void add_sentence(char *buf, size_t size, const char *text)
{
	size_t used = strlen(buf);

	if (!*text)
		return;
	sw_text_add(buf, size, "%s%s", used ? " " : "", text);
	if (used)
		used++;
	if (used < size)
		buf[used] = (char)toupper((unsigned char)buf[used]);
	used = strlen(buf);
	if (used && !strchr(".!?", buf[used - 1]))
		sw_text_add(buf, size, ".");
}

const char *sw_advice_killed_job(const struct sw_advice *advice)
{
	const char *job = NULL;
	double largest = 0;
	size_t i;

	for (i = 0; i < advice->runs.count; i++) {
		const struct sw_run *run = &advice->runs.runs[i];

		if (!(run->need_bytes >= largest))
			continue;
		largest = run->need_bytes;
		job = run->is_lower_bound &&
			      run->state == SW_RUN_OUT_OF_MEMORY ?
			      advice->runs.jobs[i] : NULL;
	}
	return job;
}

static void add_killed(char *buf, size_t size, const struct sw_advice *advice)
{
	const char *job = sw_advice_killed_job(advice);
	char text[256], shown[160];

	if (!job)
		return;
	snprintf(text, sizeof(text), "%s%s ran out of memory when it had %s%s",
		 job[strspn(job, "0123456789_")] ? "" : "job ",
		 sw_escape_ascii(shown, sizeof(shown), job),
		 sw_text_bytes(sw_advice_largest(advice, SW_RESOURCE_MEMORY)).s,
		 advice->runs.count > 1 ?
			 ", more than any of the others needed" : "");
	add_sentence(buf, size, text);
}

/* Advice on memory assumes the current number of nodes. */
static void add_crowding(char *buf, size_t size,
			 const struct sw_request *request)
{
	const struct sw_request_item *nodes =
		&request->items[SW_RESOURCE_NODES];
	char text[160];

	if (!nodes->is_change || sw_is_missing(nodes->now) ||
	    nodes->next >= nodes->now)
		return;
	snprintf(text, sizeof(text), "On %" PRIu64 " nodes instead of "
		 "%" PRIu64 ", each has to hold more: %s", nodes->next,
		 nodes->now, sw_size_text(SW_MIB *
			request->items[SW_RESOURCE_MEMORY].next).s);
	add_sentence(buf, size, text);
}

char *sw_suggestion_words(char *buf, size_t size,
			  const struct sw_request *request,
			  enum sw_resource resource)
{
	const struct sw_suggestion *suggestion =
		request->items[resource].suggestion;
	char text[SW_ADVICE_WORDS_SIZE];

	buf[0] = '\0';
	if (isnan(suggestion->current))
		snprintf(text, sizeof(text),
			 "The current request is not known");
	else
		snprintf(text, sizeof(text), "Now %s%s",
			 sw_amount_words(resource, suggestion->current).s,
			 resource == SW_RESOURCE_MEMORY &&
					 request->memory_parts > 1
				 ? " on each node"
				 : "");
	add_sentence(buf, size, text);
	add_sentence(buf, size, suggestion->why);
	if (resource == SW_RESOURCE_MEMORY) {
		add_killed(buf, size, request->advice);
		add_crowding(buf, size, request);
	}
	if (suggestion->is_lower_bound)
		add_sentence(buf, size, "a lower bound to try, which may not "
					"be enough");
	add_sentence(buf, size, sw_below_need_words(text, sizeof(text), request,
						    resource));
	add_sentence(buf, size, backtest_words(text, sizeof(text), suggestion,
					       &request->advice->policy));
	return buf;
}

static bool is_alike(const struct sw_suggestion *one,
		     const struct sw_suggestion *two)
{
	return one->is_few && two->is_few && one->runs == two->runs;
}

char *sw_refusal_words(char *buf, size_t size, const struct sw_advice *advice,
		       size_t i)
{
	const struct sw_suggestion *one = &advice->suggestions[i];
	size_t j;

	buf[0] = '\0';
	if (!one->is_withheld || !*one->remedy)
		return buf;
	for (j = 0; j < i; j++) {
		if (is_alike(&advice->suggestions[j], one))
			return buf;
	}
	add_sentence(buf, size, sw_resource_word(one->resource));
	buf[strlen(buf) - 1] = '\0';		/* no full stop yet */
	for (j = i + 1; j < advice->count; j++) {
		if (is_alike(one, &advice->suggestions[j]))
			sw_text_add(buf, size, ", %s", sw_resource_word(
				    advice->suggestions[j].resource));
	}
	sw_text_add(buf, size, ": no advice yet (%s).", one->why);
	if (!one->is_few)
		sw_text_add(buf, size, " Would help: %s.", one->remedy);
	return buf;
}
