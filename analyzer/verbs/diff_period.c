/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of a period, and those before it. */
#include "analyzer/verbs/diff_period.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/history/history_beside.h"
#include "analyzer/settings/settings.h"
#include "analyzer/sweep/night/times.h"
#include "analyzer/verbs/verb.h"

/* Runs before the period, and before its end; the newest ones count. */
enum { BEFORE_MAX = 2 * SW_EXPECTED_RUNS, PERIOD_MAX = 4096 };

static int parse_time(const char *option, const char *text, uint64_t *seconds)
{
	if (sw_time_parse(text, (uint64_t)time(NULL), seconds) == 0)
		return SW_EXIT_OK;
	return sw_complain(SW_EXIT_USAGE,
			   "diff: %s \"%s\" is not a time, such as 2026-11-22, "
			   "yesterday or now-2weeks", option, text);
}

static struct sw_history *open_history(const struct sw_settings *settings)
{
	struct sw_history *history = NULL;
	struct sw_error error;
	char path[PATH_MAX];

	if (sw_history_path(sw_settings_history_file(settings), false, path,
			    sizeof(path), &error) == 0)
		history = sw_history_open_both(
			path, sw_settings_user_history_dir(settings),
			&sw_history_patient, &error);
	if (!history)
		sw_complain_error(&error);
	return history;
}

/* Those of the newest runs that ended in the period. */
static void drop_before(struct sw_history_prints *prints, double from)
{
	size_t kept = 0, i;

	for (i = 0; i < prints->count; i++) {
		struct sw_history_print item = prints->items[i];

		if (item.end_seconds >= from)
			prints->items[kept++] = item;
		else
			free(item.job);
	}
	prints->count = kept;
}

static int read_runs(struct sw_diff_period *period, struct sw_history *history,
		     const char *group, uint64_t from, double until)
{
	struct sw_error error;

	if (sw_history_prints(history, group, (double)from, BEFORE_MAX,
			      &period->before, &error) < 0 ||
	    sw_history_prints(history, group, until, PERIOD_MAX,
			      &period->period, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	drop_before(&period->period, (double)from);
	if (period->period.count == 0)
		return sw_complain(SW_EXIT_NOTHING_FOUND,
				   "no run of %s with a recording ended in this "
				   "period", group);
	return SW_EXIT_OK;
}

static int compare(struct sw_diff_period *period)
{
	size_t before = period->before.count, count = period->period.count, i;
	struct sw_beside_set earlier, later;

	period->runs = calloc(before + count + 1, sizeof(*period->runs));
	if (!period->runs)
		return -1;
	for (i = 0; i < before; i++)
		period->runs[i] = &period->before.items[i].print;
	for (i = 0; i < count; i++)
		period->runs[before + i] = &period->period.items[i].print;
	earlier = (struct sw_beside_set){ period->runs, before };
	later = (struct sw_beside_set){ period->runs + before, count };
	return sw_diff_sets(&period->diff, &earlier, &later);
}

static void name_sides(struct sw_diff *diff, uint64_t from, double until)
{
	char first[SW_TIME_SIZE], last[SW_TIME_SIZE] = "now";

	sw_time_minute(first, from);
	if (!isinf(until))
		sw_time_minute(last, (uint64_t)until);
	snprintf(diff->a.name, sizeof(diff->a.name), "that ended before %s",
		 first);
	snprintf(diff->b.name, sizeof(diff->b.name),
		 "that ended from %s until %s", first, last);
}

static int find(struct sw_diff_period *period, struct sw_history *history,
		const char *what, uint64_t from, double until)
{
	char *group = NULL;
	struct sw_error error;
	int status;

	if (sw_history_find_group(history, what, &group, &error) < 0)
		return sw_complain(errno == ENOENT ? SW_EXIT_NOTHING_FOUND
				   : errno == ENOTUNIQ ? SW_EXIT_USAGE
						       : SW_EXIT_FAILURE,
				   "%s", error.text);
	status = read_runs(period, history, group, from, until);
	free(group);
	if (status == SW_EXIT_OK && compare(period) < 0)
		status = sw_complain(SW_EXIT_FAILURE, "not enough memory");
	if (status == SW_EXIT_OK)
		name_sides(&period->diff, from, until);
	return status;
}

int sw_diff_period_find(struct sw_diff_period *period, const char *group,
			const char *from, const char *until,
			const struct sw_settings *settings)
{
	uint64_t from_seconds, until_seconds = UINT64_MAX;
	struct sw_history *history;
	int status;

	memset(period, 0, sizeof(*period));
	status = parse_time("--from", from, &from_seconds);
	if (status == SW_EXIT_OK && until)
		status = parse_time("--until", until, &until_seconds);
	if (status != SW_EXIT_OK)
		return status;
	if (until_seconds <= from_seconds)
		return sw_complain(SW_EXIT_USAGE,
				   "diff: the time of --until is not after that "
				   "of --from");
	history = open_history(settings);
	if (!history)
		return errno == ENOENT ? SW_EXIT_NOTHING_FOUND
				       : SW_EXIT_FAILURE;
	status = find(period, history, group, from_seconds,
		      until ? (double)until_seconds : INFINITY);
	sw_history_close(history);
	return status;
}

void sw_diff_period_fini(struct sw_diff_period *period)
{
	sw_diff_fini(&period->diff);
	sw_history_prints_fini(&period->before);
	sw_history_prints_fini(&period->period);
	free(period->runs);
}
