/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Common code of the tests of profiles/. */
#include "profiles_kit.h"

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct sw_column series_columns[] = {
	{ "time_usec", "usec", SW_KIND_TIME, "" },
	{ "step", "", SW_KIND_KEY, "" },
	{ "serial", "", SW_KIND_STATE, "" },
	{ "grows", "bytes", SW_KIND_COUNTER, "" },
	{ "level", "bytes", SW_KIND_GAUGE, "" },
	{ "noise", "", SW_KIND_GAUGE, "" },
	{ "still", "count", SW_KIND_PEAK, "" },
};

static const struct sw_column event_columns[] = {
	{ "time_usec", "usec", SW_KIND_TIME, "" },
	{ "serial", "", SW_KIND_STATE, "" },
	{ "kind", "", SW_KIND_TEXT, "" },
	{ "detail", "", SW_KIND_TEXT, "" },
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct sw_table tables[KIT_TABLES] = {
	[KIT_SERIES] = { "series.kit", SW_SCOPE_STEP, "kit", series_columns,
			 COUNT_OF(series_columns) },
	[KIT_EVENTS] = { "events", SW_SCOPE_STEP, "kit", event_columns,
			 COUNT_OF(event_columns) },
};

uint64_t kit_mix(uint64_t value)
{
	value += UINT64_C(0x9e3779b97f4a7c15);
	value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
	return value ^ (value >> 31);
}

void kit_init(struct kit *kit)
{
	const char *base = getenv("TMPDIR");

	snprintf(kit->path, sizeof(kit->path), "%s/profilesXXXXXX",
		 base ? base : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(kit->path));
	kit->dirfd = open(kit->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(kit->dirfd, 0);
}

void kit_fini(struct kit *kit)
{
	DIR *dir = fdopendir(kit->dirfd);
	struct dirent *entry;

	ck_assert_ptr_nonnull(dir);
	rewinddir(dir);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	ck_assert_int_eq(rmdir(kit->path), 0);
}

const char *kit_file(const struct kit *kit, const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", kit->path, name);
	return path;
}

struct sw_writer *kit_create(struct kit *kit, const char *name)
{
	struct sw_error error = { "" };
	struct sw_writer *writer =
		sw_writer_create(kit->dirfd, name, false, &error);

	ck_assert_msg(writer, "%s", error.text);
	for (int i = 0; i < KIT_TABLES; i++) {
		kit->tables[i] = sw_writer_table(writer, &tables[i], &error);
		ck_assert_msg(kit->tables[i] >= 0, "%s", error.text);
	}
	return writer;
}

/* The values of a row except its time, which the caller chooses. */
static void series_values(uint64_t serial, union sw_value *values)
{
	values[1].number = serial / 2 % 3;
	values[2].number = serial;
	values[3].number = serial * 4096 + (kit_mix(serial) & 0xfff);
	values[4].number = serial % 14 ? kit_mix(serial) % 100 : SW_MISSING;
	values[5].number = kit_mix(serial);
	values[6].number = 42;
}

static void event_values(uint64_t serial, union sw_value *values, char *text,
			 size_t size)
{
	values[1].number = serial;
	values[2].text = serial % 3 ? "oom_kill" : "gap";
	snprintf(text, size, "SWF1\x1b[%llu\xff",
		 (unsigned long long)kit_mix(serial));
	values[3].text = serial % 7 == 0 ? NULL : serial % 5 ? text : "";
}

int kit_row(const struct kit *kit, struct sw_writer *writer, uint64_t serial,
	    uint64_t now_usec)
{
	union sw_value values[COUNT_OF(series_columns)];
	char text[64];
	int table = serial % 2 ? KIT_EVENTS : KIT_SERIES;

	values[0].number = now_usec;
	if (table == KIT_EVENTS)
		event_values(serial, values, text, sizeof(text));
	else
		series_values(serial, values);
	return sw_writer_row(writer, kit->tables[table], values, now_usec);
}

static void check_text(const char *got, const char *wanted)
{
	kit_require((got == NULL) == (wanted == NULL));
	if (got)
		kit_require(strcmp(got, wanted) == 0);
}

static uint64_t check_row(const struct sw_reader_table *table, int which,
			  size_t row)
{
	size_t serial_column = which == KIT_EVENTS ? 1 : 2;
	uint64_t serial = table->columns[serial_column].numbers[row];
	union sw_value values[COUNT_OF(series_columns)];
	char text[64];

	kit_require((serial % 2 == 1) == (which == KIT_EVENTS));
	if (which == KIT_EVENTS)
		event_values(serial, values, text, sizeof(text));
	else
		series_values(serial, values);
	for (size_t i = 1; i < table->column_count; i++) {
		if (table->columns[i].kind == SW_KIND_TEXT)
			check_text(table->columns[i].texts[row],
				   values[i].text);
		else
			kit_require(table->columns[i].numbers[row] ==
				    values[i].number);
	}
	return serial;
}

uint64_t kit_check(const struct sw_reader *reader, bool *seen, uint64_t limit)
{
	uint64_t count = 0;

	memset(seen, 0, limit);
	for (int i = 0; i < KIT_TABLES; i++) {
		const struct sw_reader_table *table =
			sw_reader_find(reader, tables[i].name);

		if (!table)
			continue;
		kit_require(table->column_count == tables[i].column_count);
		for (size_t row = 0; row < table->row_count; row++) {
			uint64_t serial = check_row(table, i, row);

			kit_require(serial < limit);
			kit_require(!seen[serial]);
			seen[serial] = true;
			count++;
		}
	}
	return count;
}

static void dump_value(FILE *out, const struct sw_reader_column *column,
		       size_t row)
{
	const char *text;

	if (column->numbers) {
		if (sw_is_missing(column->numbers[row]))
			fputs(" -", out);
		else
			fprintf(out, " %llu",
				(unsigned long long)column->numbers[row]);
		return;
	}
	text = column->texts[row];
	fputs(text ? " \"" : " -", out);
	for (; text && *text; text++)
		fprintf(out, *text >= ' ' && *text <= '~' ? "%c" : "\\x%02x",
			(unsigned char)*text);
	fputs(text ? "\"" : "", out);
}

static void dump_table(FILE *out, const struct sw_reader_table *table)
{
	fprintf(out, "table %s scope %d source \"%s\" rows %zu\n", table->name,
		(int)table->scope, table->source, table->row_count);
	for (size_t i = 0; i < table->column_count; i++)
		fprintf(out, "column %s kind %d unit \"%s\"\n",
			table->columns[i].name, (int)table->columns[i].kind,
			table->columns[i].unit);
	for (size_t row = 0; row < table->row_count; row++) {
		fputs("row", out);
		for (size_t i = 0; i < table->column_count; i++)
			dump_value(out, &table->columns[i], row);
		fputc('\n', out);
	}
}

char *kit_dump(const struct sw_reader *reader)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	for (size_t i = 0; i < sw_reader_table_count(reader); i++)
		dump_table(out, sw_reader_table(reader, i));
	fclose(out);
	return text;
}

struct sw_bytes kit_copy(struct sw_bytes bytes, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, bytes.at, size);
	return (struct sw_bytes){ copy, size };
}

void kit_free(struct sw_bytes bytes)
{
	free((void *)(uintptr_t)bytes.at);
}

struct sw_bytes kit_load(const struct kit *kit, const char *name)
{
	int fd = openat(kit->dirfd, name, O_RDONLY | O_CLOEXEC);
	struct stat status;
	uint8_t *buffer;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fstat(fd, &status), 0);
	buffer = malloc((size_t)status.st_size + 1);
	ck_assert_ptr_nonnull(buffer);
	ck_assert_int_eq(read(fd, buffer, (size_t)status.st_size),
			 status.st_size);
	close(fd);
	return (struct sw_bytes){ buffer, (size_t)status.st_size };
}

void kit_store(const struct kit *kit, const char *name, struct sw_bytes bytes)
{
	int fd = openat(kit->dirfd, name,
			O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes.at, bytes.size),
			 (ssize_t)bytes.size);
	close(fd);
}
