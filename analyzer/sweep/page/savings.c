/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Savings if the lines of a page were followed, replayed on the runs that they
 * are based on, and savings since groups lowered their requests.  Additional
 * costs are included.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "advice/text.h"
#include "analyzer/sweep/page/words.h"
#include "analyzer/sweep/night/times.h"
#include "common/missing.h"
#include "common/units.h"

#define USEC_PER_HOUR		 (3600.0 * (double)SW_USEC_PER_SEC)
#define MIB_SECONDS_PER_GIB_HOUR (3600.0 * 1024)

struct saved {
	double core_hours, gib_hours;
};

static double known(double value)
{
	return isnan(value) ? 0 : value;
}

static void add_line(struct sw_sweep_savings *savings, struct saved *saved,
		     const struct sw_sweep_line *line)
{
	size_t i;

	for (i = 0; i < SW_RESOURCES; i++) {
		const struct sw_backtest *backtest;

		if (!line->is_in[i])
			continue;
		backtest = &line->request.items[i].suggestion->backtest;
		savings->runs += backtest->of;
		savings->fits += backtest->fits;
		saved->core_hours += known(backtest->saved_core_hours);
		saved->gib_hours += known(backtest->saved_gib_hours);
	}
}

static double at_rate(double saved, double had, double month)
{
	return had > 0 ? saved / had * month : 0;
}

/* At the same rate, for the group's whole month. */
static void add_month(struct sw_sweep_savings *savings,
		      const struct saved *saved,
		      const struct sw_sweep_lines *lines,
		      const struct sw_month_group *group)
{
	double mib_seconds = 0, core_usec = 0;
	size_t i;

	for (i = 0; group && i < group->count; i++) {
		mib_seconds += (double)group->nights[i].mib_seconds;
		core_usec += (double)group->nights[i].core_usec;
	}
	savings->month_gib_hours +=
		at_rate(saved->gib_hours, lines->had_gib_hours,
			mib_seconds / MIB_SECONDS_PER_GIB_HOUR);
	savings->month_core_hours +=
		at_rate(saved->core_hours, lines->had_core_hours,
			core_usec / USEC_PER_HOUR);
}

void sw_sweep_savings_add(struct sw_sweep_savings *savings,
			  const struct sw_sweep_row *row,
			  const struct sw_month *month)
{
	struct saved saved = { 0, 0 };
	size_t i;

	if (!row->lines.has_words)
		return;
	/* Parts of a node that nobody else could use are not saved. */
	if (row->kinds.is_whole) {
		savings->whole_groups++;
		return;
	}
	for (i = 0; i < row->lines.count; i++)
		add_line(savings, &saved, &row->lines.items[i]);
	savings->groups++;
	savings->core_hours += saved.core_hours;
	savings->gib_hours += saved.gib_hours;
	savings->had_core_hours += row->lines.had_core_hours;
	savings->had_gib_hours += row->lines.had_gib_hours;
	add_month(savings, &saved, &row->lines,
		  sw_month_find(month, row->group));
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* "274 GiB-hours of 663 GiB-hours (41 %)"; nothing if there is no change */
static bool add_amount(char *buf, size_t size, const char *before, double saved,
		       double had, const char *unit)
{
	if (fabs(saved) < 0.005 || !(had > 0))
		return false;
	sw_text_add(buf, size, "%s%s ", before,
		    saved > 0 ? "saved" : "cost an additional");
	sw_sweep_add_hours(buf, size, fabs(saved), unit);
	sw_text_add(buf, size, " of ");
	sw_sweep_add_hours(buf, size, had, unit);
	sw_text_add(buf, size, " (%s)", sw_text_percent(fabs(saved) / had).s);
	return true;
}

/* From two nights on, the month is more meaningful than the runs. */
static void add_month_words(char *buf, size_t size,
			    const struct sw_sweep_page *page)
{
	const struct sw_sweep_savings *savings = &page->savings;
	bool has_memory = savings->month_gib_hours >= 0.05;
	bool has_cores = savings->month_core_hours >= 0.05;

	if (page->month->nights < 2 || (!has_memory && !has_cores))
		return;
	sw_text_add(buf, size, " At that rate it would be about ");
	if (has_memory) {
		sw_sweep_add_hours(buf, size, savings->month_gib_hours,
				   "GiB-hours");
		sw_text_add(buf, size, "%s", has_cores ? " and " : "");
	}
	if (has_cores)
		sw_sweep_add_hours(buf, size, savings->month_core_hours,
				   "core-hours");
	sw_text_add(buf, size,
		    " for all jobs of these groups in the %zu "
		    "nights that are known of the last %d days.",
		    page->month->nights, SW_MONTH_DAYS);
}

char *sw_sweep_savings(char *buf, size_t size, const struct sw_sweep_page *page)
{
	const struct sw_sweep_savings *savings = &page->savings;
	size_t failed = savings->runs - savings->fits;
	bool is_said;

	*buf = '\0';
	if (!savings->groups || !savings->runs)
		return buf;
	sw_text_add(buf, size, "Following the lines of %zu group%s would have ",
		    savings->groups, plural(savings->groups));
	is_said = add_amount(buf, size, "", savings->gib_hours,
			     savings->had_gib_hours, "GiB-hours");
	is_said |= add_amount(buf, size, is_said ? " and " : "",
			      savings->core_hours, savings->had_core_hours,
			      "core-hours");
	sw_text_add(buf, size,
		    "%s, replayed on the newest runs with what was "
		    "known before each; %zu of %zu requests would have been "
		    "too small%s.",
		    is_said ? "" : "saved nothing", failed, savings->runs,
		    failed ? ", and what these attempts take is taken off"
			   : "");
	add_month_words(buf, size, page);
	if (savings->whole_groups)
		sw_text_add(buf, size, " Without %zu group%s whose jobs have "
			    "all CPUs of their nodes.", savings->whole_groups,
			    plural(savings->whole_groups));
	return buf;
}

char *sw_sweep_taken(char *buf, size_t size, const struct sw_taken *taken)
{
	char day[SW_TIME_SIZE];

	*buf = '\0';
	sw_text_add(buf, size,
		    "%s%s%s requests %s of memory since %s, %s "
		    "before: its %s jobs since then had ",
		    taken->group->label, *taken->group->user ? " of " : "",
		    taken->group->user, sw_size_text(taken->now_mib * SW_MIB).s,
		    sw_time_day(day, taken->since_seconds),
		    sw_size_text(taken->before_mib * SW_MIB).s,
		    sw_count_text(taken->now_jobs).s);
	sw_sweep_add_hours(buf, size, fabs(taken->gib_hours), "GiB-hours");
	sw_text_add(buf, size, " %s. %s of them ran out of memory",
		    taken->gib_hours < 0 ? "more" : "less",
		    taken->now_out_of_memory
			    ? sw_count_text(taken->now_out_of_memory).s
			    : "None");
	if (taken->now_out_of_memory)
		sw_text_add(buf, size, ", which is taken off");
	sw_text_add(buf, size, "; %s of %s before.",
		    taken->before_out_of_memory
			    ? sw_count_text(taken->before_out_of_memory).s
			    : "none",
		    sw_count_text(taken->before_jobs).s);
	return buf;
}
