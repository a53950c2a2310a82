/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of the history by name. */
#include "analyzer/verbs/group_names.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/dialects/dialect.h"
#include "analyzer/history/history_fold.h"
#include "analyzer/print/similar.h"
#include "common/escape.h"
#include "common/grow.h"
#include "common/text.h"

static int add_folded(void *context, const char *group, size_t runs,
		      size_t name_count)
{
	struct sw_group_names *names = context;

	if (sw_grow(&names->items, names->count, sizeof(*names->items)) < 0)
		return -1;
	names->items[names->count].name = strdup(group);
	names->items[names->count].runs = runs;
	names->items[names->count].names = name_count;
	return names->items[names->count].name ? (names->count++, 0) : -1;
}

static int add(void *context, const char *group, size_t runs)
{
	return add_folded(context, group, runs, 1);
}

static int init(struct sw_group_names *names, struct sw_history *history,
		struct sw_error *error)
{
	*names = (struct sw_group_names){ 0 };
	sw_error_set(error, "the history: not enough memory");
	return sw_history_each_group(history, false, add, names, error);
}

int sw_group_names_init_folded(struct sw_group_names *names,
			       struct sw_history *history,
			       const struct sw_policy *policy,
			       struct sw_error *error)
{
	if (!policy->folds_names)
		return init(names, history, error);
	*names = (struct sw_group_names){ 0 };
	sw_error_set(error, "the history: not enough memory");
	return sw_history_each_folded(history, policy->min_runs, add_folded,
				      names, error);
}

void sw_group_names_fini(struct sw_group_names *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		free(names->items[i].name);
	free(names->items);
	*names = (struct sw_group_names){ 0 };
}

/* Find the closest name, with or without its user. */
static const char *find_similar(const struct sw_group_names *names,
				const char *what)
{
	const char **words = calloc(2 * names->count + 1, sizeof(*words));
	const char *found = NULL;
	size_t i;

	if (!words)
		return NULL;
	for (i = 0; i < names->count; i++) {
		words[i] = names->items[i].name;
		words[names->count + i] =
			sw_group_job_name(names->items[i].name);
	}
	found = sw_similar(what, words, 2 * names->count);
	for (i = 0; i < names->count && found; i++) {
		if (found == words[names->count + i])
			found = words[i];
	}
	free(words);
	return found;
}

void sw_group_names_add_similar(char *text, size_t size,
				struct sw_history *history, const char *what)
{
	struct sw_group_names names;
	struct sw_error error;
	const char *similar = NULL;
	char shown[160];

	if (init(&names, history, &error) == 0)
		similar = find_similar(&names, what);
	if (similar)
		sw_text_add(text, size, "; did you mean \"%s\"?",
			    sw_escape_ascii(shown, sizeof(shown), similar));
	sw_group_names_fini(&names);
}
