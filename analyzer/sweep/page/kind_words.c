/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sentences about kinds of nodes.  Run times are given only for kinds with
 * enough runs; for others it is said that there is no evidence.  A resource
 * that never limited the group is no reason to pay for more of it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advice/text.h"
#include "analyzer/sweep/night/kind_cost.h"
#include "analyzer/sweep/page/words.h"
#include "common/units.h"

enum { NAMES_MAX = 5 };

#define CPU_RATIO 0.50
/* Thresholds for sufficient memory: stalls, and need of the request. */
#define MEMORY_FULL_RATIO 0.01
#define NEED_RATIO	  0.80

char *sw_sweep_money(char *buf, size_t size, const struct sw_sweep_page *page,
		     double amount)
{
	*buf = '\0';
	sw_text_add(buf, size,
		    amount >= 0.1 || !(amount > 0) ? "%.2f %s" : "%.2g %s",
		    amount, page->catalogue.currency);
	return buf;
}

char *sw_sweep_cost_cell(char *buf, size_t size,
			 const struct sw_sweep_page *page, const uint64_t *n)
{
	*buf = '\0';
	sw_text_add(buf, size, "?");
	if (page->has_costs && n[SW_TALLY_PRICED_CORE_USEC])
		snprintf(buf, size, "%.2f",
			 (double)n[SW_TALLY_COST_MICROS] / SW_MICROS);
	return buf;
}

char *sw_sweep_cost_note(char *buf, size_t size,
			 const struct sw_sweep_page *page)
{
	char days[64];

	*buf = '\0';
	if (page->has_costs)
		sw_text_add(
			buf, size, "Costs are in %s, by %s.",
			page->catalogue.currency,
			sw_sweep_price_days(days, sizeof(days), page->total));
	return buf;
}

char *sw_sweep_day(char *buf, size_t size, uint64_t day)
{
	*buf = '\0';
	sw_text_add(buf, size, "%04llu-%02llu-%02llu",
		    (unsigned long long)day / 10000,
		    (unsigned long long)day / 100 % 100,
		    (unsigned long long)day % 100);
	return buf;
}

char *sw_sweep_price_days(char *buf, size_t size, const uint64_t *n)
{
	uint64_t last = n[SW_TALLY_PRICE_DAY];
	uint64_t first = SW_TALLY_DAY_LAST - n[SW_TALLY_PRICE_DAY_BEFORE];
	char day[SW_DATE_SIZE];

	*buf = '\0';
	sw_text_add(buf, size, "prices of %s",
		    sw_sweep_day(day, sizeof(day), first));
	if (first != last)
		sw_text_add(buf, size, " to %s",
			    sw_sweep_day(day, sizeof(day), last));
	return buf;
}

/* Subject of the sentences about a row. */
struct about {
	const struct sw_sweep_page *page;
	const struct sw_sweep_row *row;
};

static const struct sw_node_kind *kind_of(const struct about *about,
					  const struct sw_kind_choice *choice)
{
	return &about->page->catalogue.kinds[choice->kind];
}

static void add_time(char *buf, size_t size, const struct about *about,
		     const struct sw_kind_choice *choice, bool is_first)
{
	char money[48];

	sw_text_add(buf, size, "%s%s on %s (median of %zu",
		    is_first ? "" : ", ", sw_text_seconds(choice->seconds).s,
		    kind_of(about, choice)->name, choice->runs);
	if (!isnan(choice->run_cost))
		sw_text_add(buf, size, "; %s each",
			    sw_sweep_money(money, sizeof(money), about->page,
					   choice->run_cost));
	sw_text_add(buf, size, ")");
}

