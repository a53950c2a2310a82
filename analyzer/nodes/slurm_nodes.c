/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parse lines like "NodeName=n1 ... CPUTot=16 ... OS=Linux 6.1 ... Reason=no
 * fan": some values contain spaces, so words without "=" belong to the previous
 * one, and the first occurrence of each key counts.
 */
#include "analyzer/nodes/slurm_nodes.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyzer/accounting/sacct_child.h"
#include "common/grow.h"
#include "common/missing.h"
#include "common/units.h"

enum { WAIT_SECONDS = 60, OUTPUT_BYTES_MAX = 256 << 20 };

/* Return the value of a key; NULL for any other word. */
static char *value_of(char *word, const char *key)
{
	size_t length = strlen(key);

	if (strncmp(word, key, length) != 0 || word[length] != '=')
		return NULL;
	return strcmp(word + length + 1, "(null)") ? word + length + 1 : NULL;
}

static void put_text(const char **to, char *word, const char *key)
{
	const char *value = value_of(word, key);

	if (value && !**to)
		*to = value;
}

static void put_number(double *to, char *word, const char *key)
{
	const char *value = value_of(word, key);
	uint64_t number;

	if (value && isnan(*to) &&
	    sw_count_parse(value, 1, UINT64_MAX / 2, &number) == 0)
		*to = (double)number;
}

/* Identical GPUs of a node */
struct gpus {
	const char *model; /* "a100", not NUL-terminated; may be empty */
	size_t length;
	double count;
};

/* Parse "gpu:a100:4(S:0-1)", "gpu:4", "gpu:a100", "gpu"; the count defaults to
 * 1. */
static bool read_gpus(struct gpus *gpus, const char *text, size_t length)
{
	const char *bracket = memchr(text, '(', length);
	size_t end = bracket ? (size_t)(bracket - text) : length, digits = end;

	if (end < 3 || strncmp(text, "gpu", 3) != 0 ||
	    (end > 3 && text[3] != ':'))
		return false;
	while (digits > 0 && isdigit((unsigned char)text[digits - 1]))
		digits--;
	gpus->count = 1;
	if (digits < end && text[digits - 1] == ':') {
		gpus->count = strtod(text + digits, NULL);
		end = digits - 1;
	}
	gpus->model = text + (end > 3 ? 4 : 3);
	gpus->length = end > 4 ? end - 4 : 0;
	return true;
}

/* Parse the next item of "gpu:a100:4(S:0,1),craynetwork:4"; commas in brackets
 * do not separate items. */
static bool next_gpus(struct gpus *gpus, const char **gres)
{
	bool is_one = false;

	while (!is_one && **gres) {
		size_t length = 0, depth = 0;
		const char *text = *gres;

		for (; text[length] && (depth || text[length] != ','); length++) {
			depth += text[length] == '(';
			depth -= depth && text[length] == ')';
		}
		is_one = read_gpus(gpus, text, length);
		*gres += length + (text[length] == ',');
	}
	return is_one;
}

/* Count the GPUs of a model; NULL: of all. */
static double count_gpus(const char *gres, const struct gpus *model)
{
	struct gpus gpus;
	double count = 0;

	while (next_gpus(&gpus, &gres)) {
		if (!model || (gpus.length == model->length &&
			       !strncasecmp(gpus.model, model->model,
					    gpus.length)))
			count += gpus.count;
	}
	return count;
}

bool sw_slurm_nodes_have_same_gpus(const struct sw_slurm_node *one,
				   const struct sw_slurm_node *other)
{
	const char *gres = one->gres;
	struct gpus gpus;

	if (count_gpus(one->gres, NULL) != count_gpus(other->gres, NULL))
		return false;
	while (next_gpus(&gpus, &gres)) {
		if (count_gpus(one->gres, &gpus) !=
		    count_gpus(other->gres, &gpus))
			return false;
	}
	return true;
}

