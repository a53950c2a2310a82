/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page of one user, group, pipeline or run, made from parts of the full page.
 * The rows of a pipeline are its tasks: groups restricted to their jobs in it.
 */
#include <string.h>

#include "analyzer/grouping/job_group.h"
#include "analyzer/grouping/workflow.h"
#include "analyzer/sweep/night/named.h"
#include "analyzer/sweep/page/page.h"

static bool is_of_workflow(const struct sw_sweep_page *page)
{
	return page->pipeline || page->run;
}

bool sw_sweep_is_of_part(const struct sw_sweep_page *page)
{
	return page->user || page->group || is_of_workflow(page);
}

/* NULL matches anything. */
static bool is_wanted(const char *wanted, const char *name)
{
	return !wanted || !strcmp(wanted, name);
}

const char *sw_sweep_row_name(const struct sw_tally *tally)
{
	return tally->of == SW_TALLY_GROUP ? tally->label : tally->name;
}

bool sw_sweep_has_tally(const struct sw_sweep_page *page,
			const struct sw_tally *tally)
{
	if (!is_wanted(page->user, tally->user))
		return false;
	if (!is_of_workflow(page))
		return tally->of == SW_TALLY_GROUP &&
		       (is_wanted(page->group, tally->label) ||
			is_wanted(page->group, tally->name));
	return tally->of == (page->run ? SW_TALLY_RUN_TASK : SW_TALLY_TASK) &&
	       !strcmp(tally->label, page->run ? page->run : page->pipeline) &&
	       is_wanted(page->group, tally->name);
}

const struct sw_tally *sw_sweep_group_of(const struct sw_sweep_page *page,
					 const struct sw_tally *tally)
{
	size_t i;

	if (tally->of == SW_TALLY_GROUP)
		return tally;
	for (i = 0; i < page->night->tallies.count; i++) {
		const struct sw_tally *group = page->sorted[i];

		if (group->of == SW_TALLY_GROUP &&
		    !strcmp(group->cluster, tally->cluster) &&
		    !strcmp(group->user, tally->user) &&
		    !strcmp(group->label, tally->name))
			return group;
	}
	return NULL;
}

/* Jobs of the group on the page; user NULL: all users. */
static uint64_t jobs_of(const struct sw_sweep_page *page, const char *user,
			const char *label)
{
	uint64_t jobs = 0;
	size_t i;

	for (i = 0; i < page->count; i++) {
		const struct sw_tally *tally = page->rows[i].tally;

		if (!strcmp(sw_sweep_row_name(tally), label) &&
		    is_wanted(user, tally->user))
			jobs += tally->n[SW_TALLY_JOBS];
	}
	return jobs;
}

static uint64_t all_jobs_of(const struct sw_sweep_page *page, const char *user,
			    const char *label)
{
	uint64_t jobs = 0;
	size_t i;

	for (i = 0; i < page->night->tallies.count; i++) {
		const struct sw_tally *tally = page->sorted[i];

		if (tally->of == SW_TALLY_GROUP &&
		    !strcmp(tally->label, label) &&
		    is_wanted(user, tally->user))
			jobs += tally->n[SW_TALLY_JOBS];
	}
	return jobs;
}

/*
 * Statements about a group hold for its jobs in a pipeline only if all of them
 * are in it.  user NULL: several users.
 */
static bool has_group(const struct sw_sweep_page *page, const char *user,
		      const char *label)
{
	const char *whose = user ? user : page->user;
	uint64_t jobs;

	if (is_of_workflow(page)) {
		jobs = jobs_of(page, whose, label);
		return jobs && jobs == all_jobs_of(page, whose, label);
	}
	if (!page->group)
		return !page->user || (user && !strcmp(user, page->user));
	return jobs_of(page, user, label) > 0;
}

static bool has_by_group(const struct sw_sweep_page *page,
			 const struct sw_tally *tally)
{
	return tally->of == SW_TALLY_STEP &&
	       jobs_of(page, tally->user, tally->label) > 0;
}

bool sw_sweep_has_by(const struct sw_sweep_page *page,
		     const struct sw_tally *tally)
{
	if (!sw_sweep_is_of_part(page))
		return true;
	if (!sw_named_most(tally->of) || !is_wanted(page->user, tally->user) ||
	    page->run)
		return false;
	if (page->pipeline)
		return tally->of == SW_TALLY_RUN && !page->group &&
		       !strcmp(tally->label, page->pipeline);
	return !page->group || has_by_group(page, tally);
}

/* The folder is common to all attempts. */
static bool is_chain_of_workflow(const struct sw_sweep_page *page,
				 const struct sw_retry_chain *chain)
{
	struct sw_workflow workflow;

	sw_workflow_find(&workflow, chain->names.name, chain->names.comment,
			 chain->names.folder);
	return is_wanted(page->pipeline, workflow.pipeline) &&
	       is_wanted(page->run, workflow.run);
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

	if (!is_wanted(page->user, chain->names.user) ||
	    !is_chain_of_workflow(page, chain))
		return false;
	if (!page->group)
		return true;
	sw_job_group_find(&group, sw_settings_group_rules(page->settings),
			  &names);
	return jobs_of(page, chain->names.user, group.label) > 0;
}

/* They are not joined yet, so that each is of one user. */
static void keep_worses(struct sw_sweep_page *page)
{
	struct sw_worses *worses = &page->worses;
	size_t i, kept = 0;

	for (i = 0; i < worses->count; i++) {
		const struct sw_tally *group = worses->items[i].groups[0];

		if (has_group(page, group->user, group->label))
			worses->items[kept++] = worses->items[i];
	}
	worses->count = kept;
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

/* Those of a user were selected when counting. */
static void keep_failures(struct sw_sweep_page *page)
{
	struct sw_failure_rows *rows = &page->failures;
	struct sw_failure_row item;
	size_t i, kept = 0;

	bool is_part = page->group || is_of_workflow(page);

	for (i = 0; is_part && i < rows->count; i++) {
		item = rows->items[i];
		if (has_group(page, item.user, item.group))
			rows->items[kept++] = item;
	}
	if (is_part)
		rows->count = kept;
}

void sw_sweep_keep_part(struct sw_sweep_page *page)
{
	if (!sw_sweep_is_of_part(page))
		return;
	keep_worses(page);
	keep_takens(page);
	keep_failures(page);
}
