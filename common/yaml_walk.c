/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse stepwell.yaml as a tree. */
#include "common/yaml_walk.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/escape.h"
#include "common/grow.h"

enum { DEPTH_MAX = 100, SIZE_MAX_BYTES = 1 << 20 };

int sw_walk_complain(const struct sw_walk *walk, const yaml_node_t *node,
		    const char *what)
{
	errno = EINVAL;
	return sw_error_set(walk->error,
			    "%s:%zu:%zu: %s; no setting of this file was used",
			    walk->path, node->start_mark.line + 1,
			    node->start_mark.column + 1, what);
}

int sw_walk_complain_name(const struct sw_walk *walk, const yaml_node_t *node,
			 const char *what)
{
	char text[160], name[80] = "";

	if (node->type == YAML_SCALAR_NODE)
		sw_escape_ascii(name, sizeof(name),
				(const char *)node->data.scalar.value);
	snprintf(text, sizeof(text), "%s \"%s\"", what, name);
	return sw_walk_complain(walk, node, text);
}

const char *sw_walk_scalar(const yaml_node_t *node)
{
	if (node->type != YAML_SCALAR_NODE)
		return NULL;
	return (const char *)node->data.scalar.value;
}

static bool is_empty(const yaml_node_t *node)
{
	return node->type == YAML_SCALAR_NODE && node->data.scalar.length == 0;
}

int sw_walk_pairs(const struct sw_walk *walk, const yaml_node_t *mapping,
		     sw_walk_pair_f function, const void *context)
{
	const yaml_node_pair_t *pair;

	if (is_empty(mapping))
		return 0;	/* "rules:" with all lines commented out */
	if (mapping->type != YAML_MAPPING_NODE)
		return sw_walk_complain(walk, mapping,
					"expected \"key: value\" lines");
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

int sw_walk_real(const struct sw_walk *walk, const char *key,
		 const yaml_node_t *value, double min, double max,
		 double *number)
{
	const char *text = sw_walk_scalar(value);
	char message[128], *end;

	*number = text ? strtod(text, &end) : 0;
	if (text && end != text && *end == '\0' && *number >= min &&
	    *number <= max)
		return 0;
	snprintf(message, sizeof(message), "%s must be a number from %g to %g",
		 key, min, max);
	return sw_walk_complain(walk, value, message);
}

int sw_walk_number(const struct sw_walk *walk, const yaml_node_t *key,
		   const yaml_node_t *value,
		   const struct sw_walk_number *table, void *into)
{
	const char *name = sw_walk_scalar(key);
	double number;

	for (; name && table->key; table++) {
		if (strcmp(name, table->key) != 0)
			continue;
		if (sw_walk_real(walk, name, value, table->min, table->max,
				 &number) < 0)
			return -1;
		number *= table->scale;
		memcpy((char *)into + table->offset, &number, sizeof(number));
		return 1;
	}
	return 0;
}

int sw_walk_path(const struct sw_walk *walk, const char *key,
		 const yaml_node_t *value, char **path)
{
	const char *text = sw_walk_scalar(value);
	char message[128];

	if (!text || text[0] != '/' || strlen(text) >= PATH_MAX) {
		snprintf(message, sizeof(message), "%s must be a path that "
			 "begins with \"/\"", key);
		return sw_walk_complain(walk, value, message);
	}
	free(*path);
	*path = strdup(text);
	return *path ? 0 : sw_error_set(walk->error, "not enough memory");
}

static int add_path(const struct sw_walk *walk, const char *key,
		    const yaml_node_t *value, char ***paths, size_t *count)
{
	if (sw_grow(paths, *count, sizeof(**paths)) < 0)
		return sw_error_set(walk->error, "not enough memory");
	(*paths)[*count] = NULL;
	if (sw_walk_path(walk, key, value, &(*paths)[*count]) < 0)
		return -1;
	++*count;
	return 0;
}

int sw_walk_paths(const struct sw_walk *walk, const char *key,
		  const yaml_node_t *value, char ***paths, size_t *count)
{
	const yaml_node_item_t *item;
	int rc = 0;

	if (value->type != YAML_SEQUENCE_NODE)
		return add_path(walk, key, value, paths, count);
	item = value->data.sequence.items.start;
	if (item == value->data.sequence.items.top)
		return add_path(walk, key, value, paths, count);
	for (; rc == 0 && item < value->data.sequence.items.top; item++)
		rc = add_path(walk, key,
			      yaml_document_get_node(walk->document, *item),
			      paths, count);
	return rc;
}

int sw_walk_bool(const struct sw_walk *walk, const char *key,
		 const yaml_node_t *value, bool *is_on)
{
	static const char *const words[] = { "no", "yes", "false", "true",
					     "off", "on" };
	const char *text = sw_walk_scalar(value);
	char message[128];
	size_t i;

	for (i = 0; text && i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcmp(text, words[i])) {
			*is_on = i % 2;
			return 0;
		}
	}
	snprintf(message, sizeof(message), "%s must be yes or no", key);
	return sw_walk_complain(walk, value, message);
}

