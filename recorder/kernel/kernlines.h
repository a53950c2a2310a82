/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel file of any length, line by line, in memory that the caller keeps:
 * for tables that grow with the node.  Of a line that does not fit the rest is
 * left out.
 */
#ifndef SW_RECORDER_KERNLINES_H
#define SW_RECORDER_KERNLINES_H

#include <stdbool.h>
#include <sys/types.h>

#include "recorder/kernel/kernfile.h"

enum { SW_KERNLINES_SIZE = 8192 };

struct sw_kernlines {
	const struct sw_kernfile *file;
	off_t offset;		/* of what is not in buf yet */
	size_t next, end;	/* what is in buf and was not given out */
	bool is_over;
	bool is_cut;		/* the line given out goes on */
	char buf[SW_KERNLINES_SIZE];
};

/* From the file's start again. */
void sw_kernlines_begin(struct sw_kernlines *lines,
			const struct sw_kernfile *file);

/*
 * The next line, without its end; NULL behind the last one.  It is the
 * caller's to change until the next call.
 */
enum sw_read_status sw_kernlines_next(struct sw_kernlines *lines, char **line);

/* Spaces at *text, stepped over; then as sw_kern_parse_u64(). */
int sw_kern_next_u64(const char **text, uint64_t *value);

/* count such numbers to values[]; -1 where there are fewer. */
int sw_kern_next_u64s(const char **text, uint64_t *values, size_t count);

#endif
