/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the verbs share: complaints, the style of stdout, options. */
#include "analyzer/verb.h"

#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analyzer/store.h"
#include "common/escape.h"
#include "common/units.h"

enum { WIDTH_DEFAULT = 80, WIDTH_MIN = 40, WIDTH_MAX = 160 };

static bool is_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

char *sw_shown(char *buf, size_t size, const char *text)
{
	return is_utf8() ? sw_escape_terminal(buf, size, text) :
			   sw_escape_ascii(buf, size, text);
}

int sw_complain(enum sw_exit exit, const char *format, ...)
{
	/* Two paths and what is wrong with them. */
	char text[2 * PATH_MAX + 512], shown[3 * PATH_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "stepwell: %s\n",
		sw_shown(shown, sizeof(shown), text));
	return (int)exit;
}

int sw_find_profile(const char *what, char *path, size_t size)
{
	struct sw_error error;

	if (sw_store_find(what, path, size, &error) == 0)
		return SW_EXIT_OK;
	return sw_complain(errno == ENOENT ? SW_EXIT_NOTHING_FOUND :
					     SW_EXIT_FAILURE, "%s", error.text);
}

static unsigned width_of_stdout(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t width;

	if (columns && sw_count_parse(columns, 1, 100000, &width) == 0)
		;
	else if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
		width = size.ws_col;
	else
		width = WIDTH_DEFAULT;
	if (width < WIDTH_MIN)
		return WIDTH_MIN;
	return width > WIDTH_MAX ? WIDTH_MAX : (unsigned)width;
}

struct sw_report_style sw_style_of_stdout(void)
{
	const char *no_color = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	return (struct sw_report_style){
		.width = width_of_stdout(),
		.has_color = isatty(STDOUT_FILENO) &&
			     !(no_color && *no_color) &&
			     !(terminal && !strcmp(terminal, "dumb")),
		.is_utf8 = is_utf8(),
	};
}

static int set_option(const struct sw_option *options, const char *verb,
		      const char *given)
{
	const struct sw_option *option;

	for (option = options; option->name; option++) {
		if (!strcmp(given + 2, option->name)) {
			*option->is_given = true;
			return 0;
		}
	}
	sw_complain(SW_EXIT_USAGE, "%s: unknown option \"%s\"; "
		    "\"stepwell --help\" lists what there is", verb, given);
	return -1;
}

/* The words it took: 1, 2 with a value of its own, 0: no such; -1: none. */
static int set_value(const struct sw_value_option *option, const char *verb,
		     char *const *given, int left)
{
	const char *name = *given + 2;
	size_t length = strcspn(name, "=");

	for (; option && option->name; option++) {
		if (strlen(option->name) != length ||
		    strncmp(name, option->name, length) != 0)
			continue;
		if (name[length] == '=') {
			*option->value = name + length + 1;
			return 1;
		}
		if (left < 2) {
			sw_complain(SW_EXIT_USAGE, "%s: --%s wants a value",
				    verb, option->name);
			return -1;
		}
		*option->value = given[1];
		return 2;
	}
	return 0;
}

int sw_options_parse(int argc, char **argv, const struct sw_option *options)
{
	return sw_options_parse_values(argc, argv, options, NULL);
}

int sw_options_parse_values(int argc, char **argv,
			    const struct sw_option *options,
			    const struct sw_value_option *values)
{
	int i, kept = argc, taken;

	/* Options may stand behind operands; move operands to the end. */
	for (i = 1; i < kept;) {
		char *word = argv[i];

		if (!strcmp(word, "--"))
			break;
		if (word[0] != '-' || word[1] == '\0') {
			memmove(&argv[i], &argv[i + 1],
				(size_t)(argc - i - 1) * sizeof(*argv));
			argv[argc - 1] = word;
			kept--;
			continue;
		}
		if (word[1] != '-') {
			sw_complain(SW_EXIT_USAGE, "%s: unknown option \"%s\"",
				    argv[0], word);
			return -1;
		}
		taken = set_value(values, argv[0], &argv[i], kept - i);
		if (taken < 0 ||
		    (!taken && set_option(options, argv[0], word) < 0))
			return -1;
		i += taken ? taken : 1;
	}
	if (i < argc && !strcmp(argv[i], "--"))
		i++;
	return i;
}
