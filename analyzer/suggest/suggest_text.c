/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice for people, as lines to paste: requests use the dialect's syntax,
 * everything else is in its comments.
 */
#include <math.h>
#include <string.h>

#include "advice/text.h"
#include "analyzer/print/paragraph.h"
#include "analyzer/suggest/advice_words.h"
#include "analyzer/suggest/suggest.h"
#include "common/jobid.h"
#include "common/missing.h"
#include "common/units.h"

/* An input up to this factor above the largest is like the known ones. */
static const double furthest_input = 1.05;

struct page {
	FILE *out;
	const struct sw_request *request;
	const struct sw_dialect *dialect;
	const struct sw_report_style *style;
};

static void say(const struct page *page, const char *text)
{
	if (*text)
		sw_paragraph_print(page->out, text, page->dialect->comment,
				   page->dialect->comment, page->style);
}

/* Ids of runs outside of Slurm are meaningless. */
static void add_asked_by(char *text, size_t size, const char *asked_by)
{
	struct sw_jobid id;

	if (!*asked_by)
		return;
	sw_text_add(text, size, "; \"now\" is what ");
	if (!strncmp(asked_by, "row-", 4))
		sw_text_add(text, size, "the last one requested");
	else if (sw_jobid_parse(asked_by, &id) == 0)
		sw_text_add(text, size, "job %s requested", asked_by);
	else
		sw_text_add(text, size, "%s requests", asked_by);
}

/* Also if everything fits, so that no other sentence is needed. */
static void add_beyond(char *text, size_t size, const struct sw_advice *advice)
{
	double largest = sw_advice_largest_input(advice);

	if (advice->policy.uses_input &&
	    advice->query.input_bytes > furthest_input * largest)
		sw_text_add(text, size, " The largest seen is %s: advice on "
			    "memory is an extrapolation that no run confirms.",
			    sw_text_bytes(largest).s);
}

static void say_head(const struct page *page)
{
	static const char *const inputs[] = {
		[SW_INPUT_GIVEN] = "as given",
		[SW_INPUT_OF_RUN] = "that of this job",
		[SW_INPUT_LARGEST] = "the largest of these runs",
	};
	const struct sw_advice *advice = page->request->advice;
	char text[SW_ADVICE_WORDS_SIZE], group[SW_ADVICE_WORDS_SIZE / 2];

	snprintf(text, sizeof(text), "%s: advice from %zu run%s",
		 sw_advice_group_words(group, sizeof(group), advice),
		 advice->runs.count, advice->runs.count == 1 ? "" : "s");
	if (advice->group_count)
		sw_text_add(text, sizeof(text), " of %zu job group%s",
			    advice->group_count,
			    advice->group_count == 1 ? "" : "s");
	add_asked_by(text, sizeof(text), advice->asked_by);
	sw_text_add(text, sizeof(text), ".");
	if (*advice->family && advice->has_own_name)
		sw_text_add(text, sizeof(text),
			    " Use --group %s for that "
			    "name alone.",
			    advice->group);
	if (advice->input_source != SW_INPUT_UNKNOWN &&
	    advice->policy.uses_input)
		sw_text_add(text, sizeof(text), " For an input of %s, %s; use "
			    "--input for another size.",
			    sw_text_bytes(advice->query.input_bytes).s,
			    inputs[advice->input_source]);
	add_beyond(text, sizeof(text), advice);
	say(page, text);
}

/* Return false if the resource has no line of its own. */
static bool print_line(const struct page *page, enum sw_resource resource)
{
	const struct sw_dialect *dialect = page->dialect;
	char item[SW_DIALECT_ITEM_SIZE];

	if (!*dialect->item(item, page->request, resource, 1))
		return false;
	fprintf(page->out, "%s%s%s%s\n", sw_style_bold(page->style),
		dialect->prefix, item, sw_style_plain(page->style));
	return true;
}

/* "If that is not enough: --mem=8G, then --mem=16G.", and the limit. */
static void say_retries(const struct page *page, enum sw_resource resource)
{
	const struct sw_request_item *item = &page->request->items[resource];
	const char *end = sw_retry_limit_words(page->request, resource);
	char text[SW_ADVICE_WORDS_SIZE], option[SW_DIALECT_ITEM_SIZE];
	size_t i;

	if (!sw_request_retries(page->request, resource) ||
	    page->dialect->has_retries ||
	    !*page->dialect->item(option, page->request, resource, 2)) {
		if (*end)
			say(page, end + 1);
		return;
	}
	snprintf(text, sizeof(text), "If that is not enough: ");
	for (i = 0; i < item->retry_count; i++)
		sw_text_add(text, sizeof(text), "%s%s", i ? ", then " : "",
			    page->dialect->item(option, page->request, resource,
						i + 2));
	sw_text_add(text, sizeof(text), ".%s", end);
	say(page, text);
}

