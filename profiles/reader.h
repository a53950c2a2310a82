/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read a profile.  Every byte is untrusted: a damaged frame costs its own rows
 * and no others, is counted, and never yields a wrong value.  Works on finished
 * files and on NAME.part with its NAME.tail beside it.
 */
#ifndef SW_PROFILES_READER_H
#define SW_PROFILES_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "profiles/digest.h"
#include "profiles/table.h"

struct sw_reader;

/* A column of a table, all rows.  Either numbers or texts is NULL. */
struct sw_reader_column {
	char name[SW_NAME_SIZE_MAX];
	char unit[SW_NAME_SIZE_MAX];
	enum sw_kind kind;
	const uint64_t *numbers;
	const char *const *texts;	/* NULL entries are missing values */
};

/*
 * A table with all its rows, those of frames before those of the tail.  In a
 * table with a key, the rows of one frame are grouped by key.  Rows of one key,
 * and rows of a table without key, are in the order of writing.
 */
struct sw_reader_table {
	char name[SW_NAME_SIZE_MAX];
	char source[SW_NAME_SIZE_MAX];
	enum sw_scope scope;
	size_t column_count;
	const struct sw_reader_column *columns;
	size_t row_count;
	bool is_grouped;	/* by sw_reader_group() */
};

/*
 * State of the writer of a file without an end frame: the writer of a .part
 * holds a lock.  Unknown if the file system has no locks.
 */
enum sw_reader_writer {
	SW_WRITER_UNKNOWN,
	SW_WRITER_ALIVE,
	SW_WRITER_GONE,		/* it was killed */
	SW_WRITER_DONE,		/* no .part, no lock: file was finished */
};

/* Completeness of the file. */
struct sw_reader_health {
	bool is_finished;	/* the end frame was found */
	enum sw_reader_writer writer;	/* DONE if finished */
	bool is_from_tail;	/* rows came from a tail: writer was killed */
	uint64_t frames_read;
	uint64_t frames_damaged;	/* ranges without a readable frame */
	uint64_t bytes_damaged;
	uint64_t frames_missing;	/* gaps in the sequence numbers */
	uint64_t frames_unknown;	/* skipped: types of a later version */
	uint64_t rows_dropped;	/* by the writer: from end frame or tail */
};

/*
 * A range of damaged bytes and the times of the good rows around it.  The tail
 * counts as following the file.
 */
struct sw_reader_gap {
	uint64_t offset_bytes;
	uint64_t length_bytes;
	uint64_t after_usec;	/* last good time before; SW_MISSING if none */
	uint64_t before_usec;	/* first good time after; SW_MISSING if none */
};

/* Read these columns of a table (NULL-terminated), and its texts and key. */
struct sw_reader_only {
	const char *table;
	const char *const *columns;
	bool passes_texts;	/* read a text only if it is named */
};

/*
 * Parts of a profile to read, and limits; 0: only the built-in limit.  Few
 * bytes can be made to expand to very many: beyond 128 MiB no file may use more
 * than 256 times its size, whatever the limits.
 */
struct sw_reader_want {
	bool no_series;		/* leave out the tables "series.*" */
	/* The table's other columns are skipped; NULL: none is. */
	const struct sw_reader_only *only;
	size_t only_count;	/* of tables in only */
	bool no_others;		/* leave out the tables that are not in only */
	bool has_digest;	/* compute the digest of the file as read */
	size_t file_max_bytes;
	size_t foreign_max_bytes;	/* the same, for another user's file */
	size_t values_max_bytes;	/* decoded values and texts */
};

/* Owner of the file that was read, and its digest or "". */
struct sw_reader_origin {
	uint64_t owner;
	char digest[SW_DIGEST_SIZE];
};

/*
 * Read the whole profile at path into memory.  Returns NULL with *error set and
 * errno: ENOENT, EACCES, EISDIR, EINVAL (no profile), ENOTSUP (another
 * version), EFBIG (also for a sparse file), ENOMEM, ELOOP.  A damaged file is
 * not an error if its header is readable: see the health.  A symbolic link is
 * followed only if the caller or root owns it: another user's may lead
 * anywhere.
 */
struct sw_reader *sw_reader_open(const char *path, struct sw_error *error);

/*
 * The same for the last component of path in an open folder.  follows_links:
 * follow links as above, otherwise accept none.  want may be NULL.
 */
struct sw_reader *sw_reader_open_in(int dirfd, const char *path,
				    bool follows_links,
				    const struct sw_reader_want *want,
				    struct sw_error *error);

const struct sw_reader_origin *sw_reader_origin(const struct sw_reader *reader);

/* Return the bytes of decoded values and texts held by the reader. */
size_t sw_reader_held_bytes(const struct sw_reader *reader);

size_t sw_reader_table_count(const struct sw_reader *reader);
const struct sw_reader_table *sw_reader_table(const struct sw_reader *reader,
					      size_t index);

/* Return true if the file has the table, even if it was left out. */
bool sw_reader_has(const struct sw_reader *reader, const char *table);

/* Find by name; NULL if the file has no such table or column. */
const struct sw_reader_table *sw_reader_find(const struct sw_reader *reader,
					     const char *table);
const struct sw_reader_column *
sw_reader_find_column(const struct sw_reader_table *table, const char *column);

/*
 * Sort the rows of each table that has the numeric column by it, stably.
 * except lists the tables to leave alone, NULL-terminated.  Returns 0, or -1
 * with errno ENOMEM.
 */
int sw_reader_group(struct sw_reader *reader, const char *column,
		    const char *const *except);

const struct sw_reader_health *sw_reader_health(const struct sw_reader *reader);
size_t sw_reader_gap_count(const struct sw_reader *reader);
const struct sw_reader_gap *sw_reader_gap(const struct sw_reader *reader,
					  size_t index);

/* Free everything, columns included.  NULL is allowed. */
void sw_reader_close(struct sw_reader *reader);

#endif
