/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs of the command: add a file (verb_*.c) and a row here. */
#include <stdio.h>
#include <string.h>

#include "analyzer/print/similar.h"
#include "analyzer/verbs/verb.h"

static const struct sw_verb *const verbs[] = {
	&sw_verb_run,	 &sw_verb_report,  &sw_verb_list,     &sw_verb_diff,
	&sw_verb_explain,
	&sw_verb_import, &sw_verb_suggest, &sw_verb_backtest, &sw_verb_dump,
	&sw_verb_verify, &sw_verb_rm,	   &sw_verb_doctor,   &sw_verb_sweep,
	&sw_verb_merge,
};

enum { VERB_COUNT = sizeof(verbs) / sizeof(verbs[0]) };

const struct sw_verb *sw_verb_find(const char *name)
{
	size_t i;

	for (i = 0; i < VERB_COUNT; i++) {
		if (!strcmp(verbs[i]->name, name))
			return verbs[i];
	}
	return NULL;
}

const char *sw_verb_similar(const char *word)
{
	const char *names[VERB_COUNT];
	size_t i;

	for (i = 0; i < VERB_COUNT; i++)
		names[i] = verbs[i]->name;
	return sw_similar(word, names, VERB_COUNT);
}

void sw_verbs_print_help(void)
{
	size_t i;

	puts("usage: stepwell [VERB [OPTION]... [ARGUMENT]...]\n\n"
	     "Records what a command did with the resources it requested, and "
	     "reports it\n"
	     "in plain sentences.  Without a verb: lists today's "
	     "recordings.\n");
	for (i = 0; i < VERB_COUNT; i++)
		printf("  %-8s  %s\n", verbs[i]->name, verbs[i]->help);
	puts("\n  -h, --help     show this; \"stepwell help VERB\" shows the "
	     "options of a verb\n"
	     "  -V, --version  show the version\n\n"
	     "Exit status: 0 ok, 1 failure, 2 usage, 3 nothing found, 4 "
	     "partial, 10 findings\nwith --exit-code.  Manual: stepwell(1)");
}
