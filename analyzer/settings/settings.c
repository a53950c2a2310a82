/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The settings file stepwell.yaml. */
#include "analyzer/settings/settings.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/settings/settings_internal.h"
#include "common/recorder_keys.h"
#include "common/units.h"

enum { KEEP_DAYS = 90, KEEP_DAYS_MAX = 36500 };

static int read_threshold(const struct sw_walk *walk, const yaml_node_t *key,
			  const yaml_node_t *value, const void *context)
{
	const struct sw_rule *rule = context;
	const struct sw_rule_setting *setting;
	const char *name = sw_walk_scalar(key);
	double number;
	size_t i;

	for (i = 0; i < SW_RULE_SETTINGS_MAX && rule->settings[i].key; i++) {
		setting = &rule->settings[i];
		if (!name || strcmp(name, setting->key) != 0)
			continue;
		if (sw_walk_real(walk, setting->key, value, setting->min,
				 setting->max, &number) < 0)
			return -1;
		if (sw_thresholds_set(&sw_walk_settings(walk)->thresholds, rule, i,
				      number) < 0)
			return sw_error_set(walk->error, "not enough memory");
		return 0;
	}
	return sw_walk_complain_name(walk, key, "unknown setting of this rule");
}

static int read_rule(const struct sw_walk *walk, const yaml_node_t *key,
		     const yaml_node_t *value, const void *context)
{
	const struct sw_rule *rule;

	(void)context;
	rule = sw_walk_scalar(key) ? sw_rule_find(sw_walk_scalar(key)) : NULL;
	if (!rule)
		return sw_walk_complain_name(walk, key, "unknown rule");
	return sw_walk_pairs(walk, value, read_threshold, rule);
}

/* Check a key of the node recorder, which reads it itself. */
static int read_recorder_key(const struct sw_walk *walk, enum sw_recorder_key key,
			     const yaml_node_t *value)
{
	const struct sw_recorder_key_row *row = &sw_recorder_keys[key];
	const char *text = sw_walk_scalar(value);
	uint64_t number;
	char what[160];

	if (text && sw_count_parse(text, row->min, row->max, &number) == 0)
		return 0;
	snprintf(what, sizeof(what), "%s must be a whole number from %llu to "
		 "%llu", row->name, (unsigned long long)row->min,
		 (unsigned long long)row->max);
	return sw_walk_complain(walk, value, what);
}

static int read_rules(const struct sw_walk *walk, const yaml_node_t *value)
{
	return sw_walk_pairs(walk, value, read_rule, NULL);
}

static int read_profile_dir(const struct sw_walk *walk, const yaml_node_t *value)
{
	return sw_walk_path(walk, "profile_dir", value,
			    &sw_walk_settings(walk)->places.profile_dir);
}

/* Likewise. */
static int read_late_report(const struct sw_walk *walk, const yaml_node_t *value)
{
	const char *text = sw_walk_scalar(value);

	if (text && (!strcmp(text, "append") || !strcmp(text, "drop")))
		return 0;
	return sw_walk_complain(walk, value,
				"late_report must be append or drop");
}

static int read_names(const struct sw_walk *walk, const yaml_node_t *value,
		      const char *complaint)
{
	char names[SW_COUNTER_NAMES_SIZE];

	if (sw_walk_names(walk, value, names, sizeof(names)))
		return 0;
	return sw_walk_complain(walk, value, complaint);
}

static int read_counters(const struct sw_walk *walk, const yaml_node_t *value)
{
	return read_names(walk, value,
			  "counters must be a list of names of counters");
}

static int read_components(const struct sw_walk *walk,
			   const yaml_node_t *value)
{
	return read_names(walk, value, "papi_components must be a list of "
				       "names of components of PAPI");
}

/* Check a path that the recorder reads itself. */
static int check_path(const struct sw_walk *walk, const char *key,
		      const yaml_node_t *value)
{
	char *path = NULL;
	int rc = sw_walk_path(walk, key, value, &path);

	free(path);
	return rc;
}

static int read_events_file(const struct sw_walk *walk,
			    const yaml_node_t *value)
{
	return check_path(walk, "papi_events_file", value);
}

static int read_local_scratch(const struct sw_walk *walk,
			      const yaml_node_t *value)
{
	return check_path(walk, "local_scratch", value);
}

