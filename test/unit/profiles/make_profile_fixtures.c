/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generate the stored profiles of this version and the fuzzer's first corpus,
 * in the given folders.  Run by hand for a new version of the format; existing
 * files are never generated again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profiles_rows.h"

enum { TAIL_HEAD_GIVEN = 64, TAIL_KEPT = 16 * 1024, TICKS = 60 };

/* This version; files of older ones are never generated again. */
#define VERSION "v1.1"

static struct kit kit;

static void write_profile(uint64_t rows, uint64_t block_rows, bool is_finished)
{
	struct sw_writer *writer = kit_create(&kit, "one");
	struct rows_kit recorded;

	rows_define(&recorded, writer);
	for (uint64_t i = 0; i < TICKS; i++)
		rows_write(&recorded, writer, i);
	for (uint64_t i = 0; i < rows; i++) {
		if (i && i % block_rows == 0)
			sw_writer_flush(writer, i * 1000000);
		kit_row(&kit, writer, i, 5000000 + i * 1000000);
	}
	if (is_finished)
		sw_writer_finish(writer, rows * 1000000, NULL);
	sw_writer_destroy(writer);
}

static void save(const char *dir, const char *name, struct sw_bytes bytes)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "wbx");
	if (!file || fwrite(bytes.at, 1, bytes.size, file) != bytes.size ||
	    fclose(file) != 0) {
		perror(path);
		exit(EXIT_FAILURE);
	}
}

static size_t fixed_size(const uint8_t *head)
{
	switch (sw_get_u16(head + 4)) {
	case SW_FRAME_BLOCK:
		return SW_BLOCK_FIXED_SIZE +
		       sw_get_u16(head + SW_FRAME_HEAD_SIZE + 8);
	case SW_FRAME_HEADER:
		return SW_HEADER_FIXED_SIZE;
	case SW_FRAME_DEFINITION:
		return SW_DEFINITION_FIXED_SIZE;
	case SW_FRAME_DEFINITIONS:
		return SW_DEFINITIONS_FIXED_SIZE;
	default:
		return SW_END_FIXED_SIZE;
	}
}

/* The same file without zstd, so that mutations reach the codec. */
static struct sw_bytes unpack(struct sw_bytes file)
{
	uint8_t *out = malloc(1 << 20), *to = out;

	for (size_t at = 0; at < file.size;) {
		const uint8_t *head = file.at + at;
		size_t payload = sw_get_u32(head + 8);
		size_t fixed = fixed_size(head);
		size_t body = payload - fixed;

		memcpy(to, head, SW_FRAME_HEAD_SIZE + payload);
		if (sw_get_u16(head + 6)) {
			body = ZSTD_decompress(
				to + SW_FRAME_HEAD_SIZE + fixed, 1 << 17,
				head + SW_FRAME_HEAD_SIZE + fixed, body);
			sw_put_u16(to + 6, 0);
			sw_put_u32(to + 8, (uint32_t)(fixed + body));
		}
		to += SW_FRAME_HEAD_SIZE + fixed + body;
		at += SW_FRAME_HEAD_SIZE + payload;
	}
	return (struct sw_bytes){ out, (size_t)(to - out) };
}

/* Write an input of fuzz_reader: flags, size of the tail, file, tail. */
static void save_input(const char *dir, const char *name, uint8_t flags,
		       struct sw_bytes file, struct sw_bytes tail)
{
	size_t rows = tail.size ? (size_t)sw_get_u64(tail.at + SW_TAIL_AT_USED)
				: 0;
	size_t tail_size = tail.size ? TAIL_HEAD_GIVEN + rows : 0;
	uint8_t *input = malloc(3 + file.size + tail_size);

	input[0] = flags;
	sw_put_u16(input + 1, (uint16_t)tail_size);
	memcpy(input + 3, file.at, file.size);
	if (tail.size) {
		memcpy(input + 3 + file.size, tail.at, TAIL_HEAD_GIVEN);
		memcpy(input + 3 + file.size + TAIL_HEAD_GIVEN,
		       tail.at + SW_TAIL_HEAD_SIZE, rows);
	}
	save(dir, name, (struct sw_bytes){ input, 3 + file.size + tail_size });
	free(input);
}

static void make_corpus(const char *dir)
{
	const struct sw_bytes none = { NULL, 0 };
	struct sw_bytes file, tail;

	write_profile(24, 9, true);
	file = kit_load(&kit, "one");
	save_input(dir, VERSION "-finished", 0, file, none);
	save_input(dir, VERSION "-finished-repaired", 1, file, none);
	save_input(dir, VERSION "-unpacked-repaired", 1, unpack(file), none);
	file.size /= 2;
	save_input(dir, VERSION "-truncated", 0, file, none);
	remove(kit_file(&kit, "one"));
	write_profile(24, 18, false);
	file = kit_load(&kit, "one.part");
	tail = kit_load(&kit, "one.tail");
	save_input(dir, VERSION "-killed", 0, file, tail);
	save_input(dir, VERSION "-killed-repaired", 1, unpack(file), tail);
	remove(kit_file(&kit, "one.part"));
	remove(kit_file(&kit, "one.tail"));
}

/* To be checked by a person before use. */
static void save_dump(const char *dir, const char *name, const char *profile)
{
	struct sw_reader *reader =
		sw_reader_open(kit_file(&kit, profile), NULL);
	char *text = kit_dump(reader);

	save(dir, name,
	     (struct sw_bytes){ (const uint8_t *)text, strlen(text) });
	free(text);
	sw_reader_close(reader);
}

static void make_golden(const char *dir)
{
	struct sw_bytes tail;

	write_profile(40, 15, true);
	save(dir, VERSION ".stepwell", kit_load(&kit, "one"));
	save_dump(dir, VERSION ".dump", "one");
	remove(kit_file(&kit, "one"));
	write_profile(40, 15, false);
	save(dir, VERSION "-killed.stepwell.part", kit_load(&kit, "one.part"));
	tail = kit_load(&kit, "one.tail");
	tail.size = TAIL_KEPT;
	save(dir, VERSION "-killed.stepwell.tail", tail);
	save_dump(dir, VERSION "-killed.dump", "one.part");
}

static const char *const *folders;

/* The kit only works inside a test. */
START_TEST(make_all)
{
	kit_init(&kit);
	make_corpus(folders[1]);
	make_golden(folders[0]);
	kit_fini(&kit);
}
END_TEST

int main(int argc, char **argv)
{
	Suite *suite = suite_create("make_profile_fixtures");
	TCase *tcase = tcase_create("make");
	SRunner *runner = srunner_create(suite);
	int failed;

	if (argc != 3) {
		fprintf(stderr, "usage: %s GOLDEN-DIR CORPUS-DIR\n", argv[0]);
		return 2;
	}
	folders = (const char *const *)argv + 1;
	tcase_add_test(tcase, make_all);
	suite_add_tcase(suite, tcase);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