/* Append the dates of prices of kinds with a run time. */
static void add_dates(char *buf, size_t size, const struct about *about)
{
	const struct sw_sweep_kinds *kinds = &about->row->kinds;
	const char *first = NULL, *last = NULL;
	size_t i;

	for (i = 0; i < kinds->count; i++) {
		const char *date = kind_of(about, &kinds->choices[i])->as_of;

		if (isnan(kinds->choices[i].run_cost))
			continue;
		first = !first || strcmp(date, first) < 0 ? date : first;
		last = !last || strcmp(date, last) > 0 ? date : last;
	}
	if (!first)
		return;
	sw_text_add(buf, size, ", by prices of %s", first);
	if (strcmp(first, last) != 0)
		sw_text_add(buf, size, " to %s", last);
}

static void say_times(char *buf, size_t size, const struct about *about)
{
	const struct sw_sweep_kinds *kinds = &about->row->kinds;
	size_t i, count = 0;

	if (!kinds->best)
		return;
	sw_text_add(buf, size, "Its jobs took ");
	for (i = 0; i < kinds->count; i++) {
		if (isnan(kinds->choices[i].seconds) || count == NAMES_MAX)
			continue;
		add_time(buf, size, about, &kinds->choices[i], count++ == 0);
	}
	add_dates(buf, size, about);
	sw_text_add(buf, size,
		    isnan(kinds->best->run_cost) ? ": %s is the quickest."
						 : ": %s costs least.",
		    kind_of(about, kinds->best)->name);
}

/* The first that fits, if it has a price and is not the current one. */
static const struct sw_kind_choice *cheapest(const struct sw_sweep_kinds *kinds)
{
	const struct sw_kind_choice *first = kinds->choices;

	if (!kinds->count || !first->fits || isnan(first->hour_cost))
		return NULL;
	return kinds->here && !(first->hour_cost < kinds->here->hour_cost)
		       ? NULL
		       : first;
}

static void say_cheapest(char *buf, size_t size, const struct about *about)
{
	const struct sw_kind_choice *first = cheapest(&about->row->kinds);
	char money[48];

	if (!first)
		return;
	sw_text_add(buf, size,
		    "The cheapest kind of node that fits is %s, "
		    "%s an hour",
		    kind_of(about, first)->name,
		    sw_sweep_money(money, sizeof(money), about->page,
				   first->hour_cost));
	if (first->share < 1)
		sw_text_add(buf, size, " for %s of one",
			    sw_text_percent(first->share).s);
	sw_text_add(buf, size, " (price of %s)", kind_of(about, first)->as_of);
	if (!first->runs)
		sw_text_add(buf, size,
			    "; no job of this group ran there, so "
			    "there is no evidence on speed.");
	else if (isnan(first->seconds))
		sw_text_add(buf, size,
			    "; %zu job%s of this group ran there, "
			    "too few to tell its speed.",
			    first->runs, first->runs == 1 ? "" : "s");
	else
		sw_text_add(buf, size, ".");
}

/* Name other kinds that fit and cost less, without any runs. */
static void say_unseen(char *buf, size_t size, const struct about *about)
{
	const struct sw_sweep_kinds *kinds = &about->row->kinds;
	const char *between = "It would also cost less on ";
	size_t i, count = 0;

	for (i = 0; i < kinds->count; i++) {
		const struct sw_kind_choice *choice = &kinds->choices[i];

		if (!choice->fits || choice->runs || !kinds->here ||
		    !(choice->hour_cost < kinds->here->hour_cost) ||
		    choice == cheapest(kinds) || count++ >= NAMES_MAX)
			continue;
		sw_text_add(buf, size, "%s%s", between,
			    kind_of(about, choice)->name);
		between = ", ";
	}
	if (count > NAMES_MAX)
		sw_text_add(buf, size, " and %zu more", count - NAMES_MAX);
	if (count)
		sw_text_add(buf, size,
			    "; no job of this group ran there, so "
			    "there is no evidence on speed.");
}

