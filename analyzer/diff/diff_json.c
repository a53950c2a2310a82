/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparison for programs: "stepwell.diff/1", see stepwell-diff(1). */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "analyzer/compare/difference_words.h"
#include "analyzer/diff/diff.h"
#include "analyzer/print/json.h"
#include "analyzer/report/words.h"

enum { KEY_SIZE = 48 };

static void add_difference(struct json_object *array,
			   const struct sw_difference *difference)
{
	struct json_object *item = sw_json_item(array);
	char words[SW_DIFFERENCE_TEXT];

	sw_json_text(item, "kind", sw_difference_name(difference->kind));
	sw_json_text(item, "program", difference->program);
	sw_json_text(item, "sentence",
		     sw_difference_words(words, sizeof(words), difference));
	if (difference->explained_by >= 0)
		sw_json_number(item, "explained_by",
			       (uint64_t)difference->explained_by);
}

static void add_differences(struct json_object *parent, const char *key,
			    const struct sw_comparison *comparison)
{
	struct json_object *array = sw_json_array(parent, key);
	size_t i;

	for (i = 0; i < comparison->count; i++)
		add_difference(array, &comparison->differences[i]);
}

static void add_environment(struct json_object *parent,
			    const struct sw_comparison *comparison)
{
	struct json_object *array = sw_json_array(parent, "environment");
	size_t i;

	for (i = 0; i < comparison->environment_count; i++)
		add_difference(array, &comparison->environment[i]);
}

static void add_run(struct json_object *object,
		    const struct sw_diff_side *side)
{
	const struct sw_findings *findings = &side->loaded->result.findings;
	struct json_object *array = sw_json_array(object, "findings");
	char state[256];
	size_t i;

	for (i = 0; i < findings->count; i++)
		sw_json_append_text(array, findings->items[i].id);
	sw_json_text(object, "state",
		     sw_state_words(state, sizeof(state),
				    side->loaded->result.view));
	sw_json_bool(object, "is_partial", side->is_partial);
}

static void add_side(struct json_object *root, const char *key,
		     const struct sw_diff_side *side)
{
	struct json_object *object = sw_json_object(root, key);

	sw_json_text(object, "name", side->name);
	sw_json_number(object, "runs", side->runs);
	sw_json_double(object, "start", side->start_seconds);
	if (side->loaded)
		add_run(object, side);
	else if (side->runs == 1)
		sw_json_text(object, "state",
			     sw_run_state_words(side->print.state));
	if (!side->past)
		return;
	sw_json_number(object, "past_runs", side->past->taught);
	add_differences(object, "unlike_past", side->past);
}

/* "CPU time" is "cpu_time". */
static const char *key_of(char key[KEY_SIZE], const char *name)
{
	size_t i, count = 0;

	for (i = 0; name[i] && count + 1 < KEY_SIZE; i++) {
		if (name[i] == ' ')
			key[count++] = '_';
		else if (isalnum((unsigned char)name[i]))
			key[count++] = (char)tolower((unsigned char)name[i]);
	}
	key[count] = '\0';
	return key;
}

static void add_row(struct json_object *array, const struct sw_beside_row *row)
{
	static const char *const parts[SW_BESIDE_PARTS] = {
		[SW_BESIDE_RUN] = "run",
		[SW_BESIDE_LIMITS] = "limits",
		[SW_BESIDE_COUNTERS] = "counters",
		[SW_BESIDE_PROGRAMS] = "programs",
		[SW_BESIDE_ENVIRONMENT] = "environment",
	};
	static const char *const units[] = {
		[SW_BESIDE_COUNT] = "count", [SW_BESIDE_BYTES] = "bytes",
		[SW_BESIDE_USEC] = "seconds", [SW_BESIDE_SHARE] = "share",
		[SW_BESIDE_RATIO] = "ratio",  [SW_BESIDE_TEXT] = "text",
	};
	double scale = row->unit == SW_BESIDE_USEC ? 1e-6 : 1;
	struct json_object *item = sw_json_item(array);
	char key[KEY_SIZE];

	sw_json_text(item, "part", parts[row->part]);
	sw_json_text(item, "program", row->program);
	sw_json_text(item, "name", key_of(key, row->name));
	sw_json_text(item, "unit", units[row->unit]);
	if (row->unit == SW_BESIDE_TEXT) {
		sw_json_text(item, "text_a", row->text_a);
		sw_json_text(item, "text_b", row->text_b);
	}
	sw_json_double(item, "value_a", scale * row->a);
	sw_json_double(item, "value_b", scale * row->b);
	sw_json_double(item, "past_least", scale * row->least);
	sw_json_double(item, "past_most", scale * row->most);
	sw_json_bool(item, "is_equal", row->is_equal);
}

int sw_diff_json(FILE *out, const struct sw_diff *diff,
		 const struct sw_report_style *style)
{
	struct json_object *root = sw_json_new(), *rows;
	char words[SW_DIFF_WORDS];
	size_t part, i;

	(void)style;
	sw_json_text(root, "schema", "stepwell.diff/1");
	sw_json_text(root, "verdict",
		     sw_diff_words(words, sizeof(words), diff));
	add_side(root, "a", &diff->a);
	add_side(root, "b", &diff->b);
	sw_json_text(root, "chosen", diff->chosen);
	add_differences(root, "differences", &diff->comparison);
	add_environment(root, &diff->comparison);
	rows = sw_json_array(root, "rows");
	for (part = 0; part < SW_BESIDE_PARTS; part++) {
		for (i = 0; i < diff->beside.count; i++) {
			if (diff->beside.rows[i].part == part)
				add_row(rows, &diff->beside.rows[i]);
		}
	}
	sw_json_print(out, root);
	return ferror(out) ? -1 : 0;
}
