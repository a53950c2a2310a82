/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Load the runs of all groups that match a pattern, like those of one group. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/requests/advice.h"
#include "common/grow.h"

struct names {
	const char *pattern;
	char **items;
	size_t count;
};

bool sw_advice_is_pattern(const char *what)
{
	return strpbrk(what, "*?") != NULL;
}

/* Match with and without the user. */
static bool matches(const char *pattern, const char *group)
{
	const char *slash = strchr(group, '/');

	return fnmatch(pattern, group, 0) == 0 ||
	       (slash && fnmatch(pattern, slash + 1, 0) == 0);
}

static int see(void *context, const char *group, size_t runs)
{
	struct names *names = context;

	(void)runs;
	if (!matches(names->pattern, group))
		return 0;
	if (sw_grow(&names->items, names->count, sizeof(*names->items)) < 0)
		return -1;
	names->items[names->count] = strdup(group);
	return names->items[names->count] ? (names->count++, 0) : -1;
}

static int add_runs(struct sw_advice *advice, struct sw_history *history,
		    const char *group, struct sw_error *error)
{
	struct sw_history_runs runs;
	int rc = 0;
	size_t i;

	if (sw_history_runs(history, group, SW_ADVICE_RUNS_MAX, &runs,
			    error) < 0)
		return -1;
	for (i = 0; rc == 0 && i < runs.count; i++) {
		const struct sw_history_run run = {
			.run = runs.runs[i], .job = runs.jobs[i],
		};

		rc = sw_history_runs_put(&advice->runs, &run);
	}
	sw_history_runs_fini(&runs);
	return rc < 0 ? sw_error_errno(error, "no advice") : 0;
}

int sw_advice_load_pattern(struct sw_advice *advice,
			   struct sw_history *history, const char *pattern,
			   struct sw_error *error)
{
	struct names names = { .pattern = pattern };
	size_t i;
	int rc;

	errno = ENOMEM;
	sw_error_set(error, "the history: not enough memory");
	rc = sw_history_each_group(history, false, see, &names, error);
	for (i = 0; rc == 0 && i < names.count; i++)
		rc = add_runs(advice, history, names.items[i], error);
	advice->group_count = names.count;
	for (i = 0; i < names.count; i++)
		free(names.items[i]);
	free(names.items);
	advice->group = rc == 0 ? strdup(pattern) : NULL;
	advice->name = rc == 0 ? strdup("") : NULL;
	return advice->group && advice->name ? 0 : -1;
}
