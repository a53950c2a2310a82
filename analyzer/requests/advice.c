/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advise a group from the history and the settings. */
#include "analyzer/requests/advice.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/history/history_fold.h"
#include "analyzer/settings/settings.h"
#include "common/escape.h"

static const struct sw_advice_options no_options = { .input_bytes = NAN };

/* Latest restart of the named job, or else the last run. */
static size_t find_run(const struct sw_history_runs *runs, const char *what,
		       bool *is_named)
{
	size_t length = strlen(what), i = runs->count;

	*is_named = true;
	while (i-- > 0) {
		const char *job = runs->jobs[i];

		/* "123.0" is a step of a job stored as "123". */
		if (!strncmp(job, what, strlen(job)) && *job &&
		    (!what[strlen(job)] || (what[strlen(job)] == '.' &&
					    length > strlen(job) + 1)))
			return i;
	}
	*is_named = false;
	return runs->count - 1;
}

static void override(double *value, double other)
{
	if (!isnan(other))
		*value = other;
}

/* Take the request of a run, but not its usage. */
static void ask(struct sw_run *asked, const struct sw_run *run)
{
	override(&asked->requested_bytes, run->requested_bytes);
	override(&asked->memory_per, run->memory_per);
	override(&asked->requested_seconds, run->requested_seconds);
	override(&asked->requested_cores, run->requested_cores);
	override(&asked->requested_gpus, run->requested_gpus);
	override(&asked->nodes, run->nodes);
	override(&asked->tasks, run->tasks);
}

static int put_asked(struct sw_advice *advice, const struct sw_run *run,
		     const char *job, const struct sw_advice_options *options)
{
	advice->asked = sw_run_unknown;
	ask(&advice->asked, run);
	if (options->request) {
		ask(&advice->asked, options->request);
		job = sw_text(options->request_name);
	}
	advice->asked_by = strdup(job);
	return advice->asked_by ? 0 : -1;
}

double sw_advice_largest_input(const struct sw_advice *advice)
{
	double largest = NAN;
	size_t i;

	for (i = 0; i < advice->runs.count; i++)
		largest = fmax(largest, advice->runs.runs[i].input_bytes);
	return largest;
}

/*
 * Use the named job's input; otherwise the next one may be as large as the
 * largest, since a run that gets too little is lost.
 */
static void put_input(struct sw_advice *advice, const struct sw_run *named,
		      double given)
{
	struct sw_query *query = &advice->query;

	query->input_bytes = given;
	advice->input_source = SW_INPUT_GIVEN;
	if (!isnan(given))
		return;
	advice->input_source = SW_INPUT_OF_RUN;
	if (named)
		query->input_bytes = named->input_bytes;
	if (isnan(query->input_bytes)) {
		query->input_bytes = sw_advice_largest_input(advice);
		advice->input_source = SW_INPUT_LARGEST;
	}
	if (isnan(query->input_bytes))
		advice->input_source = SW_INPUT_UNKNOWN;
}

static int put_query(struct sw_advice *advice, const char *what,
		     const struct sw_advice_options *options)
{
	bool is_named, is_last;
	size_t i = find_run(&advice->runs, what, &is_named);
	const struct sw_run *run;

	/* Other names' requests are not this one's. */
	if (!is_named && advice->last_job)
		i = find_run(&advice->runs, advice->last_job, &is_last);
	run = &advice->runs.runs[i];

	if (put_asked(advice, run, advice->runs.jobs[i], options) < 0)
		return -1;
	put_input(advice, is_named ? run : NULL, options->input_bytes);
	advice->query.asked = &advice->asked;
	/*
	 * Not the script's request: it may be earlier advice, and advice based
	 * on itself would change with each call.
	 */
	advice->query.requested_bytes = sw_run_first_request(run);
	advice->query.start_seconds = NAN;
	return 0;
}

static int advise(struct sw_advice *advice)
{
	const struct sw_runs runs = { advice->runs.runs, advice->runs.count };
	const struct sw_advisor *const *advisor;

	for (advisor = sw_advisors; *advisor && advice->count < SW_ADVICE_MAX;
	     advisor++) {
		if ((*advisor)->advise(&runs, &advice->query, &advice->policy,
				       &advice->suggestions[advice->count]) <
		    0)
			return -1;
		advice->advisors[advice->count++] = *advisor;
	}
	return 0;
}

