/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Divide runs by request, and make a line for each request. */
#include "analyzer/sweep/night/lines.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice/attempts.h"
#include "advice/text.h"
#include "analyzer/dialects/dialect.h"
#include "analyzer/settings/settings.h"

/* Requests of memory that differ by less are equal. */
static const double same_bytes = 1.1;

/* Requests of a run; -1 if unknown. */
struct asked {
	double cores, nodes, gpus, bytes;
	size_t index;
};

/* Runs with one request. */
struct kind {
	const struct asked *items;
	size_t count;
};

struct kinds {
	struct asked *asked;
	struct kind *items;
	size_t count;
};

static double known(double value)
{
	return isnan(value) ? -1 : value;
}

static int order_of(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare_asked(const void *a, const void *b)
{
	const struct asked *one = a, *two = b;
	int order = order_of(one->cores, two->cores);

	if (!order)
		order = order_of(one->nodes, two->nodes);
	if (!order)
		order = order_of(one->gpus, two->gpus);
	if (!order)
		order = order_of(one->bytes, two->bytes);
	return order ? order
		     : (one->index > two->index) - (one->index < two->index);
}

static int compare_indices(const void *a, const void *b)
{
	const struct asked *one = a, *two = b;

	return (one->index > two->index) - (one->index < two->index);
}

static bool is_same(const struct asked *one, const struct asked *two)
{
	return one->cores == two->cores && one->nodes == two->nodes &&
	       one->gpus == two->gpus &&
	       (one->bytes == two->bytes ||
		(one->bytes > 0 && two->bytes <= same_bytes * one->bytes));
}

static int compare_kinds(const void *a, const void *b)
{
	const struct kind *one = a, *two = b;

	if (one->count != two->count)
		return one->count < two->count ? 1 : -1;
	return (one->items > two->items) - (one->items < two->items);
}

/* Sort requests by number of runs; keep the order of runs in each. */
static void divide(struct kinds *kinds, size_t count)
{
	size_t i, first = 0;

	qsort(kinds->asked, count, sizeof(*kinds->asked), compare_asked);
	for (i = 1; i <= count; i++) {
		if (i < count &&
		    is_same(&kinds->asked[first], &kinds->asked[i]))
			continue;
		kinds->items[kinds->count++] =
			(struct kind){ &kinds->asked[first], i - first };
		qsort(&kinds->asked[first], i - first, sizeof(*kinds->asked),
		      compare_indices);
		first = i;
	}
	qsort(kinds->items, kinds->count, sizeof(*kinds->items), compare_kinds);
}

static int find_kinds(struct kinds *kinds, const struct sw_run *runs,
		      size_t count)
{
	size_t i;

	*kinds = (struct kinds){
		.asked = calloc(count + 1, sizeof(*kinds->asked)),
		.items = calloc(count + 1, sizeof(*kinds->items)),
	};
	if (!kinds->asked || !kinds->items)
		return -1;
	for (i = 0; i < count; i++)
		kinds->asked[i] = (struct asked){
			.cores = known(runs[i].requested_cores),
			.nodes = known(runs[i].nodes),
			.gpus = known(runs[i].requested_gpus),
			.bytes = known(sw_run_first_request(&runs[i])),
			.index = i,
		};
	if (count)
		divide(kinds, count);
	return 0;
}

static bool is_current(const struct kind *kind, const struct sw_run *runs,
		       double from_seconds)
{
	size_t i;

	for (i = 0; i < kind->count; i++) {
		if (runs[kind->items[i].index].end_seconds >= from_seconds)
			return true;
	}
	return false;
}

/* True if all runs before the first of this request had other requests. */
static bool is_changed(const struct kind *kind)
{
	size_t last = kind->items[kind->count - 1].index;

	return last - kind->items[0].index + 1 == kind->count;
}

/*
 * Drop requests of the past.  If the only one left replaced the others, their
 * runs were the same work.
 */
static void keep_current(struct kinds *kinds, const struct sw_run *runs,
			 size_t count, double from_seconds)
{
	size_t i, kept = 0;

	for (i = 0; i < kinds->count; i++) {
		if (is_current(&kinds->items[i], runs, from_seconds))
			kinds->items[kept++] = kinds->items[i];
	}
	kinds->count = kept;
	if (kept != 1 || !is_changed(&kinds->items[0]))
		return;
	qsort(kinds->asked, count, sizeof(*kinds->asked), compare_indices);
	kinds->items[0] = (struct kind){ kinds->asked, count };
}

static void kinds_fini(struct kinds *kinds)
{
	free(kinds->asked);
	free(kinds->items);
}

static int take_runs(struct sw_history_runs *taken, const struct kind *kind,
		     const struct sw_run *runs, const struct sw_sample *sample)
{
	char text[24];
	size_t i;

	*taken = (struct sw_history_runs){
		.runs = calloc(kind->count + 1, sizeof(*taken->runs)),
		.jobs = calloc(kind->count + 1, sizeof(*taken->jobs)),
	};
	for (i = 0; taken->runs && taken->jobs && i < kind->count; i++) {
		size_t index = kind->items[i].index;

		snprintf(text, sizeof(text), "%llu",
			 (unsigned long long)sample->items[index].job_id);
		taken->runs[i] = runs[index];
		taken->jobs[i] = strdup(text);
		if (!taken->jobs[i])
			break;
		taken->count++;
	}
	if (taken->count == kind->count && taken->runs && taken->jobs)
		return 0;
	sw_history_runs_fini(taken);
	return -1;
}

struct span {
	double least, most;
};

/* Range of a member of the items. */
static struct span span_of(const struct kind *kind, size_t offset)
{
	struct span span = { INFINITY, -INFINITY };
	size_t i;

	for (i = 0; i < kind->count; i++) {
		const char *item = (const char *)&kind->items[i];
		double value = *(const double *)(const void *)(item + offset);

		span.least = fmin(span.least, value);
		span.most = fmax(span.most, value);
	}
	return span;
}

#define SPAN_OF(kind, member) span_of(kind, offsetof(struct asked, member))

static void add_part(char *whose, const char *text)
{
	sw_text_add(whose, SW_SWEEP_WHOSE_SIZE, "%s%s", *whose ? " and " : "",
		    text);
}

static void add_count(char *whose, double count, const char *thing)
{
	char text[48];

	if (!(count >= 0))
		return;
	snprintf(text, sizeof(text), "%.0f %s%s", count, thing,
		 count == 1 ? "" : "s");
	add_part(whose, text);
}

/* Name the requests in which the group's runs differ. */
static void put_whose(char *whose, const struct kind *kind,
		      const struct asked *all, size_t count)
{
	const struct kind group = { all, count };
	const struct asked *one = kind->items;
	struct span cores = SPAN_OF(&group, cores);
	struct span nodes = SPAN_OF(&group, nodes);
	struct span gpus = SPAN_OF(&group, gpus);
	struct span bytes = SPAN_OF(&group, bytes), own = SPAN_OF(kind, bytes);
	char text[100];

	if (own.least > 0 && bytes.most > bytes.least) {
		snprintf(text, sizeof(text), "%s of memory",
			 sw_text_bytes(own.least).s);
		if (own.most > own.least)
			snprintf(text, sizeof(text), "%s to %s of memory",
				 sw_text_bytes(own.least).s,
				 sw_text_bytes(own.most).s);
		add_part(whose, text);
	}
	if (cores.most > cores.least)
		add_count(whose, one->cores, "CPU");
	if (gpus.most > gpus.least)
		add_count(whose, one->gpus, "GPU");
	if (nodes.most > nodes.least)
		add_count(whose, one->nodes, "node");
	if (!*whose)
		add_part(whose, "nothing that is known");
}

static void put_words(struct sw_sweep_line *line,
		      const struct sw_sweep_wanted *wanted,
		      double largest_killed)
{
	const struct sw_dialect *dialect = sw_dialect_of_site(wanted->settings);
	char item[SW_DIALECT_ITEM_SIZE];
	int i;

	for (i = 0; i < SW_RESOURCES; i++) {
		const struct sw_request_item *change = &line->request.items[i];

		if (!change->suggestion || !change->is_change ||
		    sw_is_missing(change->next) ||
		    !(wanted->resources & 1u << i) ||
		    (i == SW_RESOURCE_MEMORY &&
		     !(change->suggestion->suggested > largest_killed)))
			continue;
		dialect->item(item, &line->request, (enum sw_resource)i, 1);
		if (!*item)
			continue;
		sw_text_add(line->words, sizeof(line->words), "%s%s",
			    *line->words ? " " : "", item);
		line->is_in[i] = true;
	}
}

/* Takes ownership of the runs. */
static int put_line(struct sw_sweep_line *line, struct sw_history_runs *runs,
		    const struct sw_sweep_wanted *wanted, double largest_killed)
{
	line->advice = calloc(1, sizeof(*line->advice));
	if (!line->advice || sw_advice_of_runs(line->advice, wanted->group,
					       runs, wanted->settings) < 0) {
		sw_history_runs_fini(runs);
		free(line->advice);
		line->advice = NULL;
		errno = ENOMEM;
		return -1;
	}
	sw_request_init(&line->request, line->advice);
	put_words(line, wanted, largest_killed);
	return 0;
}

/* Allocate the runs of a sample; NULL (ENOMEM). */
static struct sw_run *runs_of(const struct sw_sample *sample)
{
	struct sw_run *runs = calloc(sample->count + 1, sizeof(*runs));
	size_t i;

	for (i = 0; runs && i < sample->count; i++)
		runs[i] = sample->items[i].run;
	if (runs)
		sw_attempts_find(runs, sample->count);
	return runs;
}

/*
 * Largest memory that was not enough for runs with another request: they may be
 * the same work, of which this request's runs show less.
 */
static double largest_killed(const struct kind *kind, const struct sw_run *runs,
			     size_t count)
{
	double largest = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct asked key = { .index = i };

		if (runs[i].state == SW_RUN_OUT_OF_MEMORY &&
		    !bsearch(&key, kind->items, kind->count,
			     sizeof(*kind->items), compare_indices))
			largest = fmax(largest, runs[i].need_bytes);
	}
	return largest;
}

