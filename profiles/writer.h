/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Write a profile.  FORMAT.md describes the bytes.
 *
 * Rows go into a tail file beside the profile, mapped shared, so that they
 * outlive a killed writer.  A block closes after SW_BLOCK_USEC_MAX of rows
 * (SW_BLOCK_USEC_NO_TAIL if the file system has no room for a tail) or when the
 * tail is full; it is then encoded and appended as one frame of all series and
 * one of all other tables.  Nothing here ends the process, waits for anything
 * but the file system, or allocates after sw_writer_create().  Data that cannot
 * be written is dropped and counted, never half written: the file ends at its
 * last good frame.  Not thread safe; all writers of a process belong to one
 * thread.  Nothing is synced to the disk: rows survive the death of the
 * process, not of the node.  Others must not truncate the tail while it is
 * written.
 */
#ifndef SW_PROFILES_WRITER_H
#define SW_PROFILES_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "profiles/table.h"

#define SW_BLOCK_USEC_MAX ((uint64_t)300 * 1000000)
/* Limits the rows that a kill costs without a tail. */
#define SW_BLOCK_USEC_NO_TAIL ((uint64_t)5 * 1000000)
#define SW_BLOCK_BYTES_MAX ((size_t)1 << 20)

struct sw_writer;

/* Statistics of a writer; those of rows and drops are also in the end frame. */
struct sw_writer_stats {
	uint64_t rows_written;		/* accepted by sw_writer_row() */
	uint64_t rows_dropped;		/* no room, or the disk refused them */
	uint64_t bytes_written;		/* of the profile file */
	uint64_t first_drop_usec;	/* CLOCK_BOOTTIME; SW_MISSING if none */
	uint64_t last_drop_usec;
	bool has_tail;			/* false: a kill loses the open rows */
};

/*
 * Create the profile NAME below the folder dirfd: the file is NAME.part and its
 * tail NAME.tail until sw_writer_finish().  Existing files of these names are
 * an error (EEXIST) unless is_replacing; a file that is being written is always
 * an error (EBUSY).  Returns NULL with *error set.  The caller keeps dirfd open
 * for the writer's life.
 */
struct sw_writer *sw_writer_create(int dirfd, const char *name,
				   bool is_replacing, struct sw_error *error);

/*
 * Describe a table; must precede its rows.  Returns the table's number, the
 * same number if it was described with the same columns before, or -1 with
 * errno (EINVAL: breaks a limit of table.h, or the name is used by a table with
 * other columns).  The strings are copied; the source is that of the first
 * description.
 */
int sw_writer_table(struct sw_writer *writer, const struct sw_table *table,
		    struct sw_error *error);

/* Return the source that the file has for the table of this number. */
const char *sw_writer_source(const struct sw_writer *writer, int table);

/*
 * Append a row: one value per column.  now_usec is CLOCK_BOOTTIME and decides
 * when a block closes.  Returns 0, or -1 with errno when the row was dropped
 * (it is counted; the caller goes on): EINVAL no such table, EMSGSIZE a text of
 * SW_TEXT_SIZE_MAX bytes or more, ENOSPC disk and tail are full; rows of
 * series.* are dropped before those of other tables.
 */
int sw_writer_row(struct sw_writer *writer, int table,
		  const union sw_value *values, uint64_t now_usec);

/*
 * Accept no more rows of series.*, which make a profile grow: each is dropped
 * and counted, as on a full disk.  All other tables go on.
 */
void sw_writer_hold_series(struct sw_writer *writer);

/*
 * Close blocks only when they are full: for a file of few rows a day, whose
 * columns are read by themselves.  Readers find the rows in the tail until
 * then, so without a tail this does nothing.
 */
void sw_writer_fill_blocks(struct sw_writer *writer);

/* Close the open block now: before a long silence, or to hand the file on. */
int sw_writer_flush(struct sw_writer *writer, uint64_t now_usec);

void sw_writer_stats(const struct sw_writer *writer,
		     struct sw_writer_stats *stats);

/*
 * Flush, write the end frame, rename NAME.part to NAME (never over another
 * file unless is_replacing was given) and remove the tail.  On failure the
 * .part and the tail stay and can be read; *error says what is where.
 */
int sw_writer_finish(struct sw_writer *writer, uint64_t now_usec,
		     struct sw_error *error);

/*
 * Return the open file, for readers of a file whose name is gone.  The writer
 * keeps ownership.
 */
int sw_writer_fd(const struct sw_writer *writer);

/* Free; without a finish the files stay as they are.  NULL is allowed. */
void sw_writer_destroy(struct sw_writer *writer);

#endif