static void take_policy(struct sw_advice *advice,
			const struct sw_settings *settings,
			const struct sw_advice_options *options)
{
	advice->policy = *sw_settings_policy(settings);
	if (options->has_risk)
		advice->policy.risk = options->risk;
}

/*
 * Find the largest memory known to be available on a node.  Only after a kill,
 * since it reads the whole history.
 */
static int put_known(struct sw_advice *advice, struct sw_history *history,
		     struct sw_error *error)
{
	const struct sw_run *last =
		&advice->runs.runs[advice->runs.count - 1];
	double *known = &advice->policy.known_bytes;

	if (!last->is_lower_bound ||
	    (last->state != SW_RUN_OUT_OF_MEMORY &&
	     !(last->need_bytes >= last->requested_bytes)))
		return 0;
	return sw_history_largest_request(history, advice->group, known,
					  error);
}

/* No node has more than the catalogue's largest, or than a run had. */
static void put_cap(struct sw_advice *advice)
{
	const struct sw_catalogue *catalogue = &advice->nodes.catalogue;
	double *cap = &advice->policy.cap_bytes;
	size_t i;

	if (*cap > 0)
		return;
	for (i = 0; i < catalogue->count; i++)
		*cap = fmax(*cap, catalogue->kinds[i].memory_bytes);
	for (i = 0; *cap > 0 && i < advice->runs.count; i++)
		*cap = fmax(*cap, advice->runs.runs[i].requested_bytes);
}

static bool may_fold(const struct sw_advice *advice,
		     const struct sw_advice_options *options)
{
	return advice->policy.folds_names && !options->is_exact;
}

/* A name without runs may be another sample of known work. */
static int find_group(struct sw_advice *advice, struct sw_history *history,
		      const char *what, const struct sw_advice_options *options,
		      struct sw_error *error)
{
	double cores =
		options->request ? options->request->requested_cores : NAN;
	int rc;

	advice->has_own_name = true;
	if (options->own) {
		advice->group = strdup(options->own->group);
		return advice->group ? 0 : sw_error_errno(error, "no advice");
	}
	rc = sw_history_find_group(history, what, &advice->group, error);
	if (rc == 0 || errno != ENOENT || !may_fold(advice, options))
		return rc;
	advice->has_own_name = false;
	return sw_history_find_relative(history, what, cores, &advice->group,
					error);
}

static bool has_enough(const struct sw_advice *advice)
{
	size_t count = 0, i;

	for (i = 0; i < advice->runs.count; i++)
		count += advice->runs.runs[i].state == SW_RUN_COMPLETED;
	return count >= advice->policy.min_runs;
}

/* Include the group's own runs even if they are the oldest. */
static int put_all(struct sw_history_runs *runs,
		   const struct sw_history_runs *more)
{
	size_t i;

	for (i = 0; i < more->count; i++) {
		const struct sw_history_run run = {
			.run = more->runs[i],
			.job = more->jobs[i],
		};

		if (sw_history_runs_put(runs, &run) < 0)
			return -1;
	}
	return 0;
}

static int fold(struct sw_advice *advice, struct sw_history *history,
		const struct sw_history_run *own,
		const struct sw_settings *settings, struct sw_error *error)
{
	struct sw_history_fold fold;
	int rc;

	if (sw_history_fold(history, advice->group, own,
			    sw_settings_group_rules(settings),
			    SW_ADVICE_RUNS_MAX, &fold, error) < 0)
		return -1;
	if (fold.names < 2)
		return 0;
	rc = put_all(&fold.runs, &advice->runs);
	sw_history_runs_fini(&advice->runs);
	advice->runs = fold.runs;
	advice->family_names = fold.names;
	snprintf(advice->family, sizeof(advice->family), "%s", fold.name);
	return rc < 0 ? sw_error_errno(error, "no advice") : 0;
}

static int load_group(struct sw_advice *advice, struct sw_history *history,
		      const char *what, const struct sw_settings *settings,
		      const struct sw_advice_options *options,
		      struct sw_error *error)
{
	const struct sw_history_run *own = options->own;