static int put_lines(struct sw_sweep_lines *lines, const struct kinds *kinds,
		     const struct sw_run *runs, const struct sw_sample *sample,
		     const struct sw_sweep_wanted *wanted)
{
	size_t least = sw_settings_policy(wanted->settings)->min_runs, i;

	for (i = 0; i < kinds->count && lines->count < SW_SWEEP_LINES_MAX;
	     i++) {
		const struct kind *kind = &kinds->items[i];
		struct sw_sweep_line *line = &lines->items[lines->count];
		struct sw_history_runs taken;

		/* A single request may also use kills with other requests. */
		if (kinds->count > 1 && kind->count < least)
			break;
		if (take_runs(&taken, kind, runs, sample) < 0 ||
		    put_line(line, &taken, wanted,
			     largest_killed(kind, runs, sample->count)) < 0)
			return -1;
		lines->count++;
		lines->has_words |= *line->words != '\0';
		if (kinds->count > 1)
			put_whose(line->whose, kind, kinds->asked,
				  sample->count);
	}
	return 0;
}

static void raise_need(struct sw_node_need *need,
		       const struct sw_node_need *other)
{
	need->cpus = fmin(need->cpus, other->cpus);
	need->bytes = fmax(need->bytes, other->bytes);
	need->gpus = fmax(need->gpus, other->gpus);
}

