/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command `stepwell`: picks a verb, nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/verb.h"
#include "config.h"

static const struct sw_verb *const verbs[] = {
	&sw_verb_run,  &sw_verb_report, &sw_verb_list, &sw_verb_explain,
	&sw_verb_import, &sw_verb_dump, &sw_verb_verify, &sw_verb_doctor,
	&sw_verb_suggest, &sw_verb_backtest, NULL,
};

static void print_help(void)
{
	const struct sw_verb *const *verb;

	puts("usage: stepwell VERB [OPTION]... [ARGUMENT]...\n\n"
	     "Records what a command did with what it asked for, and says it "
	     "in plain sentences.\n");
	for (verb = verbs; *verb; verb++)
		printf("  %-8s %s\n           stepwell %s %s\n", (*verb)->name,
		       (*verb)->help, (*verb)->name, (*verb)->usage);
	puts("\n  --help, --version\n\n"
	     "Exit status: 0 ok, 1 failure, 2 usage, 3 nothing found, 4 "
	     "partial, 10 findings\nwith --exit-code.  See stepwell(1).");
}

static int print_verb_help(const struct sw_verb *verb)
{
	printf("usage: stepwell %s %s\n\n%s.  See stepwell(1).\n", verb->name,
	       verb->usage, verb->help);
	return SW_EXIT_OK;
}

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

static int dispatch(int argc, char **argv)
{
	const struct sw_verb *const *verb;

	if (argc < 2)
		return today();
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
		print_help();
		return SW_EXIT_OK;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "version")) {
		puts(PACKAGE_STRING);
		return SW_EXIT_OK;
	}
	for (verb = verbs; *verb; verb++) {
		if (strcmp(argv[1], (*verb)->name) != 0)
			continue;
		if (argc > 2 && !strcmp(argv[2], "--help"))
			return print_verb_help(*verb);
		return (*verb)->run(argc - 1, argv + 1);
	}
	return sw_complain(SW_EXIT_USAGE, "unknown %s \"%s\"; "
			   "\"stepwell --help\" lists them",
			   argv[1][0] == '-' ? "option" : "verb", argv[1]);
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
		return sw_complain(SW_EXIT_FAILURE, "standard output: %s, so "
				   "the output is incomplete",
				   errno ? strerror(errno) : "write error");
	return status;
}
