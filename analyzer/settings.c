/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings file stepwell.yaml.  Read as a document tree, which libyaml
 * builds with the line and column of every node.
 */
#include "analyzer/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "analyzer/rule.h"
#include "common/escape.h"
#include "common/recorder_keys.h"
#include "common/units.h"

#define DEFAULT_PATH SYSCONFDIR "/stepwell/stepwell.yaml"

struct override {
	const struct sw_rule *rule;
	size_t index;
	double value;
};

struct sw_settings {
	struct override *overrides;
	size_t count;
	char *profile_dir;	/* NULL: the default */
};

/* What every step of the walk needs. */
struct walk {
	const char *path;
	yaml_document_t *document;
	struct sw_settings *settings;
	struct sw_error *error;
};

static int complain(const struct walk *walk, const yaml_node_t *node,
		    const char *what)
{
	errno = EINVAL;
	return sw_error_set(walk->error,
			    "%s:%zu:%zu: %s; no setting of this file was used",
			    walk->path, node->start_mark.line + 1,
			    node->start_mark.column + 1, what);
}

static int complain_name(const struct walk *walk, const yaml_node_t *node,
			 const char *what)
{
	char text[160], name[80] = "";

	if (node->type == YAML_SCALAR_NODE)
		sw_escape_ascii(name, sizeof(name),
				(const char *)node->data.scalar.value);
	snprintf(text, sizeof(text), "%s \"%s\"", what, name);
	return complain(walk, node, text);
}

static const char *scalar(const yaml_node_t *node)
{
	if (node->type != YAML_SCALAR_NODE)
		return NULL;
	return (const char *)node->data.scalar.value;
}

static bool is_empty(const yaml_node_t *node)
{
	return node->type == YAML_SCALAR_NODE && node->data.scalar.length == 0;
}

typedef int (*pair_f)(const struct walk *walk, const yaml_node_t *key,
		      const yaml_node_t *value, const void *context);

static int each_pair(const struct walk *walk, const yaml_node_t *mapping,
		     pair_f function, const void *context)
{
	const yaml_node_pair_t *pair;

	if (is_empty(mapping))
		return 0;	/* "rules:" with every line a comment */
	if (mapping->type != YAML_MAPPING_NODE)
		return complain(walk, mapping, "expected \"key: value\" lines");
	for (pair = mapping->data.mapping.pairs.start;
	     pair < mapping->data.mapping.pairs.top; pair++) {
		if (function(walk,
			     yaml_document_get_node(walk->document, pair->key),
			     yaml_document_get_node(walk->document,
						    pair->value),
			     context) < 0)
			return -1;
	}
	return 0;
}

static int add(const struct walk *walk, const struct sw_rule *rule,
	       size_t index, double value)
{
	struct sw_settings *settings = walk->settings;
	struct override *grown;

	grown = realloc(settings->overrides,
			(settings->count + 1) * sizeof(*grown));
	if (!grown)
		return sw_error_set(walk->error, "not enough memory");
	settings->overrides = grown;
	grown[settings->count++] = (struct override){ rule, index, value };
	return 0;
}

static int read_threshold(const struct walk *walk, const yaml_node_t *key,
			  const yaml_node_t *value, const void *context)
{
	const struct sw_rule *rule = context;
	const struct sw_rule_setting *setting;
	const char *text = scalar(value);
	char message[128], *end;
	double number;
	size_t i;

	for (i = 0; i < SW_RULE_SETTINGS_MAX && rule->settings[i].key; i++) {
		setting = &rule->settings[i];
		if (!scalar(key) || strcmp(scalar(key), setting->key) != 0)
			continue;
		number = text ? strtod(text, &end) : 0;
		if (!text || end == text || *end != '\0' ||
		    !(number >= setting->min && number <= setting->max)) {
			snprintf(message, sizeof(message),
				 "%s must be a number from %g to %g",
				 setting->key, setting->min, setting->max);
			return complain(walk, value, message);
		}
		return add(walk, rule, i, number);
	}
	return complain_name(walk, key, "unknown setting of this rule");
}

static int read_rule(const struct walk *walk, const yaml_node_t *key,
		     const yaml_node_t *value, const void *context)
{
	const struct sw_rule *rule;

	(void)context;
	rule = scalar(key) ? sw_rule_find(scalar(key)) : NULL;
	if (!rule)
		return complain_name(walk, key, "unknown rule");
	return each_pair(walk, value, read_threshold, rule);
}