	if (find_group(advice, history, what, options, error) < 0 ||
	    sw_history_runs(history, advice->group, SW_ADVICE_RUNS_MAX,
			    &advice->runs, error) < 0)
		return -1;
	if (sw_history_name(history, advice->group, &advice->name, error) < 0)
		return -1;
	if (own && sw_history_runs_put(&advice->runs, own) < 0)
		return sw_error_errno(error, "no advice");
	if (advice->runs.count) {
		const char *last = advice->runs.jobs[advice->runs.count - 1];

		advice->last_job = strdup(last);
		if (!advice->last_job)
			return sw_error_errno(error, "no advice");
	}
	if (!may_fold(advice, options) ||
	    (advice->has_own_name && has_enough(advice)))
		return 0;
	return fold(advice, history, own, settings, error);
}

static int load(struct sw_advice *advice, struct sw_history *history,
		const char *what, const struct sw_settings *settings,
		const struct sw_advice_options *options, struct sw_error *error)
{
	char shown[160];

	if (!options->own && sw_advice_is_pattern(what)) {
		if (sw_advice_load_pattern(advice, history, what, error) < 0)
			return -1;
	} else if (load_group(advice, history, what, settings, options, error) <
		   0) {
		return -1;
	}
	if (advice->runs.count)
		return 0;
	errno = ENOENT;
	return sw_error_set(error, "the history has no run of \"%s\"",
			    sw_escape_ascii(shown, sizeof(shown),
					    advice->group));
}

/* An unreadable one is reported, and otherwise ignored. */
static void read_catalogue(struct sw_advice *advice,
			   const struct sw_settings *settings)
{
	const char *path = sw_settings_node_catalogue(settings);
	struct sw_error error;

	advice->has_nodes = path != NULL;
	if (sw_catalogue_read(&advice->nodes.catalogue, path, &error) < 0)
		snprintf(advice->nodes.why, sizeof(advice->nodes.why), "%s",
			 error.text);
}

int sw_advice_init(struct sw_advice *advice, struct sw_history *history,
		   const char *what, const struct sw_settings *settings,
		   const struct sw_advice_options *options,
		   struct sw_error *error)
{
	memset(advice, 0, sizeof(*advice));
	if (!options)
		options = &no_options;
	take_policy(advice, settings, options);
	if (options->own)
		what = options->own->job;
	read_catalogue(advice, settings);
	if (load(advice, history, what, settings, options, error) < 0 ||
	    put_known(advice, history, error) < 0)
		goto error;
	put_cap(advice);
	if (put_query(advice, what, options) < 0 || advise(advice) < 0 ||
	    sw_advice_choose_nodes(advice) < 0) {
		errno = ENOMEM;
		sw_error_set(error, "out of memory while computing advice from "
			     "%zu runs",
			     advice->runs.count);
		goto error;
	}
	return 0;
error:
	sw_advice_fini(advice);
	return -1;
}

int sw_advice_of_runs(struct sw_advice *advice, const char *group,
		      struct sw_history_runs *runs,
		      const struct sw_settings *settings)
{
	memset(advice, 0, sizeof(*advice));
	advice->runs = *runs;
	*runs = (struct sw_history_runs){ NULL, NULL, 0 };
	take_policy(advice, settings, &no_options);
	advice->group = strdup(group);
	if (advice->group && advice->runs.count &&
	    put_query(advice, "", &no_options) == 0 && advise(advice) == 0)
		return 0;
	sw_advice_fini(advice);
	errno = ENOMEM;
	return -1;
}

void sw_advice_fini(struct sw_advice *advice)
{
	int saved = errno;

	sw_history_runs_fini(&advice->runs);
	free(advice->group);
	free(advice->last_job);
	free(advice->asked_by);
	free(advice->name);
	free(advice->nodes.choices);
	sw_catalogue_fini(&advice->nodes.catalogue);
	memset(advice, 0, sizeof(*advice));
	errno = saved;
}

char *sw_advice_group_words(char *buf, size_t size,
			    const struct sw_advice *advice)
{
	if (*advice->family)
		snprintf(buf, size, "%s (%zu names)", advice->family,
			 advice->family_names);
	else
		snprintf(buf, size, "%s", advice->group);
	return buf;
}

double sw_advice_largest(const struct sw_advice *advice,
			 enum sw_resource resource)
{
	double largest = NAN;
	size_t i;

	for (i = 0; i < advice->runs.count; i++) {
		const struct sw_run *run = &advice->runs.runs[i];

		if (resource == SW_RESOURCE_MEMORY)
			largest = fmax(largest, run->need_bytes);
		else if (resource == SW_RESOURCE_TIME)
			largest = fmax(largest, run->elapsed_seconds);
	}
	return largest;
}
