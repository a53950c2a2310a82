/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages on stderr, and the text style of stdout. */
#include "analyzer/print/messages.h"

#include <langinfo.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/escape.h"
#include "common/find_program.h"
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
	/* Enough for two paths and a reason. */
	char text[2 * PATH_MAX + 512], shown[3 * PATH_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "stepwell: %s\n",
		sw_shown(shown, sizeof(shown), text));
	return (int)exit;
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

static bool is_beside_slurm(void)
{
	char path[PATH_MAX];

	/* Users rarely have /usr/sbin in PATH. */
	return sw_find_program("srun", path) ||
	       access("/usr/sbin/slurmd", X_OK) == 0;
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
		.is_beside_slurm = is_beside_slurm(),
	};
}
