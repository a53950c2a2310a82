/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "subjects". */
#include "recorder/sampler/subjects.h"

#include "common/clock.h"
#include "recorder/tables/tables.h"

enum column { TIME, STEP, SOURCE, SUBJECT, KIND, NAME, DETAIL, COUNT };

static const struct sw_column columns[COUNT] = {
	[TIME] = { "time_usec", "usec", SW_KIND_TIME, "When it was named." },
	[STEP] = { "step", "", SW_KIND_KEY, "The step." },
	[SOURCE] = { "source", "", SW_KIND_TEXT,
		     "The SOURCE in the name of the table series.SOURCE." },
	[SUBJECT] = { "subject", "", SW_KIND_STATE,
		      "The subject number in the rows of that table." },
	[KIND] = { "kind", "", SW_KIND_TEXT, "What kind of thing it is." },
	[NAME] = { "name", "", SW_KIND_TEXT, "Its name." },
	[DETAIL] = { "detail", "", SW_KIND_TEXT, "Further details." },
};

const struct sw_table sw_subjects_table = {
	.name = "subjects", .scope = SW_SCOPE_STEP, .source = "recorder",
	.columns = columns, .column_count = COUNT,
};

bool sw_subjects_note(struct sw_subjects_named *named, uint64_t index)
{
	uint64_t bit = (uint64_t)1 << index % 64;
	uint64_t *bits = &named->bits[index / 64];

	if (*bits & bit)
		return true;
	*bits |= bit;
	return false;
}

void sw_subjects_write(struct sw_subjects *subjects, const char *source,
		       uint64_t index, const struct sw_subject *subject)
{
	uint64_t now = sw_clock_boottime_usec();
	const union sw_value values[COUNT] = {
		[TIME].number = now,
		[STEP].number = subjects->step,
		[SOURCE].text = source,
		[SUBJECT].number = index,
		[KIND].text = subject->kind,
		[NAME].text = subject->name,
		[DETAIL].text = subject->detail[0] ? subject->detail : NULL,
	};

	if (subjects->table < 0)
		subjects->table = sw_writer_table(subjects->writer, &sw_subjects_table,
						  NULL);
	if (subjects->table >= 0)
		sw_writer_row(subjects->writer, subjects->table, values, now);
}
