/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Common code of the tests of profiles/: tables whose values all follow from
 * the row's serial number, so that any row can be checked.
 */
#ifndef SW_TEST_PROFILES_KIT_H
#define SW_TEST_PROFILES_KIT_H

#include <check.h>
#include <stdbool.h>
#include <stdint.h>

#include "profiles/reader.h"
#include "profiles/reader_internal.h"
#include "profiles/writer.h"

/* ck_assert() logs every call to a file: too slow for millions of them. */
#define kit_require(condition)                                \
	do {                                                  \
		if (!(condition))                             \
			ck_abort_msg("not so: %s", #condition);\
	} while (0)

enum { KIT_SERIES, KIT_EVENTS, KIT_TABLES };

/* A separate folder; kit_fini() removes it with all its files. */
struct kit {
	char path[128];
	int dirfd;
	int tables[KIT_TABLES];
};

void kit_init(struct kit *kit);
void kit_fini(struct kit *kit);
const char *kit_file(const struct kit *kit, const char *name);

/* Create a writer with both tables. */
struct sw_writer *kit_create(struct kit *kit, const char *name);

/* Rows with odd serials are events, the others series. */
int kit_row(const struct kit *kit, struct sw_writer *writer, uint64_t serial,
	    uint64_t now_usec);

/*
 * Check every row of the reader against its serial number, and that there are
 * no duplicates.  Sets seen for each; returns their number.
 */
uint64_t kit_check(const struct sw_reader *reader, bool *seen, uint64_t limit);

/* Load a file into memory of exactly its size. */
struct sw_bytes kit_load(const struct kit *kit, const char *name);
struct sw_bytes kit_copy(struct sw_bytes bytes, size_t size);
void kit_free(struct sw_bytes bytes);
void kit_store(const struct kit *kit, const char *name, struct sw_bytes bytes);

/* Print everything a reader provides as text; the caller frees it. */
char *kit_dump(const struct sw_reader *reader);

/* Return a small pseudorandom number derived from value. */
uint64_t kit_mix(uint64_t value);

#endif
