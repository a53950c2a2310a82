/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of profiles/ share: tables whose every value follows from
 * the row's serial number, so that any row that is read can be checked.
 */
#ifndef SW_TEST_PROFILES_KIT_H
#define SW_TEST_PROFILES_KIT_H

#include <check.h>
#include <stdbool.h>
#include <stdint.h>

#include "profiles/reader.h"
#include "profiles/reader_internal.h"
#include "profiles/writer.h"

/* ck_assert() notes every call in a file: too slow for millions of them. */
#define kit_require(condition)                                \
	do {                                                  \
		if (!(condition))                             \
			ck_abort_msg("not so: %s", #condition);\
	} while (0)

enum { KIT_SERIES, KIT_EVENTS, KIT_TABLES };

/* A folder of its own; removed with all its files by kit_fini(). */
struct kit {
	char path[128];
	int dirfd;
	int tables[KIT_TABLES];
};

void kit_init(struct kit *kit);
void kit_fini(struct kit *kit);
const char *kit_file(const struct kit *kit, const char *name);

/* A writer with both tables. */
struct sw_writer *kit_create(struct kit *kit, const char *name);

/* Rows with odd serials go to the events, the others to the series. */
int kit_row(const struct kit *kit, struct sw_writer *writer, uint64_t serial,
	    uint64_t now_usec);

/*
 * Check every row of the reader against its serial number, and that none
 * comes twice.  Sets the bits of those seen; returns how many there were.
 */
uint64_t kit_check(const struct sw_reader *reader, bool *seen, uint64_t limit);

/* The bytes of a file in memory of exactly that size. */
struct sw_bytes kit_load(const struct kit *kit, const char *name);
struct sw_bytes kit_copy(struct sw_bytes bytes, size_t size);
void kit_free(struct sw_bytes bytes);
void kit_store(const struct kit *kit, const char *name, struct sw_bytes bytes);

/* All that a reader gives, as text; the caller frees it. */
char *kit_dump(const struct sw_reader *reader);

/* A small pseudorandom number from any number. */
uint64_t kit_mix(uint64_t value);

#endif
