/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page of one user, or of one group, from the parts of that of all. */
#include <string.h>

#include "analyzer/grouping/job_group.h"
#include "analyzer/sweep/page/page.h"

bool sw_sweep_is_of_part(const struct sw_sweep_page *page)
{
	return page->user || page->group;
}

bool sw_sweep_has_tally(const struct sw_sweep_page *page,
			const struct sw_tally *tally)
{
	if (tally->of != SW_TALLY_GROUP ||
	    (page->user && strcmp(tally->user, page->user) != 0))
		return false;
	return !page->group || !strcmp(tally->label, page->group) ||
	       !strcmp(tally->name, page->group);
}

/* user NULL: of several. */
static bool has_group(const struct sw_sweep_page *page, const char *user,
		      const char *label)
{
	size_t i;

	if (!page->group)
		return !page->user || (user && !strcmp(user, page->user));
	for (i = 0; i < page->count; i++) {
		const struct sw_tally *tally = page->rows[i].tally;

		if (!strcmp(tally->label, label) &&
		    (!user || !strcmp(tally->user, user)))
			return true;
	}
	return false;
}

bool sw_sweep_has_chain(const struct sw_sweep_page *page,
			const struct sw_retry_chain *chain)
{
	const struct sw_job_names names = {
		.user = chain->names.user,
		.name = chain->names.name,
		.cluster = chain->names.cluster,
		.comment = chain->names.comment,
		.step = "",
	};
	struct sw_job_group group;

	if (!page->group)
		return has_group(page, chain->names.user, "");
	sw_job_group_find(&group, sw_settings_group_rules(page->settings),
			  &names);
	return has_group(page, chain->names.user, group.label);
}

static void keep_changes(struct sw_sweep_page *page)
{
	struct sw_changes *changes = &page->changes;
	size_t i, kept = 0;

	for (i = 0; i < changes->count; i++) {
		const struct sw_tally *now = changes->items[i].now;

		if (has_group(page, now->user, now->label))
			changes->items[kept++] = changes->items[i];
	}
	changes->count = kept;
}

static void keep_takens(struct sw_sweep_page *page)
{
	struct sw_takens *takens = &page->takens;
	size_t i, kept = 0;

	for (i = 0; i < takens->count; i++) {
		const struct sw_month_group *group = takens->items[i].group;

		if (has_group(page, group->user, group->label))
			takens->items[kept++] = takens->items[i];
	}
	takens->count = kept;
}

/* Those of a user were chosen when they were counted. */
static void keep_failures(struct sw_sweep_page *page)
{
	struct sw_failure_rows *rows = &page->failures;
	struct sw_failure_row item;
	size_t i, kept = 0;

	for (i = 0; page->group && i < rows->count; i++) {
		item = rows->items[i];
		if (has_group(page, item.user, item.group))
			rows->items[kept++] = item;
	}
	if (page->group)
		rows->count = kept;
}

void sw_sweep_keep_part(struct sw_sweep_page *page)
{
	if (!sw_sweep_is_of_part(page))
		return;
	keep_changes(page);
	keep_takens(page);
	keep_failures(page);
}
