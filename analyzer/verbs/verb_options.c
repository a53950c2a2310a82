/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of a verb: parsed, and printed as its help, from the same tables,
 * so that neither has one that the other lacks.
 */
#include <stdio.h>
#include <string.h>

#include "analyzer/print/paragraph.h"
#include "analyzer/print/similar.h"
#include "analyzer/verbs/verb.h"

enum { WORD_SIZE = 64, HELP_COLUMN = 28, NAMES_MAX = 32 };

/* What one verb takes; either table may be NULL. */
struct tables {
	const struct sw_verb *verb;
	const struct sw_option *options;
	const struct sw_value_option *values;
};

static void print_option(const char *words, const char *help,
			 const struct sw_report_style *style)
{
	char first[HELP_COLUMN + WORD_SIZE], indent[HELP_COLUMN + 1];

	snprintf(indent, sizeof(indent), "%*s", HELP_COLUMN, "");
	if (strlen(words) + 4 > HELP_COLUMN) {
		printf("  %s\n", words);
		snprintf(first, sizeof(first), "%s", indent);
	} else {
		snprintf(first, sizeof(first), "  %-*s", HELP_COLUMN - 2,
			 words);
	}
	sw_paragraph_print(stdout, help, first, indent, style);
}

static void print_options(const struct tables *tables,
			  const struct sw_report_style *style)
{
	const struct sw_value_option *value = tables->values;
	const struct sw_option *option = tables->options;
	char words[WORD_SIZE];

	for (; value && value->name; value++) {
		snprintf(words, sizeof(words), "--%s %s", value->name,
			 value->placeholder);
		if (value->help)
			print_option(words, value->help, style);
	}
	for (; option && option->name; option++) {
		snprintf(words, sizeof(words), "--%s", option->name);
		if (option->help)
			print_option(words, option->help, style);
	}
	print_option("-h, --help", "show this", style);
}

static void print_help(const struct tables *tables)
{
	const struct sw_report_style style = sw_style_of_stdout();
	const struct sw_verb *verb = tables->verb;

	printf("usage: stepwell %s %s\n\n", verb->name, verb->usage);
	sw_paragraph_print(stdout, verb->help, "", "", &style);
	puts("\nOptions:");
	print_options(tables, &style);
	printf("\nManual: %s\n", verb->manual ? verb->manual : "stepwell(1)");
}

static int complain_unknown(const struct tables *tables, const char *given)
{
	const struct sw_value_option *value = tables->values;
	const struct sw_option *option = tables->options;
	const char *names[NAMES_MAX], *similar;
	size_t count = 0;

	for (; value && value->name && count < NAMES_MAX; value++)
		names[count++] = value->name;
	for (; option && option->name && count < NAMES_MAX; option++)
		names[count++] = option->name;
	similar = sw_similar(given + strspn(given, "-"), names, count);
	sw_complain(SW_EXIT_USAGE,
		    "%s: unknown option \"%s\"%s%s%s; "
		    "\"stepwell %s --help\" lists the options",
		    tables->verb->name, given,
		    similar ? " (did you mean \"--" : "",
		    sw_text(similar), similar ? "\"?)" : "",
		    tables->verb->name);
	return SW_OPTIONS_WRONG;
}

static bool is_named(const char *given, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(given, "--", 2) && !strncmp(given + 2, name, length) &&
	       (given[2 + length] == '\0' || given[2 + length] == '=');
}

/* The words it took: 0 if there is no such option, else 1; -1: wrong. */
static int take_option(const struct tables *tables, const char *given)
{
	const struct sw_option *option = tables->options;

	for (; option && option->name; option++) {
		if (!is_named(given, option->name))
			continue;
		if (strchr(given, '=')) {
			sw_complain(SW_EXIT_USAGE, "%s: --%s takes no value",
				    tables->verb->name, option->name);
			return -1;
		}
		*option->is_given = true;
		return 1;
	}
	return 0;
}

/* As above; 2 with a value in a word of its own. */
static int take_value(const struct tables *tables, char *const *given, int left)
{
	const struct sw_value_option *value = tables->values;
	const char *equals = strchr(*given, '=');

	for (; value && value->name; value++) {
		if (!is_named(*given, value->name))
			continue;
		if (equals) {
			*value->value = equals + 1;
			return 1;
		}
		if (left < 2) {
			sw_complain(SW_EXIT_USAGE,
				    "%s: --%s needs a value "
				    "(%s)",
				    tables->verb->name, value->name,
				    value->placeholder);
			return -1;
		}
		*value->value = given[1];
		return 2;
	}
	return 0;
}

static int take(const struct tables *tables, char *const *given, int left)
{
	int taken = take_value(tables, given, left);

	if (taken == 0)
		taken = take_option(tables, *given);
	if (taken == 0)
		return complain_unknown(tables, *given);
	return taken < 0 ? SW_OPTIONS_WRONG : taken;
}

int sw_options_parse(const struct sw_verb *verb, int argc, char **argv,
		     const struct sw_option *options,
		     const struct sw_value_option *values)
{
	const struct tables tables = {verb, options, values};
	int i, kept = argc, taken;

	/* Options may stand behind operands; move operands to the end. */
	for (i = 1; i < kept; i += taken) {
		char *word = argv[i];

		taken = 0;
		if (!strcmp(word, "--"))
			break;
		if (word[0] != '-' || word[1] == '\0') {
			memmove(&argv[i], &argv[i + 1],
				(size_t)(argc - i - 1) * sizeof(*argv));
			argv[argc - 1] = word;
			kept--;
			continue;
		}
		if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
			print_help(&tables);
			return SW_OPTIONS_HELP;
		}
		taken = take(&tables, &argv[i], kept - i);
		if (taken < 0)
			return taken;
	}
	if (i < argc && !strcmp(argv[i], "--"))
		i++;
	return i;
}

enum sw_exit sw_options_exit(int parsed)
{
	return parsed == SW_OPTIONS_HELP ? SW_EXIT_OK : SW_EXIT_USAGE;
}