static int read_summaries_dir(const struct sw_walk *walk,
			      const yaml_node_t *value)
{
	return sw_walk_path(walk, "summaries_dir", value,
			    &sw_walk_settings(walk)->places.summaries_dir);
}

static int read_summary_dirs(const struct sw_walk *walk,
			     const yaml_node_t *value)
{
	struct sw_places *places = &sw_walk_settings(walk)->places;

	return sw_walk_paths(walk, "summary_dirs", value,
			     &places->summary_dirs,
			     &places->summary_dir_count);
}

static int read_history_file(const struct sw_walk *walk, const yaml_node_t *value)
{
	return sw_walk_path(walk, "history_file", value,
			    &sw_walk_settings(walk)->history_file);
}

static int read_sweep_dir(const struct sw_walk *walk, const yaml_node_t *value)
{
	return sw_walk_path(walk, "sweep_dir", value,
			    &sw_walk_settings(walk)->sweep_dir);
}

static int read_privacy(const struct sw_walk *walk, const yaml_node_t *value)
{
	if (sw_privacy_find(sw_walk_scalar(value)) < SW_PRIVACY_LEVELS)
		return 0;
	return sw_walk_complain(walk, value, "privacy must be full, programs "
				"or counters");
}

static int read_user_history_dir(const struct sw_walk *walk,
				 const yaml_node_t *value)
{
	return sw_walk_path(walk, "user_history_dir", value,
			    &sw_walk_settings(walk)->user_history_dir);
}

static int read_sweep_keep_days(const struct sw_walk *walk,
				const yaml_node_t *value)
{
	return sw_walk_real(walk, "sweep_keep_days", value, 0, KEEP_DAYS_MAX,
			    &sw_walk_settings(walk)->sweep_keep_days);
}

/* Read later by its users, so that errors in it do not affect others. */
static int read_node_catalogue(const struct sw_walk *walk,
			       const yaml_node_t *value)
{
	return sw_walk_path(walk, "node_catalogue", value,
			    &sw_walk_settings(walk)->node_catalogue);
}

static int read_history_of_runs(const struct sw_walk *walk,
				const yaml_node_t *value)
{
	bool is_on = true;
	int rc = sw_walk_bool(walk, "history_of_runs", value, &is_on);

	sw_walk_settings(walk)->is_history_off = !is_on;
	return rc;
}

static const struct {
	const char *key;
	int (*read)(const struct sw_walk *walk, const yaml_node_t *value);
} sections[] = {
	{ "rules", read_rules },
	{ "profile_dir", read_profile_dir },
	{ "late_report", read_late_report },
	{ "counters", read_counters },
	{ "papi_events_file", read_events_file },
	{ "local_scratch", read_local_scratch },
	{ "privacy", read_privacy },
	{ "papi_components", read_components },
	{ "summaries_dir", read_summaries_dir },
	{ "summary_dirs", read_summary_dirs },
	{ "history_file", read_history_file },
	{ "history_of_runs", read_history_of_runs },
	{ "sweep_dir", read_sweep_dir },
	{ "sweep_keep_days", read_sweep_keep_days },
	{ "user_history_dir", read_user_history_dir },
	{ "job_records", sw_settings_read_job_records },
	{ "lsf", sw_settings_read_lsf },
	{ "advice", sw_settings_read_advice },
	{ "prices", sw_settings_read_prices },
	{ "groups", sw_settings_read_groups },
	{ "node_catalogue", read_node_catalogue },
	{ "failures", sw_settings_read_failures },
	{ "retries", sw_settings_read_retries },
};

static int read_section(const struct sw_walk *walk, const yaml_node_t *key,
			const yaml_node_t *value, const void *context)
{
	const char *name = sw_walk_scalar(key);
	enum sw_recorder_key number = name ? sw_recorder_key_find(name) :
					     SW_RECORDER_KEYS;
	size_t i;

	(void)context;
	for (i = 0; name && i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (!strcmp(name, sections[i].key))
			return sections[i].read(walk, value);
	}
	if (number < SW_RECORDER_KEYS)
		return read_recorder_key(walk, number, value);
	return sw_walk_complain_name(walk, key, "unknown section");
}

