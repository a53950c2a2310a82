/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fills stepwell-profile(5) from the tables that the recorder writes: a column
 * cannot differ from its description.
 */
#include <stdio.h>

#include "man/mdoc.h"
#include "recorder/sources/source.h"
#include "recorder/tables/tables.h"

static const char *word_of(enum sw_kind kind)
{
	switch (kind) {
	case SW_KIND_COUNTER:
		return "counter";
	case SW_KIND_GAUGE:
		return "gauge";
	case SW_KIND_PEAK:
		return "peak";
	case SW_KIND_STATE:
		return "state";
	case SW_KIND_TIME:
		return "time";
	case SW_KIND_KEY:
		return "key";
	case SW_KIND_TEXT:
		return "text";
	}
	return "";
}

static void print_columns(const struct sw_column *columns, size_t count)
{
	size_t i;

	puts(".Bl -tag -width Ds -compact");
	for (i = 0; i < count; i++) {
		printf(".It Sy %s No (%s%s%s)\n", columns[i].name,
		       word_of(columns[i].kind), columns[i].unit[0] ? ", " : "",
		       columns[i].unit);
		sw_mdoc_print(columns[i].help);
	}
	puts(".El");
}

static void print_tables(void)
{
	const struct sw_table *const *table;
	const struct sw_source *const *source;

	for (table = sw_tables; *table; table++) {
		printf(".Ss %s\n", (*table)->name);
		print_columns((*table)->columns, (*table)->column_count);
	}
	for (source = sw_sources; *source; source++) {
		printf(".Ss series.%s\n", (*source)->name);
		print_columns((*source)->columns, (*source)->column_count);
	}
}

static const struct sw_mdoc_table profile[] = {
	{ "tables", print_tables },
	{ NULL, NULL },
};

static const struct sw_mdoc_page pages[] = {
	{ "stepwell-profile.5", profile },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	return sw_mdoc_main(pages, argc, argv);
}
