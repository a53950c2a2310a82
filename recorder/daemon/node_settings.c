/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of the node's recorder, from stepwell.yaml. */
#include "recorder/daemon/node_settings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/escape.h"
#include "common/missing.h"
#include "common/units.h"
#include "common/yaml_walk.h"
#include "recorder/log/node_log.h"

static void complain(const char *path, const char *key, const char *text)
{
	char quoted[128];

	sw_escape_terminal(quoted, sizeof(quoted), text);
	sw_node_log("%s: %s: \"%s\" is not valid; the default is used",
		    path, key, quoted);
}

/* The file is read as root, so nobody else may be able to change it. */
static const char *no_events_file(const char *path)
{
	struct stat stat;

	if (path[0] != '/' || strlen(path) >= PATH_MAX)
		return "must be a path that begins with \"/\"";
	if (lstat(path, &stat) < 0)
		return strerror(errno);
	if (!S_ISREG(stat.st_mode) || stat.st_uid != geteuid() ||
	    (stat.st_mode & (S_IWGRP | S_IWOTH)))
		return "must be a file that only root can write";
	return NULL;
}

static void take_events_file(struct sw_node_settings *settings,
			     const char *yaml, const char *path)
{
	const char *why = no_events_file(path);
	char quoted[128];

	sw_escape_terminal(quoted, sizeof(quoted), path);
	if (why)
		sw_node_log("%s: papi_events_file: \"%s\": %s", yaml, quoted,
			    why);
	/* With PAPI's own file, counters would have other formulas. */
	settings->is_events_file_bad = why != NULL;
	if (!why)
		strcpy(settings->events_file, path);
}

static void take_folder(char folder[PATH_MAX], const char *path,
			const char *name, const char *text)
{
	if (text[0] == '/' && strlen(text) < PATH_MAX)
		strcpy(folder, text);
	else
		complain(path, name, text);
}

/* If the value is invalid, choose the most restrictive one. */
static void take_privacy(struct sw_node_settings *settings, const char *path,
			 const char *text)
{
	char quoted[128];

	settings->privacy = sw_privacy_find(text);
	if (settings->privacy < SW_PRIVACY_LEVELS)
		return;
	settings->privacy = SW_PRIVACY_COUNTERS;
	sw_escape_terminal(quoted, sizeof(quoted), text);
	sw_node_log("%s: privacy: \"%s\" is not full, programs or counters; "
		    "only counters are recorded", path, quoted);
}

static void take(struct sw_node_settings *settings, const char *path,
		 const char *name, const char *text)
{
	enum sw_recorder_key key = sw_recorder_key_find(name);

	if (!strcmp(name, "profile_dir")) {
		take_folder(settings->profile_dir, path, name, text);
	} else if (!strcmp(name, "local_scratch")) {
		take_folder(settings->local_scratch, path, name, text);
	} else if (!strcmp(name, "user_history_dir")) {
		take_folder(settings->user_history_dir, path, name, text);
	} else if (!strcmp(name, "papi_events_file")) {
		take_events_file(settings, path, text);
	} else if (!strcmp(name, "privacy")) {
		take_privacy(settings, path, text);
	} else if (!strcmp(name, "late_report")) {
		settings->is_late_report_dropped = !strcmp(text, "drop");
		if (strcmp(text, "drop") != 0 && strcmp(text, "append") != 0)
			complain(path, name, text);
	} else if (key < SW_RECORDER_KEYS &&
		   sw_count_parse(text, sw_recorder_keys[key].min,
				  sw_recorder_keys[key].max,
				  &settings->number[key]) < 0) {
		settings->number[key] = sw_recorder_keys[key].otherwise;
		complain(path, name, text);
	}
}

static void take_names(const struct sw_walk *walk, const char *key,
		       const yaml_node_t *value, char *names)
{
	if (sw_walk_names(walk, value, names, SW_COUNTER_NAMES_SIZE))
		return;
	names[0] = '\0';
	complain(walk->path, key, sw_text(sw_walk_scalar(value)));
}

/* Other keys have their own reader, which reports errors. */
static int take_pair(const struct sw_walk *walk, const yaml_node_t *key,
		     const yaml_node_t *value, const void *context)
{
	struct sw_node_settings *settings = walk->into;
	const char *name = sw_walk_scalar(key);

	(void)context;
	if (name && !strcmp(name, "counters"))
		take_names(walk, name, value, settings->counters);
	else if (name && !strcmp(name, "papi_components"))
		take_names(walk, name, value, settings->components);
	else if (name)
		take(walk->into, walk->path, name,
		     sw_text(sw_walk_scalar(value)));
	return 0;
}

void sw_node_settings_read(struct sw_node_settings *settings,
			   const char *path)
{
	struct sw_error error;
	struct sw_walk walk = { .path = path, .into = settings,
				.error = &error };
	FILE *file = fopen(path, "re");
	size_t i;

	settings->profile_dir[0] = settings->user_history_dir[0] =
		settings->counters[0] = settings->components[0] =
			settings->events_file[0] = '\0';
	strcpy(settings->local_scratch, "/tmp");
	settings->privacy = SW_PRIVACY_FULL;
	settings->is_late_report_dropped = false;
	settings->is_events_file_bad = false;
	for (i = 0; i < SW_RECORDER_KEYS; i++)
		settings->number[i] = sw_recorder_keys[i].otherwise;
	if (!file && errno != ENOENT)
		sw_node_log("%s: %s; the defaults are used", path,
			    strerror(errno));
	if (file && sw_walk_file(&walk, file, take_pair) < 0)
		sw_node_log("%s", error.text);
	if (file)
		fclose(file);
}
