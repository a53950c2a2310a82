/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a profile.  Every byte is hostile: a damaged frame costs its own
 * rows and no others, is counted, and never yields a wrong value.  Works on
 * finished files and on NAME.part with its NAME.tail beside it.
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

/* One column of a table, all rows: numbers or texts, the other is NULL. */
struct sw_reader_column {
	char name[SW_NAME_SIZE_MAX];
	char unit[SW_NAME_SIZE_MAX];
	enum sw_kind kind;
	const uint64_t *numbers;
	const char *const *texts;	/* NULL entries are missing values */
};

/*
 * One table, all its rows in the order of frames, then tail.  In a table with
 * a key, the rows of one frame are grouped by key; of one key, and in a table
 * without, they are in the order of writing.
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
 * Whether somebody is at work on a file without an end: the writer of a .part
 * holds a lock.  Not known where the file system has no locks.
 */
enum sw_reader_writer {
	SW_WRITER_UNKNOWN,
	SW_WRITER_ALIVE,
	SW_WRITER_GONE,		/* it was killed */
	SW_WRITER_DONE,		/* no .part, no lock: it had finished the file */
};

/* How whole the file is. */
struct sw_reader_health {
	bool is_finished;	/* the end frame is there */
	enum sw_reader_writer writer;	/* DONE where it is finished */
	bool is_from_tail;	/* rows came from a tail: the writer was killed */
	uint64_t frames_read;
	uint64_t frames_damaged;	/* stretches that no frame could be read from */
	uint64_t bytes_damaged;
	uint64_t frames_missing;	/* by gaps in the sequence numbers */
	uint64_t frames_unknown;	/* types of a later version, skipped */
	uint64_t rows_dropped;	/* by the writer: from end frame or tail */
};

/*
 * A stretch of damaged bytes and the times of the good rows around it.  The
 * tail counts as following the file.
 */
struct sw_reader_gap {
	uint64_t offset_bytes;
	uint64_t length_bytes;
	uint64_t after_usec;	/* last good time before; SW_MISSING if none */
	uint64_t before_usec;	/* first good time after; SW_MISSING if none */
};

/* Of one table these columns, NULL-terminated, beside its texts and key. */
struct sw_reader_only {
	const char *table;
	const char *const *columns;
	bool passes_texts;	/* a text is wanted only if it is named */
};

/*
 * What of a profile is wanted, and how much memory it may take: 0 is what can
 * be read at all.  Few bytes can be made to become very many; beyond 128 MiB
 * no file becomes more than 256 times as large as it is, whatever is asked.
 */
struct sw_reader_want {
	bool no_series;		/* leave out the tables "series.*" */
	/* Its other columns are passed over; NULL: none is. */
	const struct sw_reader_only *only;
	bool has_digest;	/* of the file as it was read */
	size_t file_max_bytes;
	size_t foreign_max_bytes;	/* the same, if it is another user's */
	size_t values_max_bytes;	/* of what it holds, decoded */
};

/* The file that was read: whose it is, and its digest or "". */
struct sw_reader_origin {
	uint64_t owner;
	char digest[SW_DIGEST_SIZE];
};

/*
 * Read the whole profile at path into memory.  Returns NULL with *error set
 * and errno: ENOENT, EACCES, EISDIR, EINVAL (no profile), ENOTSUP (another
 * version), EFBIG (also for a file of
 * holes), ENOMEM, ELOOP.  A damaged file is not an error as long as
 * its header is readable: see the health.  A link is followed where it is the
 * caller's or root's: what another user made may lead anywhere.
 */
struct sw_reader *sw_reader_open(const char *path, struct sw_error *error);

/*
 * The same of the last part of path in an opened folder, no link among what it
 * takes unless follows_links says as above.  want may be NULL.
 */
struct sw_reader *sw_reader_open_in(int dirfd, const char *path,
				    bool follows_links,
				    const struct sw_reader_want *want,
				    struct sw_error *error);

const struct sw_reader_origin *sw_reader_origin(const struct sw_reader *reader);

/* Bytes of decoded values and texts that it holds. */
size_t sw_reader_held_bytes(const struct sw_reader *reader);

size_t sw_reader_table_count(const struct sw_reader *reader);
const struct sw_reader_table *sw_reader_table(const struct sw_reader *reader,
					      size_t index);

/* By name; NULL if the file has no such table or column. */
const struct sw_reader_table *sw_reader_find(const struct sw_reader *reader,
					     const char *table);
const struct sw_reader_column *
sw_reader_find_column(const struct sw_reader_table *table, const char *column);

/*
 * Put the rows of each table that has the column, a number, in its order; rows
 * of one value stay in theirs.  except names the tables that stay as they are,
 * NULL-terminated.  0, or -1 with errno ENOMEM.
 */
int sw_reader_group(struct sw_reader *reader, const char *column,
		    const char *const *except);

const struct sw_reader_health *sw_reader_health(const struct sw_reader *reader);
size_t sw_reader_gap_count(const struct sw_reader *reader);
const struct sw_reader_gap *sw_reader_gap(const struct sw_reader *reader,
					  size_t index);

/* Free everything, columns included.  Takes NULL. */
void sw_reader_close(struct sw_reader *reader);

#endif