static int read_profile_dir(const struct walk *walk, const yaml_node_t *value)
{
	const char *text = scalar(value);

	if (!text || text[0] != '/' || strlen(text) >= PATH_MAX)
		return complain(walk, value, "profile_dir must be a path that "
				"begins with \"/\"");
	free(walk->settings->profile_dir);
	walk->settings->profile_dir = strdup(text);
	if (!walk->settings->profile_dir)
		return sw_error_set(walk->error, "not enough memory");
	return 0;
}

/* The node recorder takes it; here it is only checked. */
static int read_recorder_key(const struct walk *walk, enum sw_recorder_key key,
			     const yaml_node_t *value)
{
	const struct sw_recorder_key_row *row = &sw_recorder_keys[key];
	const char *text = scalar(value);
	uint64_t number;
	char what[160];

	if (text && sw_count_parse(text, row->min, row->max, &number) == 0)
		return 0;
	snprintf(what, sizeof(what), "%s must be a whole number of %llu to "
		 "%llu", row->name, (unsigned long long)row->min,
		 (unsigned long long)row->max);
	return complain(walk, value, what);
}

static int read_section(const struct walk *walk, const yaml_node_t *key,
			const yaml_node_t *value, const void *context)
{
	enum sw_recorder_key number = scalar(key) ?
		sw_recorder_key_find(scalar(key)) : SW_RECORDER_KEYS;

	(void)context;
	if (scalar(key) && !strcmp(scalar(key), "profile_dir"))
		return read_profile_dir(walk, value);
	if (number < SW_RECORDER_KEYS)
		return read_recorder_key(walk, number, value);
	if (!scalar(key) || strcmp(scalar(key), "rules") != 0)
		return complain_name(walk, key, "unknown section");
	return each_pair(walk, value, read_rule, NULL);
}

static int read_document(struct walk *walk)
{
	const yaml_node_t *root;

	root = yaml_document_get_root_node(walk->document);
	return root ? each_pair(walk, root, read_section, NULL) : 0;
}

static int read_stream(struct walk *walk, FILE *file)
{
	yaml_document_t document;
	yaml_parser_t parser;
	int rc = -1;

	if (!yaml_parser_initialize(&parser))
		return sw_error_set(walk->error, "not enough memory");
	yaml_parser_set_input_file(&parser, file);
	if (yaml_parser_load(&parser, &document)) {
		walk->document = &document;
		rc = read_document(walk);
		yaml_document_delete(&document);
	} else {
		errno = EINVAL;
		sw_error_set(walk->error, "%s:%zu:%zu: not YAML (%s); no "
			     "setting of this file was used", walk->path,
			     parser.problem_mark.line + 1,
			     parser.problem_mark.column + 1,
			     parser.problem ? parser.problem : "unreadable");
	}
	yaml_parser_delete(&parser);
	return rc;
}

static const char *choose_path(const char *path, bool *is_optional)
{
	*is_optional = false;
	if (!path)
		path = getenv("STEPWELL_CONF");
	if (path && *path)
		return path;
	*is_optional = true;
	return DEFAULT_PATH;
}

struct sw_settings *sw_settings_load(const char *path, struct sw_error *error)
{
	struct sw_settings *settings = calloc(1, sizeof(*settings));
	struct walk walk = { .settings = settings, .error = error };
	bool is_optional;
	FILE *file;

	if (!settings) {
		sw_error_set(error, "not enough memory");
		return NULL;
	}
	walk.path = choose_path(path, &is_optional);
	file = fopen(walk.path, "re");
	if (!file && is_optional && errno == ENOENT)
		return settings;
	if (!file)
		sw_error_errno(error, "%s: settings not read", walk.path);
	if (!file || read_stream(&walk, file) < 0) {
		sw_settings_free(settings);
		settings = NULL;
	}
	if (file)
		fclose(file);
	return settings;
}

double sw_settings_rule(const struct sw_settings *settings,
			const struct sw_rule *rule, size_t index)
{
	double value = rule->settings[index].value;
	size_t i;

	for (i = 0; settings && i < settings->count; i++) {
		if (settings->overrides[i].rule == rule &&
		    settings->overrides[i].index == index)
			value = settings->overrides[i].value;
	}
	return value;
}

const char *sw_settings_profile_dir(const struct sw_settings *settings)
{
	return settings ? settings->profile_dir : NULL;
}

void sw_settings_free(struct sw_settings *settings)
{
	if (!settings)
		return;
	free(settings->overrides);
	free(settings->profile_dir);
	free(settings);
}
