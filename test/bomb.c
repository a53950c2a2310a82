/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generate malicious profiles. */
#include "test/bomb.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profiles/layout.h"
#include "profiles/writer.h"

enum { COLUMNS = 92, TEXT_COLUMNS = 2, TEXT_SIZE = 900 };

#define START_USEC UINT64_C(1780000000000000)

static const struct sw_column identity_columns[] = {
	{ "origin", "", SW_KIND_TEXT, "" },
	{ "cluster", "", SW_KIND_TEXT, "" },
	{ "node", "", SW_KIND_TEXT, "" },
	{ "job_id", "", SW_KIND_STATE, "" },
	{ "uid", "", SW_KIND_STATE, "" },
	{ "anchor_boottime_usec", "usec", SW_KIND_TIME, "" },
	{ "anchor_realtime_usec", "usec", SW_KIND_STATE, "" },
};

static const struct sw_column step_columns[] = {
	{ "step", "", SW_KIND_KEY, "" },
	{ "step_id", "", SW_KIND_TEXT, "" },
	{ "start_usec", "usec", SW_KIND_TIME, "" },
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static int put_row(struct sw_writer *writer, const char *name,
		   const struct sw_column *columns, size_t count,
		   const union sw_value *values, struct sw_error *error)
{
	const struct sw_table table = {
		.name = name, .scope = SW_SCOPE_STEP, .source = "bomb",
		.columns = columns, .column_count = count,
	};
	int number = sw_writer_table(writer, &table, error);

	return number < 0 ? -1 : sw_writer_row(writer, number, values, 1);
}

static int put_job(const struct bomb *bomb, struct sw_writer *writer,
		   struct sw_error *error)
{
	const union sw_value identity[] = {
		{ .text = "slurm" }, { .text = "c1" }, { .text = "n1" },
		{ .number = bomb->job_id }, { .number = bomb->uid },
		{ .number = 1 }, { .number = START_USEC },
	};
	const union sw_value step[] = {
		{ .number = 0 }, { .text = "0" }, { .number = 1 },
	};

	return put_row(writer, "identity", identity_columns,
		       COUNT_OF(identity_columns), identity, error) < 0 ||
	       put_row(writer, "steps", step_columns, COUNT_OF(step_columns),
		       step, error) < 0 ? -1 : 0;
}

/* Write as many rows as one block holds. */
static int put_numbers(const struct bomb *bomb, struct sw_writer *writer,
		       struct sw_error *error)
{
	size_t row_bytes = SW_TAIL_ROW_HEAD_SIZE + COLUMNS * SW_TAIL_SLOT_SIZE;
	struct sw_column columns[COLUMNS] = { { .name = NULL } };
	union sw_value values[COLUMNS] = { { .number = 0 } };
	char names[COLUMNS][16];
	size_t i;
	int rc = 0;

	for (i = 0; i < COLUMNS; i++) {
		snprintf(names[i], sizeof(names[i]), "c%zu", i);
		columns[i] = (struct sw_column){ names[i], "", SW_KIND_COUNTER,
						 "" };
	}
	for (i = 0; rc == 0 && i < SW_BLOCK_BYTES_MAX / row_bytes - 8; i++)
		rc = put_row(writer, bomb->table, columns, COLUMNS, values,
			     error);
	return rc;
}

static int put_texts(const struct bomb *bomb, struct sw_writer *writer,
		     struct sw_error *error)
{
	static const struct sw_column columns[TEXT_COLUMNS] = {
		{ "one", "", SW_KIND_TEXT, "" },
		{ "two", "", SW_KIND_TEXT, "" },
	};
	char one[TEXT_SIZE + 1] = "", two[TEXT_SIZE + 1] = "";
	const union sw_value here[] = { { .text = one }, { .text = two } };
	const union sw_value there[] = { { .text = two }, { .text = one } };
	size_t i;
	int rc = 0;

	memset(one, 'a', TEXT_SIZE);
	memset(two, 'b', TEXT_SIZE);
	for (i = 0; rc == 0 && i < SW_PLAIN_MAX / (2 * TEXT_SIZE) - 8; i++)
		rc = put_row(writer, bomb->table, columns, TEXT_COLUMNS,
			     i % 2 ? here : there, error);
	return rc;
}

/* Return the offset and length of the last frame of rows. */
static size_t find_block(const uint8_t *file, size_t size, size_t *length)
{
	size_t at, next, found = 0;

	for (at = 0; at + SW_FRAME_HEAD_SIZE <= size; at = next) {
		next = at + SW_FRAME_HEAD_SIZE + sw_get_u32(file + at + 8);
		if (sw_get_u16(file + at + 4) != SW_FRAME_BLOCK)
			continue;
		found = at;
		*length = next - at;
	}
	return found;
}

static int repeat(FILE *out, uint8_t *file, size_t size, size_t count)
{
	uint64_t id = sw_get_u64(file + SW_FRAME_HEAD_SIZE + 8);
	size_t length = 0, at = find_block(file, size, &length), i;
	uint8_t *head = file + at;
	uint32_t sequence = sw_get_u32(head + 12);

	if (!length || fwrite(file, at, 1, out) != 1)
		return -1;
	for (i = 0; i < count; i++) {
		sw_put_u32(head + 12, sequence + (uint32_t)i);
		sw_put_u64(head + 16, sw_layout_checksum(
			id, head, SW_FRAME_CHECKED_SIZE,
			head + SW_FRAME_HEAD_SIZE,
			length - SW_FRAME_HEAD_SIZE));
		if (fwrite(head, length, 1, out) != 1)
			return -1;
	}
	return 0;
}

static int repeat_file(int dirfd, const char *name, size_t count)
{
	int fd = openat(dirfd, name, O_RDWR | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r+");
	struct stat status = { .st_size = 0 };
	uint8_t *bytes = NULL;
	int rc = -1;

	if (file && fstat(fd, &status) == 0)
		bytes = malloc((size_t)status.st_size + 1);
	if (bytes && fread(bytes, (size_t)status.st_size, 1, file) == 1 &&
	    fseek(file, 0, SEEK_SET) == 0 && ftruncate(fd, 0) == 0)
		rc = repeat(file, bytes, (size_t)status.st_size, count);
	free(bytes);
	if (file && fclose(file) != 0)
		rc = -1;
	return rc;
}

int bomb_write(const struct bomb *bomb, int dirfd, const char *name,
	       struct sw_error *error)
{
	struct sw_writer *writer = sw_writer_create(dirfd, name, true, error);
	int rc = -1;

	if (!writer)
		return -1;
	if (put_job(bomb, writer, error) == 0 &&
	    sw_writer_flush(writer, 1) == 0 &&
	    (bomb->is_text ? put_texts(bomb, writer, error) :
			     put_numbers(bomb, writer, error)) == 0)
		rc = sw_writer_finish(writer, 1, error);
	sw_writer_destroy(writer);
	if (rc == 0 && repeat_file(dirfd, name, bomb->count) < 0)
		return sw_error_errno(error, "%s", name);
	return rc;
}
