/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of a verb: parsed, and printed as its help, from the same table, so
 * that the two never differ.
 */
#include <stdio.h>
#include <string.h>

#include "analyzer/print/paragraph.h"
#include "analyzer/print/similar.h"
#include "analyzer/verbs/verb.h"

enum { WORD_SIZE = 64, HELP_COLUMN = 28, NAMES_MAX = 32 };

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

static void print_help(const struct sw_verb *verb,
		       const struct sw_option *option)
{
	const struct sw_report_style style = sw_style_of_stdout();
	char words[WORD_SIZE];

	printf("usage: stepwell %s %s\n\n", verb->name, verb->usage);
	sw_paragraph_print(stdout, verb->help, "", "", &style);
	puts("\nOptions:");
	for (; option->name; option++) {
		snprintf(words, sizeof(words), "--%s", option->name);
		if (strchr(words, '='))
			*strchr(words, '=') = ' ';
		if (option->help)
			print_option(words, option->help, &style);
	}
	print_option("-h, --help", "show this", &style);
	printf("\nManual: %s\n", verb->manual ? verb->manual : "stepwell(1)");
}

static size_t name_length(const struct sw_option *option)
{
	return strcspn(option->name, "=");
}

static int complain_unknown(const struct sw_verb *verb,
			    const struct sw_option *option, const char *given)
{
	char names[NAMES_MAX][WORD_SIZE];
	const char *words[NAMES_MAX], *similar;
	size_t count = 0;

	for (; option->name && count < NAMES_MAX; option++, count++) {
		snprintf(names[count], WORD_SIZE, "%.*s",
			 (int)name_length(option), option->name);
		words[count] = names[count];
	}
	similar = sw_similar(given + strspn(given, "-"), words, count);
	sw_complain(SW_EXIT_USAGE, "%s: unknown option \"%s\"%s%s%s; "
		    "\"stepwell %s --help\" lists the options", verb->name,
		    given, similar ? " (did you mean \"--" : "",
		    similar ? similar : "", similar ? "\"?)" : "", verb->name);
	return SW_OPTIONS_WRONG;
}

static bool is_named(const char *given, const struct sw_option *option)
{
	size_t length = name_length(option);

	return !strncmp(given, "--", 2) &&
	       !strncmp(given + 2, option->name, length) &&
	       (given[2 + length] == '\0' || given[2 + length] == '=');
}

static int complain_of_value(const struct sw_verb *verb,
			     const struct sw_option *option)
{
	int length = (int)name_length(option);

	if (option->is_given)
		sw_complain(SW_EXIT_USAGE, "%s: --%s takes no value",
			    verb->name, option->name);
	else
		sw_complain(SW_EXIT_USAGE, "%s: --%.*s needs a value (%s)",
			    verb->name, length, option->name,
			    option->name + length + 1);
	return SW_OPTIONS_WRONG;
}

/* Return the number of words used: 2 if the value is a separate word. */
static int take(const struct sw_verb *verb, const struct sw_option *option,
		char *const *given, int left)
{
	const struct sw_option *const all = option;
	const char *equals = strchr(*given, '=');

	while (option->name && !is_named(*given, option))
		option++;
	if (!option->name)
		return complain_unknown(verb, all, *given);
	if (option->is_given ? equals != NULL : !equals && left < 2)
		return complain_of_value(verb, option);
	if (option->is_given)
		*option->is_given = true;
	else
		*option->value = equals ? equals + 1 : given[1];
	return option->is_given || equals ? 1 : 2;
}

int sw_options_parse(const struct sw_verb *verb, int argc, char **argv,
		     const struct sw_option *options)
{
	int i, kept = argc, taken;

	/* Options may follow operands; move operands to the end. */
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
			print_help(verb, options);
			return SW_OPTIONS_HELP;
		}
		taken = take(verb, options, &argv[i], kept - i);
		if (taken < 0)
			return taken;
	}
	if (i < argc && !strcmp(argv[i], "--"))
		i++;
	return i;
}

int sw_options_exit(int parsed)
{
	return parsed == SW_OPTIONS_HELP ? SW_EXIT_OK : SW_EXIT_USAGE;
}
