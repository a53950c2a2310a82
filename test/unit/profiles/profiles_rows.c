/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Realistic rows; every value follows from tick and subject. */
#include "profiles_rows.h"

#include <check.h>
#include <string.h>

enum { SUBJECTS = 6, STEPS = 2, COLUMNS_MAX = 10 };

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct sw_column tick_columns[] = {
	{ "time_usec", "usec", SW_KIND_TIME, "" },
	{ "step", "", SW_KIND_KEY, "" },
	{ "usage_usec", "usec", SW_KIND_COUNTER, "" },
	{ "user_usec", "usec", SW_KIND_COUNTER, "" },
	{ "system_usec", "usec", SW_KIND_COUNTER, "" },
};

static const struct sw_column subject_columns[] = {
	{ "time_usec", "usec", SW_KIND_TIME, "" },
	{ "step", "", SW_KIND_KEY, "" },
	{ "subject", "", SW_KIND_STATE, "" },
	{ "waited_usec", "usec", SW_KIND_COUNTER, "" },
	{ "again_usec", "usec", SW_KIND_COUNTER, "" },
	{ "bursts", "bytes", SW_KIND_COUNTER, "" },
	{ "noise", "", SW_KIND_GAUGE, "" },
	{ "still", "", SW_KIND_GAUGE, "" },
	{ "name", "", SW_KIND_TEXT, "" },
	{ "started_usec", "usec", SW_KIND_TIME, "" },
};

static const char *const names[SUBJECTS] = {
	"read", "", NULL, "futex", "\x1b[31m\xff", "SWF1",
};

static uint64_t time_of(uint64_t tick)
{
	return 1000000000 + tick * 1000000 + kit_mix(tick) % 3000;
}

static void tick_values(uint64_t tick, uint64_t step, union sw_value *values)
{
	uint64_t user = tick * 700000 + kit_mix(tick * 2 + step) % 90000;
	uint64_t system = tick * 9000 + kit_mix(tick * 3 + step) % 5000;

	values[0].number = time_of(tick) + step * 90;
	values[1].number = step;
	values[2].number = user + system;
	values[3].number = user;
	values[4].number = system;
}

static void subject_values(uint64_t tick, uint64_t subject,
			   union sw_value *values)
{
	uint64_t mixed = kit_mix(tick * SUBJECTS + subject);
	uint64_t now = time_of(tick) + 200 + kit_mix(tick) % 7;

	values[0].number = now;
	values[1].number = subject / 3;
	values[2].number = subject;
	values[3].number = subject == 1 ? 0 : now * subject - mixed % 3;
	values[4].number = values[3].number - (subject == 4 ? tick / 50 : 0);
	values[5].number = tick / 37 * 123456789 * (subject + 1);
	values[6].number =
		subject == 3 && tick % 9 == 0 ? SW_MISSING : mixed % 5000;
	values[7].number = subject ? 4096 * subject : SW_MISSING;
	values[8].text = names[subject];
	values[9].number = time_of(tick / 100 * 100) - 5;
}

/* Subject 5 appears late, and 2 is absent at times. */
static bool is_there(uint64_t tick, uint64_t subject)
{
	return subject == 5 ? tick > 150 : subject != 2 || tick % 3;
}

void rows_define(struct rows_kit *rows, struct sw_writer *writer)
{
	const struct sw_table ticks = {
		"series.ticks", SW_SCOPE_STEP,		"kit",
		tick_columns,	COUNT_OF(tick_columns),
	};
	const struct sw_table subjects = {
		"series.subjects",
		SW_SCOPE_TASK,
		"kit",
		subject_columns,
		COUNT_OF(subject_columns),
	};

	rows->ticks = sw_writer_table(writer, &ticks, NULL);
	rows->subjects = sw_writer_table(writer, &subjects, NULL);
	ck_assert_int_ge(rows->ticks, 0);
	ck_assert_int_ge(rows->subjects, 0);
}

uint64_t rows_write(const struct rows_kit *rows, struct sw_writer *writer,
		    uint64_t tick)
{
	union sw_value values[COLUMNS_MAX];
	uint64_t written = 0;

	for (uint64_t step = 0; step < STEPS; step++, written++) {
		tick_values(tick, step, values);
		kit_require(sw_writer_row(writer, rows->ticks, values,
					  values[0].number) == 0);
	}
	for (uint64_t subject = 0; subject < SUBJECTS; subject++) {
		if (!is_there(tick, subject))
			continue;
		subject_values(tick, subject, values);
		kit_require(sw_writer_row(writer, rows->subjects, values,
					  values[0].number) == 0);
		written++;
	}
	return written;
}

static void check_row(const struct sw_reader_table *table, size_t row,
		      const union sw_value *values)
{
	for (size_t i = 0; i < table->column_count; i++) {
		const struct sw_reader_column *column = &table->columns[i];

		if (column->kind != SW_KIND_TEXT)
			kit_require(column->numbers[row] == values[i].number);
		else if (values[i].text)
			kit_require(
				column->texts[row] &&
				!strcmp(column->texts[row], values[i].text));
		else
			kit_require(!column->texts[row]);
	}
}

/* Return the next row of the step from row on; the count if there is none. */
static size_t next_of(const struct sw_reader_table *table, size_t row,
		      uint64_t step)
{
	while (row < table->row_count && table->columns[1].numbers[row] != step)
		row++;
	return row;
}

static size_t check_step(const struct sw_reader_table *ticks,
			 const struct sw_reader_table *subjects,
			 uint64_t tick_count, uint64_t step)
{
	size_t at_tick = 0, at_subject = 0, count = 0;
	union sw_value values[COLUMNS_MAX];

	for (uint64_t tick = 0; tick < tick_count; tick++) {
		tick_values(tick, step, values);
		at_tick = next_of(ticks, at_tick, step);
		kit_require(at_tick < ticks->row_count);
		check_row(ticks, at_tick++, values);
		for (uint64_t subject = step * 3; subject < step * 3 + 3;
		     subject++) {
			if (!is_there(tick, subject))
				continue;
			subject_values(tick, subject, values);
			at_subject = next_of(subjects, at_subject, step);
			kit_require(at_subject < subjects->row_count);
			check_row(subjects, at_subject++, values);
			count++;
		}
	}
	return count;
}

void rows_check(const struct sw_reader *reader, uint64_t ticks)
{
	const struct sw_reader_table *of_ticks =
		sw_reader_find(reader, "series.ticks");
	const struct sw_reader_table *of_subjects =
		sw_reader_find(reader, "series.subjects");
	size_t count = 0;

	kit_require(of_ticks && of_subjects);
	for (uint64_t step = 0; step < STEPS; step++)
		count += check_step(of_ticks, of_subjects, ticks, step);
	kit_require(of_ticks->row_count == ticks * STEPS);
	kit_require(of_subjects->row_count == count);
}
