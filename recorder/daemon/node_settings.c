/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the node's recorder takes from stepwell.yaml. */
#include "recorder/daemon/node_settings.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/escape.h"
#include "common/units.h"
#include "recorder/log/node_log.h"

static void complain(const char *path, const char *key, const char *text)
{
	char quoted[128];

	sw_escape_terminal(quoted, sizeof(quoted), text);
	sw_node_log("%s: %s: \"%s\" is not valid; the default is used",
		    path, key, quoted);
}

static void take(struct sw_node_settings *settings, const char *path,
		 const char *name, const char *text)
{
	enum sw_recorder_key key = sw_recorder_key_find(name);

	if (!strcmp(name, "profile_dir")) {
		if (text[0] == '/' &&
		    strlen(text) < sizeof(settings->profile_dir))
			strcpy(settings->profile_dir, text);
		else
			complain(path, name, text);
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

/* Without blanks around it, quotes, and a comment behind it; in place. */
static char *trim(char *text)
{
	char *end, *comment = strstr(text, " #");

	if (comment)
		*comment = '\0';
	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	if (end > text + 1 && (*text == '"' || *text == '\'') &&
	    end[-1] == *text) {
		end[-1] = '\0';
		text++;
	}
	return text;
}

void sw_node_settings_read(struct sw_node_settings *settings,
			   const char *path)
{
	FILE *file = fopen(path, "re");
	char line[PATH_MAX + 256], *colon;
	size_t i;

	settings->profile_dir[0] = '\0';
	settings->is_late_report_dropped = false;
	for (i = 0; i < SW_RECORDER_KEYS; i++)
		settings->number[i] = sw_recorder_keys[i].otherwise;
	while (file && fgets(line, sizeof(line), file)) {
		colon = strchr(line, ':');
		if (!colon || !isalpha((unsigned char)line[0]))
			continue;
		*colon = '\0';
		take(settings, path, line, trim(colon + 1));
	}
	if (file ? ferror(file) : errno != ENOENT)
		sw_node_log("%s: %s; the defaults are used", path,
			    strerror(errno));
	if (file)
		fclose(file);
}