/* After its line, or after the block that contains it. */
static void print_change(const struct page *page, enum sw_resource resource)
{
	char words[SW_ADVICE_WORDS_SIZE], text[SW_ADVICE_WORDS_SIZE] = "";

	fputs("\n", page->out);
	if (page->dialect->write || !print_line(page, resource))
		sw_text_add(text, sizeof(text), "%s: ",
			    sw_resource_word(resource));
	sw_text_add(text, sizeof(text), "%s", sw_suggestion_words(words,
		    sizeof(words), page->request, resource));
	say(page, text);
	say_retries(page, resource);
}

static void print_changes(const struct page *page)
{
	char rule[SW_JOB_GROUP_SIZE];
	unsigned i;

	if (!page->request->has_change)
		return;
	if (page->dialect->write) {
		fputs("\n", page->out);
		page->dialect->write(page->out, page->request,
				     sw_rule_of_advice(rule, sizeof(rule),
						       page->request->advice));
	}
	for (i = 0; i < SW_RESOURCES; i++) {
		if (page->request->items[i].is_change)
			print_change(page, (enum sw_resource)i);
	}
	say(page, page->dialect->assumes(page->request));
	fputs("\n", page->out);
}

/* CPUs are per task, since there may be fewer tasks. */
static void add_fit(char *text, size_t size, const struct sw_request *request,
		    enum sw_resource resource)
{
	const struct sw_request_item *item = &request->items[resource];
	bool is_each = resource == SW_RESOURCE_CORES && request->tasks > 1;

	sw_text_add(text, size, "%s%s%s", *text ? ", " : "Request as now: ",
		    sw_amount_words(resource, is_each ? (double)item->next :
				    item->suggestion->suggested).s,
		    is_each ? " for each task" : "");
}

static void say_fits(const struct page *page)
{
	char text[SW_ADVICE_WORDS_SIZE] = "";
	unsigned i;

	for (i = 0; i < SW_RESOURCES; i++) {
		const struct sw_request_item *item = &page->request->items[i];

		if (!item->suggestion || item->is_change ||
		    sw_is_missing(item->next))
			continue;
		add_fit(text, sizeof(text), page->request, (enum sw_resource)i);
	}
	if (*text)
		sw_text_add(text, sizeof(text), ".");
	say(page, text);
}

static void say_refusals(const struct page *page)
{
	char text[SW_ADVICE_WORDS_SIZE];
	size_t i;

	for (i = 0; i < page->request->advice->count; i++)
		say(page, sw_refusal_words(text, sizeof(text),
					   page->request->advice, i));
}

static void add_choice(char *text, size_t size,
		       const struct sw_advice *advice,
		       const struct sw_kind_choice *choice)
{
	const struct sw_catalogue *catalogue = &advice->nodes.catalogue;
	const struct sw_node_kind *kind = &catalogue->kinds[choice->kind];

	sw_text_add(text, size, "%s: ", kind->name);
	if (!choice->fits)
		sw_text_add(text, size, "does not fit, %s", choice->obstacle);
	else if (isnan(choice->hour_cost))
		sw_text_add(text, size, "fits; its price is not known");
	else
		sw_text_add(text, size, "fits; %.2f %s an hour for %.0f %% of "
			    "a node (price of %s)", choice->hour_cost,
			    catalogue->currency, 100 * choice->share,
			    kind->as_of);
}

static void say_nodes(const struct page *page)
{
	const struct sw_advice *advice = page->request->advice;
	char text[SW_ADVICE_WORDS_SIZE] = "";
	size_t i;

	if (!advice->has_nodes)
		return;
	if (!advice->nodes.count) {
		sw_text_add(text, sizeof(text), "No advice on kinds of nodes: "
			    "%s.", advice->nodes.why);
		say(page, text);
		return;
	}
	say(page, "Kinds of nodes, the cheapest hour first. How fast they are "
	    "for this work is not known: the history does not have on which "
	    "the runs were.");
	for (i = 0; i < advice->nodes.count; i++) {
		snprintf(text, sizeof(text), "%zu. ", i + 1);
		add_choice(text, sizeof(text), advice,
			   &advice->nodes.choices[i]);
		say(page, text);
	}
}

void sw_suggest_text(FILE *out, const struct sw_request *request,
		     const struct sw_dialect *dialect,
		     const struct sw_report_style *style)
{
	const struct page page = { out, request, dialect, style };

	say_head(&page);
	print_changes(&page);
	say_fits(&page);
	say_refusals(&page);
	say_nodes(&page);
}
