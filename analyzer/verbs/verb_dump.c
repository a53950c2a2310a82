/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell dump: every table of a profile, row by row. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/print/json.h"
#include "analyzer/print/paragraph.h"
#include "analyzer/verbs/verb.h"

static const char *kind_name(enum sw_kind kind)
{
	static const char *const names[] = {
		[SW_KIND_COUNTER] = "counter", [SW_KIND_GAUGE] = "gauge",
		[SW_KIND_PEAK] = "peak",       [SW_KIND_STATE] = "state",
		[SW_KIND_TIME] = "time",       [SW_KIND_KEY] = "key",
		[SW_KIND_TEXT] = "text",
	};

	return (size_t)kind < sizeof(names) / sizeof(names[0]) && names[kind] ?
	       names[kind] : "?";
}

static void print_cell(const struct sw_reader_column *column, size_t row,
		       const struct sw_report_style *style)
{
	char shown[SW_TEXT_SIZE_MAX * 4];
	const char *text;

	if (column->numbers) {
		if (sw_is_missing(column->numbers[row]))
			putchar('-');
		else
			printf("%" PRIu64, column->numbers[row]);
		return;
	}
	text = column->texts ? column->texts[row] : NULL;
	fputs(text ? sw_text_escape(shown, sizeof(shown), text, style) : "-",
	      stdout);
}

static void print_table(const struct sw_reader_table *table)
{
	const struct sw_report_style style = sw_style_of_stdout();
	size_t row, i;

	printf("# table %s, source %s, %zu rows\n", table->name,
	       table->source, table->row_count);
	for (i = 0; i < table->column_count; i++)
		printf("%s%s", i ? "\t" : "", table->columns[i].name);
	putchar('\n');
	for (row = 0; row < table->row_count; row++) {
		for (i = 0; i < table->column_count; i++) {
			if (i)
				putchar('\t');
			print_cell(&table->columns[i], row, &style);
		}
		putchar('\n');
	}
	putchar('\n');
}

static void add_cell(struct json_object *object,
		     const struct sw_reader_column *column, size_t row)
{
	if (column->numbers)
		sw_json_number(object, column->name, column->numbers[row]);
	else if (column->texts)
		sw_json_text(object, column->name, column->texts[row]);
}

static void add_table(struct json_object *array,
		      const struct sw_reader_table *table)
{
	struct json_object *item = sw_json_item(array), *list, *object;
	size_t row, i;

	sw_json_text(item, "name", table->name);
	sw_json_text(item, "source", table->source);
	list = sw_json_array(item, "columns");
	for (i = 0; i < table->column_count; i++) {
		object = sw_json_item(list);
		sw_json_text(object, "name", table->columns[i].name);
		sw_json_text(object, "unit", table->columns[i].unit);
		sw_json_text(object, "kind",
			     kind_name(table->columns[i].kind));
	}
	list = sw_json_array(item, "rows");
	for (row = 0; row < table->row_count; row++) {
		object = sw_json_item(list);
		for (i = 0; i < table->column_count; i++)
			add_cell(object, &table->columns[i], row);
	}
}

static void dump(const struct sw_reader *reader, bool is_json)
{
	struct json_object *root = NULL, *array = NULL;
	size_t i;

	if (is_json) {
		root = sw_json_new();
		sw_json_text(root, "schema", "stepwell.dump/1");
		array = sw_json_array(root, "tables");
	}
	for (i = 0; i < sw_reader_table_count(reader); i++) {
		if (is_json)
			add_table(array, sw_reader_table(reader, i));
		else
			print_table(sw_reader_table(reader, i));
	}
	if (root)
		sw_json_print(stdout, root);
}

static int run(int argc, char **argv)
{
	bool is_json = false;
	const struct sw_option options[] = {
		{ "json", &is_json, NULL, "print JSON" },
		{ NULL, NULL, NULL, NULL },
	};
	int first = sw_options_parse(&sw_verb_dump, argc, argv, options);
	const struct sw_reader_health *health;
	struct sw_reader *reader;
	struct sw_error error;
	int status;
	char path[PATH_MAX];

	if (first < 0)
		return sw_options_exit(first);
	if (argc - first != 1)
		return sw_complain(SW_EXIT_USAGE, "dump: name one profile");
	status = sw_find_profile(argv[first], path, sizeof(path));
	if (status != SW_EXIT_OK)
		return status;
	reader = sw_reader_open(path, &error);
	if (!reader)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	dump(reader, is_json);
	health = sw_reader_health(reader);
	if (health->frames_damaged || health->frames_missing)
		status = sw_complain(SW_EXIT_PARTIAL, "%s: parts of the file "
				     "are damaged and not shown", path);
	sw_reader_close(reader);
	return status;
}

const struct sw_verb sw_verb_dump = {
	.name = "dump",
	.usage = "[--json] FILE|ID",
	.help = "every table of a profile, tab-separated; - is missing",
	.run = run,
};
