/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract for verbs of the command: one file (verb_*.c) and one row in
 * verbs.c.  stdout is data, stderr has messages.
 */
#ifndef SW_ANALYZER_VERB_H
#define SW_ANALYZER_VERB_H

#include "analyzer/print/messages.h"
#include "analyzer/report/report.h"

struct sw_verb {
	const char *name;
	const char *usage;	/* what follows the name */
	const char *help;	/* one sentence */
	const char *manual;	/* NULL: stepwell(1) */
	/* argv[0] is the verb's name. */
	int (*run)(int argc, char **argv);
};

extern const struct sw_verb sw_verb_run, sw_verb_list, sw_verb_report,
	sw_verb_import,
	sw_verb_explain, sw_verb_dump, sw_verb_verify, sw_verb_doctor,
	sw_verb_suggest, sw_verb_backtest, sw_verb_rm,
	sw_verb_sweep, sw_verb_merge;

/* The path of this very program, for what runs it again.  0, or -1 (errno). */
int sw_verb_own_path(char *path, size_t size);

/* NULL: no such verb. */
const struct sw_verb *sw_verb_find(const char *name);

/* The verb that was probably meant, or NULL. */
const char *sw_verb_similar(const char *word);

void sw_verbs_print_help(void);

/*
 * Which file of a job is damaged or could not be read, so that what is shown
 * of it ("the report", "its line") lacks something.  Returns SW_EXIT_PARTIAL.
 */
int sw_complain_partial(const struct sw_job *job, const char *what);

/* The settings in force here; NULL after having complained. */
struct sw_settings *sw_load_settings(bool warns);

/* The error, which came with errno.  Returns an exit status by that. */
int sw_complain_error(const struct sw_error *error);

/*
 * The one file that what means: a path, a folder (its newest), or the id or
 * name of a recording.  Returns an exit status, after a complaint where there
 * is none or there are several.
 */
int sw_find_profile(const char *what, char *path, size_t size);

struct sw_option {
	const char *name;	/* "json", or with its value: "step=STEP" */
	bool *is_given;		/* of one without a value */
	const char **value;	/* of "--step 1", "--step=1" */
	const char *help;	/* NULL: not for people */
};

/*
 * What sw_options_parse() returns in place of an index; the verb then ends
 * with sw_options_exit() of it.
 */
enum {
	SW_OPTIONS_WRONG = -1, /* after having complained */
	SW_OPTIONS_HELP = -2,  /* after having printed the verb's help */
};

/*
 * Parse options of a NULL-named table, which is also the verb's help text (-h,
 * --help).  Returns the index of the first operand.
 */
int sw_options_parse(const struct sw_verb *verb, int argc, char **argv,
		     const struct sw_option *options);

int sw_options_exit(int parsed);

#endif
