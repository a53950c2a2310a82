/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a kernel file of any length line by line in a buffer of the caller, for
 * tables that grow with the node.  A line that does not fit is truncated.
 */
#ifndef SW_RECORDER_KERNLINES_H
#define SW_RECORDER_KERNLINES_H

#include <stdbool.h>
#include <sys/types.h>

#include "recorder/kernel/kernfile.h"

enum { SW_KERNLINES_SIZE = 8192 };

struct sw_kernlines {
	const struct sw_kernfile *file;
	off_t offset;		/* of the next data to read */
	size_t next, end;	/* data in buf not returned yet */
	bool is_over;
	bool is_cut;		/* the line returned was truncated */
	char buf[SW_KERNLINES_SIZE];
};

/* Start from the beginning of the file. */
void sw_kernlines_begin(struct sw_kernlines *lines,
			const struct sw_kernfile *file);

/*
 * Return the next line without its newline, or NULL at the end of file.  The
 * caller may change it until the next call.
 */
enum sw_read_status sw_kernlines_next(struct sw_kernlines *lines, char **line);

/* Skip spaces at *text, then do the same as sw_kern_parse_u64(). */
int sw_kern_next_u64(const char **text, uint64_t *value);

/* Parse count such numbers to values[].  Return -1 if there are fewer. */
int sw_kern_next_u64s(const char **text, uint64_t *values, size_t count);

#endif