static const char *choose_path(const char *path, bool *is_optional)
{
	*is_optional = false;
	if (!path)
		path = getenv("STEPWELL_CONF");
	if (path && *path)
		return path;
	*is_optional = true;
	return SW_SETTINGS_PATH;
}

/*
 * Return true if errno means that the system's file is absent.  It may exist if
 * this user may not read it, or enter its folder.
 */
static bool is_absent(struct sw_settings *settings, const char *path)
{
	if (errno == ENOENT)
		return true;
	if (errno != EACCES && errno != EPERM)
		return false;
	snprintf(settings->warning, sizeof(settings->warning), "%.400s: %s; "
		 "the settings were not read and the defaults are used", path,
		 strerror(errno));
	return true;
}

struct sw_settings *sw_settings_load(const char *path, struct sw_error *error)
{
	struct sw_settings *settings = calloc(1, sizeof(*settings));
	struct sw_walk walk = { .into = settings, .error = error };
	bool is_optional;
	FILE *file;

	if (!settings) {
		sw_error_set(error, "not enough memory");
		return NULL;
	}
	settings->policy = sw_policy_default;
	settings->sweep_keep_days = KEEP_DAYS;
	settings->failures = sw_failure_defaults;
	settings->retries = sw_retry_defaults;
	walk.path = choose_path(path, &is_optional);
	file = fopen(walk.path, "re");
	if (!file && is_optional && is_absent(settings, walk.path))
		return settings;
	if (!file)
		sw_error_errno(error, "%s: settings not read", walk.path);
	if (!file || sw_walk_file(&walk, file, read_section) < 0) {
		sw_settings_free(settings);
		settings = NULL;
	}
	if (settings)
		settings->file = strdup(walk.path);
	if (file)
		fclose(file);
	return settings;
}

const char *sw_settings_file(const struct sw_settings *settings)
{
	return settings ? settings->file : NULL;
}

const char *sw_settings_warning(const struct sw_settings *settings)
{
	return settings && settings->warning[0] ? settings->warning : NULL;
}

const struct sw_thresholds *
sw_settings_thresholds(const struct sw_settings *settings)
{
	return settings ? &settings->thresholds : NULL;
}

const struct sw_places *sw_settings_places(const struct sw_settings *settings)
{
	return settings ? &settings->places : NULL;
}

const char *sw_settings_history_file(const struct sw_settings *settings)
{
	return settings ? settings->history_file : NULL;
}

const char *sw_settings_sweep_dir(const struct sw_settings *settings)
{
	return settings ? settings->sweep_dir : NULL;
}

const char *sw_settings_user_history_dir(const struct sw_settings *settings)
{
	return settings ? settings->user_history_dir : NULL;
}

unsigned sw_settings_sweep_keep_days(const struct sw_settings *settings)
{
	return settings ? (unsigned)settings->sweep_keep_days : KEEP_DAYS;
}

bool sw_settings_has_history_of_runs(const struct sw_settings *settings)
{
	return !settings || !settings->is_history_off;
}

const char *sw_settings_records_program(const struct sw_settings *settings)
{
	return settings && settings->records_program ?
		       settings->records_program : "sacct";
}

const struct sw_policy *sw_settings_policy(const struct sw_settings *settings)
{
	return settings ? &settings->policy : &sw_policy_default;
}

const struct sw_group_rules *
sw_settings_group_rules(const struct sw_settings *settings)
{
	return settings ? &settings->group_rules : NULL;
}

const char *sw_settings_node_catalogue(const struct sw_settings *settings)
{
	return settings ? settings->node_catalogue : NULL;
}

void sw_settings_free(struct sw_settings *settings)
{
	if (!settings)
		return;
	sw_thresholds_fini(&settings->thresholds);
	free(settings->places.profile_dir);
	free(settings->places.summaries_dir);
	while (settings->places.summary_dir_count)
		free(settings->places.summary_dirs
			     [--settings->places.summary_dir_count]);
	free(settings->places.summary_dirs);
	free(settings->file);
	free(settings->history_file);
	free(settings->sweep_dir);
	free(settings->user_history_dir);
	free(settings->lsb_acct);
	free(settings->node_catalogue);
	sw_group_rules_fini(&settings->group_rules);
	free(settings);
}
