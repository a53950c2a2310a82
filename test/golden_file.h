/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that hold what is expected; "make golden" rewrites those that differ. */
#ifndef SW_TEST_GOLDEN_FILE_H
#define SW_TEST_GOLDEN_FILE_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOLDEN_HINT "\"make golden\" rewrites it; read the difference before " \
	"you commit it"

enum { GOLDEN_SIZE = 1 << 20, GOLDEN_SHOWN_BEFORE = 60 };

static inline bool golden_is_update(void)
{
	return getenv("UPDATE_GOLDEN") != NULL;
}

/* The caller frees it; "" if there is no such file. */
static inline char *golden_file_read(const char *path)
{
	char *golden = calloc(1, GOLDEN_SIZE);
	FILE *file = fopen(path, "re");

	ck_assert_ptr_nonnull(golden);
	if (file) {
		golden[fread(golden, 1, GOLDEN_SIZE - 1, file)] = '\0';
		fclose(file);
	}
	return golden;
}

static inline void golden_file_write(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	ck_assert_msg(file && fputs(text, file) >= 0 && fclose(file) == 0,
		      "%s: cannot be written", path);
}

/* Check does not print long messages: from the first difference on. */
static inline const char *golden_difference(const char *text,
					    const char *golden)
{
	size_t at = 0;

	while (text[at] && text[at] == golden[at])
		at++;
	return text + (at > GOLDEN_SHOWN_BEFORE ? at - GOLDEN_SHOWN_BEFORE : 0);
}

static inline void golden_file_compare(const char *path, const char *text)
{
	char *golden = golden_file_read(path);
	bool is_equal = !strcmp(text, golden);

	if (!is_equal && golden_is_update())
		golden_file_write(path, text);
	else
		ck_assert_msg(is_equal, "%s differs (" GOLDEN_HINT "):\n%.400s",
			      path, golden_difference(text, golden));
	free(golden);
}

#endif
