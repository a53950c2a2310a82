/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mdoc from plain text, and the filling of templates. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "man/mdoc.h"

enum { LINE_SIZE = 1024, TABLES_MAX = 32 };

/* Does a sentence end before this blank, and another begin behind it? */
static bool is_between_sentences(const char *text, const char *at)
{
	return at > text && strchr(".:", at[-1]) &&
	       (at[-1] == ':' || isupper((unsigned char)at[1]));
}

static void print_char(const char *text, const char *at)
{
	bool is_first = at == text || at[-1] == '\n' ||
			(at[-1] == ' ' && at - text > 1 &&
			 is_between_sentences(text, at - 1));

	if (is_first && (*at == '.' || *at == '\''))
		fputs("\\&", stdout);
	if (*at == '\\')
		fputs("\\e", stdout);
	else if (*at == '-' && (at[1] == '-' || (at > text && at[-1] == '-')))
		fputs("\\-", stdout);
	else
		fputc(*at, stdout);
}

void sw_mdoc_print(const char *text)
{
	const char *at;

	for (at = text; *at; at++) {
		if (at[0] == '\n' && at[1] == '\n') {
			fputs("\n.Pp\n", stdout);
			at++;
		} else if (*at == ' ' && is_between_sentences(text, at)) {
			fputc('\n', stdout);
		} else {
			print_char(text, at);
		}
	}
	fputc('\n', stdout);
}

static int print_table(const struct sw_mdoc_table *tables, const char *name,
		       bool *is_printed)
{
	size_t i;

	for (i = 0; tables[i].name && i < TABLES_MAX; i++) {
		if (strcmp(tables[i].name, name) != 0)
			continue;
		tables[i].print();
		is_printed[i] = true;
		return 0;
	}
	fprintf(stderr, "no table is called \"%s\"\n", name);
	return -1;
}

static int complain_left_out(const struct sw_mdoc_table *tables,
			     const bool *is_printed)
{
	int status = 0;
	size_t i;

	for (i = 0; tables[i].name && i < TABLES_MAX; i++) {
		if (is_printed[i])
			continue;
		fprintf(stderr, "the page has no line \"@%s@\"\n",
			tables[i].name);
		status = 1;
	}
	return status;
}

static int fill(const struct sw_mdoc_table *tables)
{
	bool is_printed[TABLES_MAX] = { false };
	char line[LINE_SIZE], name[LINE_SIZE];

	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "@%[a-z_]@", name) != 1)
			fputs(line, stdout);
		else if (print_table(tables, name, is_printed))
			return 1;
	}
	if (fflush(stdout) || ferror(stdin) || ferror(stdout)) {
		perror("manual page");
		return 1;
	}
	return complain_left_out(tables, is_printed);
}

int sw_mdoc_main(const struct sw_mdoc_page *pages, int argc, char **argv)
{
	const struct sw_mdoc_page *page;

	for (page = pages; argc == 2 && page->name; page++)
		if (strcmp(page->name, argv[1]) == 0)
			return fill(page->tables);
	fprintf(stderr, "usage: %s PAGE <TEMPLATE; the pages:", argv[0]);
	for (page = pages; page->name; page++)
		fprintf(stderr, " %s", page->name);
	fputc('\n', stderr);
	return 2;
}
