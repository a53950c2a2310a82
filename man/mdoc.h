/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Manual pages whose tables are the program's own: a page's template has a
 * line "@name@" where a table belongs.
 */
#ifndef SW_MAN_MDOC_H
#define SW_MAN_MDOC_H

struct sw_mdoc_table {
	const char *name;	/* "findings": of the line "@findings@" */
	void (*print)(void);	/* to stdout, in mdoc */
};

/*
 * Text as mdoc: a sentence begins a line, "\n\n" a paragraph, and nothing in
 * it is a request or an escape.
 */
void sw_mdoc_print(const char *text);

struct sw_mdoc_page {
	const char *name;			/* "stepwell-findings.7" */
	const struct sw_mdoc_table *tables;	/* the last has no name */
};

/*
 * The program "NAME PAGE <TEMPLATE >PAGE", for the pages of a table whose last
 * has no name.  Its exit status: 1, with a message, where a line of the
 * template names no table, or no line names a table of the page.
 */
int sw_mdoc_main(const struct sw_mdoc_page *pages, int argc, char **argv);

#endif
