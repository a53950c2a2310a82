/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command `stepwell`: picks a verb, nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/verbs/verb.h"
#include "config.h"

static int today(void)
{
	char *argv[] = { "list", "--today", NULL };
	int status = sw_verb_list.run(2, argv);

	if (status == SW_EXIT_OK || status == SW_EXIT_NOTHING_FOUND)
		fputs("\"stepwell run -- COMMAND\" records a command, "
		      "\"stepwell report\" shows the newest\n"
		      "recording, \"stepwell --help\" the rest.\n", stderr);
	return status == SW_EXIT_NOTHING_FOUND ? SW_EXIT_OK : status;
}

static bool is_option(const char *word, const char *letter, const char *name)
{
	/* "help" and "version" are verbs as well. */
	return !strcmp(word, letter) || !strcmp(word, name) ||
	       !strcmp(word, name + 2);
}

static int complain_verb(const char *word)
{
	const char *similar = sw_verb_similar(word);

	return sw_complain(SW_EXIT_USAGE, "unknown %s \"%s\"%s%s%s; see "
			   "\"stepwell --help\"",
			   word[0] == '-' ? "option" : "verb", word,
			   similar ? " (did you mean \"" : "",
			   sw_text(similar), similar ? "\"?)" : "");
}

/* "stepwell help", or "stepwell help VERB". */
static int help(const char *name)
{
	const struct sw_verb *verb = name ? sw_verb_find(name) : NULL;
	char word[32], option[] = "--help", *argv[] = { word, option, NULL };

	if (name && !verb)
		return complain_verb(name);
	if (!verb) {
		sw_verbs_print_help();
		return SW_EXIT_OK;
	}
	snprintf(word, sizeof(word), "%s", name);
	return verb->run(2, argv);
}

static int dispatch(int argc, char **argv)
{
	const struct sw_verb *verb;

	if (argc < 2)
		return today();
	if (is_option(argv[1], "-h", "--help"))
		return help(argv[2]);
	if (is_option(argv[1], "-V", "--version")) {
		puts(PACKAGE_STRING);
		return SW_EXIT_OK;
	}
	verb = sw_verb_find(argv[1]);
	return verb ? verb->run(argc - 1, argv + 1) : complain_verb(argv[1]);
}

/*
 * A file that is opened must not become standard output.  With O_CLOEXEC the
 * command of "run" still finds closed what was closed, and writing to what is
 * open for reading fails as it should.
 */
static void occupy_closed_streams(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", O_RDONLY | O_CLOEXEC);
	}
}

int main(int argc, char **argv)
{
	int status;

	setlocale(LC_CTYPE, "");
	occupy_closed_streams();
	status = dispatch(argc, argv);
	/* A full disk or a closed stream must not look like success. */
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout))
		return sw_complain(SW_EXIT_FAILURE, "cannot write standard "
				   "output: %s; the output is incomplete",
				   errno ? strerror(errno) : "write error");
	return status;
}
