/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make rows from columns. */
#include "analyzer/summaries/step_rows.h"

#include <string.h>

#include "analyzer/trust/digests.h"
#include "common/missing.h"

/* A column that is read, and the member of a row for it. */
struct field {
	const char *column;
	size_t offset;
	bool is_text;
};

#define FIELD_NIGHT(...) { __VA_ARGS__ },
#define FIELD_OTHERS(...) { __VA_ARGS__ },
#define FIELD_NEVER(...)
#define TEXT_FIELD(name, size, readers, help) \
	FIELD_##readers(#name, offsetof(struct sw_step_row, name), true)
#define NUMBER_FIELD(name, unit, kind, readers, help) \
	FIELD_##readers(#name, offsetof(struct sw_step_row, name), false)
#define LIMITED_FIELD(RESOURCE, name, help) \
	{ "limited_by_" #name "_usec", \
	  offsetof(struct sw_step_row, \
		   limited_usec[SW_LIMITED_BY_##RESOURCE]), false },

static const struct field fields[] = {
	SW_SUMMARY_JOB_FIELDS(TEXT_FIELD, NUMBER_FIELD)
	SW_SUMMARY_STEP_FIELDS(TEXT_FIELD, NUMBER_FIELD)
	SW_SUMMARY_LIMITED_FIELDS(LIMITED_FIELD)
	SW_SUMMARY_LAST_FIELDS(TEXT_FIELD, NUMBER_FIELD)
};

enum { FIELDS = sizeof(fields) / sizeof(fields[0]) };

#define NAME_NIGHT(name) #name,
#define NAME_OTHERS(name)
#define NAME_NEVER(name)
#define TEXT_NAME(name, size, readers, help) NAME_##readers(name)
#define NUMBER_NAME(name, unit, kind, readers, help) NAME_##readers(name)
#define LIMITED_NAME(RESOURCE, name, help) "limited_by_" #name "_usec",

static const char *const columns_of_night[] = {
	SW_SUMMARY_JOB_FIELDS(TEXT_NAME, NUMBER_NAME)
	SW_SUMMARY_STEP_FIELDS(TEXT_NAME, NUMBER_NAME)
	SW_SUMMARY_LIMITED_FIELDS(LIMITED_NAME)
	SW_SUMMARY_LAST_FIELDS(TEXT_NAME, NUMBER_NAME)
	NULL
};

const struct sw_reader_only sw_step_rows_only = {
	.table = "step_summaries",
	.columns = columns_of_night,
	.passes_texts = true,
};

/* The columns of a file, those that it has, and the row that is filled. */
struct filling {
	struct {
		const uint64_t *values;
		uint64_t *to;
	} numbers[FIELDS];
	struct {
		const char *const *values;
		uint32_t *to;
	} texts[FIELDS];
	size_t number_count, text_count;
	struct sw_texts_seen seen;
	uint32_t none, late;
	struct sw_step_row row;
};

static void *member(struct sw_step_row *row, const struct field *field)
{
	return (char *)row + field->offset;
}

static void add_field(struct filling *filling, const struct field *field,
		      const struct sw_reader_table *table)
{
	const struct sw_reader_column *column =
		sw_reader_find_column(table, field->column);
	void *to = member(&filling->row, field);
	size_t at;

	if (field->is_text) {
		*(uint32_t *)to = filling->none;
		if (!column || !column->texts)
			return;
		at = filling->text_count++;
		filling->texts[at].values = column->texts;
		filling->texts[at].to = to;
	} else {
		*(uint64_t *)to = SW_MISSING;
		if (!column || !column->numbers)
			return;
		at = filling->number_count++;
		filling->numbers[at].values = column->numbers;
		filling->numbers[at].to = to;
	}
}

static int begin(struct filling *filling, const struct sw_reader_table *table,
		 struct sw_texts *texts, const char *path)
{
	char node[64];
	size_t i;

	memset(filling, 0, sizeof(*filling));
	sw_digests_node(path, node, sizeof(node));
	filling->row.node = sw_texts_add(texts, node);
	filling->none = sw_texts_add(texts, "");
	filling->late = sw_texts_add(texts, "late");
	for (i = 0; i < FIELDS; i++)
		add_field(filling, &fields[i], table);
	return filling->row.node == SW_TEXT_NONE ||
			       filling->none == SW_TEXT_NONE ||
			       filling->late == SW_TEXT_NONE
		       ? -1
		       : 0;
}

static int fill(struct filling *filling, size_t row, struct sw_texts *texts)
{
	const char *text;
	uint32_t id;
	size_t i;

	for (i = 0; i < filling->number_count; i++)
		*filling->numbers[i].to = filling->numbers[i].values[row];
	for (i = 0; i < filling->text_count; i++) {
		text = filling->texts[i].values[row];
		id = text ? sw_texts_add_seen(texts, &filling->seen, text)
			  : filling->none;
		if (id == SW_TEXT_NONE)
			return -1;
		*filling->texts[i].to = id;
	}
	filling->row.is_correction =
		filling->row.final_source == filling->late;
	return 0;
}

static bool is_named(const struct filling *filling)
{
	return !sw_is_missing(filling->row.job_id) &&
	       !sw_is_missing(filling->row.start_realtime_usec) &&
	       filling->row.step_id != filling->none;
}

int sw_step_rows_read(const struct sw_step_rows_taker *taker,
		      const struct sw_reader *reader, const char *path,
		      size_t *unnamed)
{
	const struct sw_reader_table *table =
		sw_reader_find(reader, sw_step_rows_only.table);
	struct filling filling;
	size_t i;
	int rc;

	if (!table)
		return 0;
	rc = begin(&filling, table, taker->texts, path);
	for (i = 0; rc == 0 && i < table->row_count; i++) {
		rc = fill(&filling, i, taker->texts);
		if (rc < 0)
			break;
		if (is_named(&filling))
			rc = taker->take(taker->context, &filling.row);
		else
			(*unnamed)++;
	}
	return rc;
}