static void put_word(struct sw_slurm_node *node, char *word)
{
	put_text(&node->name, word, "NodeName");
	put_text(&node->instance_type, word, "InstanceType");
	put_text(&node->features, word, "ActiveFeatures");
	put_text(&node->gres, word, "Gres");
	put_number(&node->cpus, word, "CPUEfctv");
	put_number(&node->memory_mib, word, "RealMemory");
}

/* Specialized CPUs are not available to jobs. */
static void put_line(struct sw_slurm_node *node, char *line)
{
	double all = NAN;
	char *word, *rest = NULL;

	*node = (struct sw_slurm_node){
		.name = "",
		.instance_type = "",
		.features = "",
		.gres = "",
		.cpus = NAN,
		.memory_mib = NAN,
		.gpus = NAN,
	};
	for (word = strtok_r(line, " \t\r", &rest); word;
	     word = strtok_r(NULL, " \t\r", &rest)) {
		put_word(node, word);
		put_number(&all, word, "CPUTot");
	}
	if (isnan(node->cpus))
		node->cpus = all;
	if (*node->gres)
		node->gpus = count_gpus(node->gres, NULL);
}

/*
 * Takes ownership of text, from malloc(); lines without a node name are
 * ignored.  Return 0, or -1 (errno ENOMEM).
 */
static int parse(struct sw_slurm_nodes *nodes, char *text)
{
	char *line, *rest = NULL;

	*nodes = (struct sw_slurm_nodes){ .text = text };
	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (sw_grow(&nodes->items, nodes->count,
			    sizeof(*nodes->items)) < 0) {
			sw_slurm_nodes_fini(nodes);
			return -1;
		}
		put_line(&nodes->items[nodes->count], line);
		nodes->count += *nodes->items[nodes->count].name != '\0';
	}
	return 0;
}

int sw_slurm_nodes_ask(struct sw_slurm_nodes *nodes, struct sw_error *error)
{
	static const char *const argv[] = { "scontrol", "show", "node", "-o",
					    NULL };
	const struct sw_sacct_call call = {
		.argv = argv,
		.wait_seconds = WAIT_SECONDS,
		.output_bytes_max = OUTPUT_BYTES_MAX,
	};
	char *text = sw_sacct_run(&call, error);

	*nodes = (struct sw_slurm_nodes){ 0 };
	if (!text)
		return -1;
	return parse(nodes, text) == 0
		       ? 0
		       : sw_error_errno(error, "the answer of scontrol");
}

void sw_slurm_nodes_fini(struct sw_slurm_nodes *nodes)
{
	free(nodes->items);
	free(nodes->text);
	*nodes = (struct sw_slurm_nodes){ 0 };
}

bool sw_slurm_node_has_feature(const struct sw_slurm_node *node,
			       const char *feature)
{
	size_t length = strlen(feature);
	const char *at = node->features;

	while (*at) {
		size_t word = strcspn(at, ",");

		if (word == length && !strncmp(at, feature, length))
			return true;
		at += word + (at[word] == ',');
	}
	return false;
}

/*
 * "r6i.8xlarge": letters and digits, one dot, and at least one letter after it,
 * unlike in "el8.6".
 */
static bool looks_like_type(const char *text, size_t length)
{
	size_t i, dots = 0, letters = 0;

	if (!length || !islower((unsigned char)text[0]))
		return false;
	for (i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		dots += c == '.';
		letters += dots && islower(c);
		if (!islower(c) && !isdigit(c) && c != '.' && c != '-')
			return false;
	}
	return dots == 1 && letters;
}

const char *sw_slurm_node_type(const struct sw_slurm_node *node, size_t *length)
{
	const char *at = node->features;

	*length = strlen(node->instance_type);
	if (*length)
		return node->instance_type;
	for (; *at; at += *length + (at[*length] == ',')) {
		*length = strcspn(at, ",");
		if (looks_like_type(at, *length))
			return at;
	}
	return NULL;
}