static bool add_name(const yaml_node_t *node, char *names, size_t size)
{
	const char *text = sw_walk_scalar(node);
	size_t length = strlen(names);

	if (!text || length + strlen(text) + 2 > size)
		return false;
	snprintf(names + length, size - length, "%s%s", length ? "," : "",
		 text);
	return true;
}

bool sw_walk_names(const struct sw_walk *walk, const yaml_node_t *value,
		   char *names, size_t size)
{
	const yaml_node_item_t *item;

	names[0] = '\0';
	if (value->type != YAML_SEQUENCE_NODE)
		return add_name(value, names, size);
	for (item = value->data.sequence.items.start;
	     item < value->data.sequence.items.top; item++) {
		if (!add_name(yaml_document_get_node(walk->document, *item),
			      names, size))
			return false;
	}
	return true;
}

/*
 * Is the nesting deeper than any setting needs?  libyaml's time is quadratic in
 * it.  Characters in quotes count, too; there are never so many.
 */
static bool is_too_deep(const char *text, size_t size)
{
	size_t depth = 0, dashes = 0, i;

	for (i = 0; i < size && depth <= DEPTH_MAX && dashes <= DEPTH_MAX;
	     i++) {
		if (text[i] == '{' || text[i] == '[')
			depth++;
		else if ((text[i] == '}' || text[i] == ']') && depth)
			depth--;
		else if (text[i] == '#' && (i == 0 || isspace((unsigned char)
							text[i - 1])))
			i += strcspn(text + i, "\n") - 1;
		else if (text[i] == '\n')
			dashes = 0;
		/* "- - -", "? ? ?" and ": : :" on one line. */
		else if (strchr("-?:", text[i]) && i + 1 < size &&
			 strchr(" \t", text[i + 1]))
			dashes++;
	}
	return depth > DEPTH_MAX || dashes > DEPTH_MAX;
}

static int walk_document(struct sw_walk *walk, sw_walk_pair_f function)
{
	const yaml_node_t *root = yaml_document_get_root_node(walk->document);

	return root ? sw_walk_pairs(walk, root, function, NULL) : 0;
}

static int parse(struct sw_walk *walk, const char *text, size_t size,
		 sw_walk_pair_f function)
{
	yaml_document_t document;
	yaml_parser_t parser;
	int rc = -1;

	if (!yaml_parser_initialize(&parser))
		return sw_error_set(walk->error, "not enough memory");
	yaml_parser_set_input_string(&parser, (const unsigned char *)text,
				     size);
	if (yaml_parser_load(&parser, &document)) {
		walk->document = &document;
		rc = walk_document(walk, function);
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

int sw_walk_file(struct sw_walk *walk, FILE *file, sw_walk_pair_f function)
{
	char *text = malloc(SIZE_MAX_BYTES + 1);
	size_t size = text ? fread(text, 1, SIZE_MAX_BYTES + 1, file) : 0;
	int rc = -1;

	if (text && size <= SIZE_MAX_BYTES)
		text[size] = '\0';
	errno = EINVAL;
	if (!text)
		sw_error_set(walk->error, "not enough memory");
	else if (ferror(file))
		sw_error_set(walk->error, "%s: cannot be read; no setting of "
			     "this file was used", walk->path);
	else if (size > SIZE_MAX_BYTES)
		sw_error_set(walk->error, "%s: larger than 1 MiB; no setting "
			     "of this file was used", walk->path);
	else if (is_too_deep(text, size))
		sw_error_set(walk->error, "%s: nested deeper than %d levels; "
			     "no setting of this file was used", walk->path,
			     DEPTH_MAX);
	else
		rc = parse(walk, text, size, function);
	free(text);
	return rc;
}