/* Add the allocation, as far as known. */
static void add_had(struct sw_sweep_lines *lines, const struct sw_run *run)
{
	double nodes = run->nodes >= 1 ? run->nodes : 1;
	double hours = run->elapsed_seconds / 3600;
	double gib = run->requested_bytes * nodes / (double)SW_GIB;

	if (gib * hours > 0)
		lines->had_gib_hours += gib * hours;
	if (run->requested_cores * hours > 0)
		lines->had_core_hours += run->requested_cores * hours;
}

static void see_request(struct sw_sweep_lines *lines, const struct sw_run *run)
{
	double nodes = run->nodes >= 1 ? run->nodes : 1;
	double first = sw_run_first_request(run);
	const struct sw_node_need own = {
		.cpus = ceil(run->requested_cores / nodes),
		.bytes = run->requested_bytes,
		.gpus = ceil(run->requested_gpus / nodes),
	};

	lines->nodes = fmax(lines->nodes, run->nodes);
	lines->least_bytes = fmin(lines->least_bytes, first);
	lines->most_bytes = fmax(lines->most_bytes, first);
	if (lines->count != lines->requests)
		raise_need(&lines->need, &own);
}

static void put_need(struct sw_sweep_lines *lines, const struct kinds *kinds,
		     const struct sw_run *runs)
{
	size_t i, j;

	for (i = 0; lines->count == lines->requests && i < lines->count; i++) {
		const struct sw_sweep_line *line = &lines->items[i];
		const struct sw_run *asked = &line->advice->asked;
		struct sw_node_need own = sw_advice_need(line->advice);

		/* No advice for fewer: it keeps the CPUs it has. */
		if (!line->is_in[SW_RESOURCE_CORES])
			own.cpus = fmax(own.cpus, ceil(asked->requested_cores /
						       fmax(asked->nodes, 1)));
		raise_need(&lines->need, &own);
	}
	for (i = 0; i < kinds->count; i++) {
		for (j = 0; j < kinds->items[i].count; j++)
			see_request(lines,
				    &runs[kinds->items[i].items[j].index]);
	}
}

int sw_sweep_lines_init(struct sw_sweep_lines *lines,
			const struct sw_sample *sample,
			const struct sw_sweep_wanted *wanted)
{
	struct sw_run *runs = runs_of(sample);
	struct kinds kinds = { NULL, NULL, 0 };
	size_t i;
	int rc = -1;

	*lines = (struct sw_sweep_lines){
		.items = calloc(SW_SWEEP_LINES_MAX, sizeof(*lines->items)),
		.least_bytes = NAN,
		.most_bytes = NAN,
		.need = { NAN, NAN, NAN },
		.nodes = NAN,
	};
	if (!runs || !lines->items ||
	    find_kinds(&kinds, runs, sample->count) < 0)
		goto out;
	keep_current(&kinds, runs, sample->count, (double)wanted->from_seconds);
	lines->requests = kinds.count;
	for (i = 0; i < sample->count; i++)
		add_had(lines, &runs[i]);
	rc = put_lines(lines, &kinds, runs, sample, wanted);
	if (rc == 0)
		put_need(lines, &kinds, runs);
out:
	kinds_fini(&kinds);
	free(runs);
	if (rc < 0) {
		sw_sweep_lines_fini(lines);
		errno = ENOMEM;
	}
	return rc;
}

void sw_sweep_lines_fini(struct sw_sweep_lines *lines)
{
	int saved = errno;
	size_t i;

	for (i = 0; lines->items && i < SW_SWEEP_LINES_MAX; i++) {
		if (lines->items[i].advice)
			sw_advice_fini(lines->items[i].advice);
		free(lines->items[i].advice);
	}
	free(lines->items);
	*lines = (struct sw_sweep_lines){ .items = NULL };
	errno = saved;
}
