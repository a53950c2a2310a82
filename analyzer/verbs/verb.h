/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract for verbs of the command: one file (verb_*.c) and one row in
 * verbs.c.  stdout is for data, stderr for messages.
 */
#ifndef SW_ANALYZER_VERB_H
#define SW_ANALYZER_VERB_H

#include "analyzer/print/messages.h"
#include "analyzer/report/report.h"

struct sw_verb {
	const char *name;
	const char *usage;	/* arguments after the name */
	const char *help;	/* one sentence */
	const char *manual;	/* NULL: stepwell(1) */
	/* argv[0] is the name of the verb. */
	int (*run)(int argc, char **argv);
};

extern const struct sw_verb sw_verb_run, sw_verb_list, sw_verb_report,
	sw_verb_import,
	sw_verb_diff, sw_verb_explain, sw_verb_dump, sw_verb_verify, sw_verb_doctor,
	sw_verb_suggest, sw_verb_backtest, sw_verb_rm,
	sw_verb_sweep, sw_verb_merge;

/* Return the path of this executable, to run it again.  0, or -1 (errno). */
int sw_verb_own_path(char *path, size_t size);

/* Return NULL if there is no such verb. */
const struct sw_verb *sw_verb_find(const char *name);

/* The verb with the most similar name, or NULL. */
const char *sw_verb_similar(const char *word);

void sw_verbs_print_help(void);

/*
 * Print which files of a job are damaged or unreadable.  what: the output that
 * is incomplete ("the report", "its line").  Return SW_EXIT_PARTIAL.
 */
int sw_complain_partial(const struct sw_job *job, const char *what);

/* Load the settings; NULL after printing an error. */
struct sw_settings *sw_load_settings(bool warns);

/* Print an error; return the exit status for its errno. */
int sw_complain_error(const struct sw_error *error);

/*
 * Find the one file that what means: a path, a folder (its newest), or the id
 * or name of a recording.  Return an exit status, after printing an error if
 * there is none or several.
 */
int sw_find_profile(const char *what, char *path, size_t size);

struct sw_option {
	const char *name;	/* "json", or with a value: "step=STEP" */
	bool *is_given;		/* for options without value */
	const char **value;	/* for "--step 1", "--step=1" */
	const char *help;	/* NULL: undocumented */
};

/*
 * Results of sw_options_parse() in place of an index; the verb then returns
 * sw_options_exit() of it.
 */
enum {
	SW_OPTIONS_WRONG = -1, /* an error was printed */
	SW_OPTIONS_HELP = -2,  /* the help was printed */
};

/*
 * Parse options by a table, which ends with a NULL name and is also the verb's
 * help text (-h, --help).  Return the index of the first operand.
 */
int sw_options_parse(const struct sw_verb *verb, int argc, char **argv,
		     const struct sw_option *options);

int sw_options_exit(int parsed);

#endif