/* Nothing indicates that the jobs were ever short of memory. */
static bool had_enough_memory(const struct sw_sweep_row *row)
{
	const uint64_t *n = row->tally->n;
	const struct sw_quantiles *needs =
		&row->tally->sketch[SW_TALLY_NEED_MIB];
	double stalled = sw_tally_ratio(n, SW_TALLY_MEMORY_FULL_USEC,
					SW_TALLY_PRESSURE_USEC);

	return !n[SW_TALLY_OUT_OF_MEMORY] && !n[SW_TALLY_OOM_KILLS] &&
	       !(stalled >= MEMORY_FULL_RATIO) && needs->count &&
	       (double)needs->max * (double)SW_MIB <=
		       NEED_RATIO * row->lines.least_bytes;
}

static bool waits_for_io(const uint64_t *n)
{
	return sw_sweep_io_ratio(n) >= SW_SWEEP_IO_RATIO &&
	       sw_tally_ratio(n, SW_TALLY_USED_USEC,
			      SW_TALLY_CORE_KNOWN_USEC) <= CPU_RATIO;
}

/* A kind that costs more than the current one, and has more; or NULL. */
static const struct sw_node_kind *larger(const struct about *about)
{
	const struct sw_sweep_kinds *kinds = &about->row->kinds;
	const struct sw_node_kind *here, *kind;
	size_t i;

	if (!kinds->here || isnan(kinds->here->hour_cost))
		return NULL;
	here = kind_of(about, kinds->here);
	for (i = 0; i < kinds->count; i++) {
		const struct sw_kind_choice *choice = &kinds->choices[i];

		kind = kind_of(about, choice);
		if (choice->hour_cost > kinds->here->hour_cost &&
		    kind->memory_bytes > here->memory_bytes)
			return kind;
	}
	return NULL;
}

static void say_refusal(char *buf, size_t size, const struct about *about)
{
	const struct sw_node_kind *kind = larger(about);
	const struct sw_sweep_row *row = about->row;
	const uint64_t *n = row->tally->n;
	uint64_t need = row->tally->sketch[SW_TALLY_NEED_MIB].max;

	if (!kind || !had_enough_memory(row))
		return;
	sw_text_add(
		buf, size,
		"More memory is no reason to pay for %s: its "
		"jobs needed %s at most, and %s has %s.",
		kind->name, sw_size_text(need * SW_MIB).s,
		kind_of(about, row->kinds.here)->name,
		sw_text_bytes(kind_of(about, row->kinds.here)->memory_bytes).s);
	if (waits_for_io(n))
		sw_text_add(buf, size,
			    " Nor are more CPUs: it stood still for "
			    "I/O for %.0f %% of the time, and used %.0f %% of "
			    "its CPU time.",
			    100 * sw_tally_ratio(n, SW_TALLY_IO_FULL_USEC,
						 SW_TALLY_STEP_USEC),
			    100 * sw_tally_ratio(n, SW_TALLY_USED_USEC,
						 SW_TALLY_CORE_KNOWN_USEC));
}

/* Name what a line would free. */
static void say_whole(char *buf, size_t size, const struct about *about)
{
	const struct sw_sweep_lines *lines = &about->row->lines;
	bool has_memory = false;
	size_t i;

	for (i = 0; i < lines->count; i++)
		has_memory |= lines->items[i].is_in[SW_RESOURCE_MEMORY];
	if (has_memory && about->row->kinds.is_whole)
		sw_text_add(buf, size, "Its jobs have all CPUs of their nodes, "
			    "so a smaller request of memory frees nothing for "
			    "others there; nodes with less memory would do.");
}

char *sw_sweep_kind_words(char *buf, size_t size,
			  const struct sw_sweep_page *page,
			  const struct sw_sweep_row *row, size_t i)
{
	static void (*const say[])(char *, size_t, const struct about *) = {
		say_whole, say_times, say_cheapest, say_unseen, say_refusal,
	};
	const struct about about = { page, row };

	*buf = '\0';
	if (i >= sizeof(say) / sizeof(say[0]))
		return NULL;
	/* A single kind is no choice. */
	if (row->kinds.count > 1)
		say[i](buf, size, &about);
	return buf;
}
