/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only parser of kernel text.  Paths are always below a directory fd given
 * by the caller, so that tests can provide a recorded tree.
 */
#ifndef SW_RECORDER_KERNFILE_H
#define SW_RECORDER_KERNFILE_H

#include <stddef.h>
#include <stdint.h>

#include "common/missing.h"

/*
 * Result of a read.  GONE: the object has ended or was removed; ABSENT: this
 * machine does not have it; GARBAGE: malformed kernel text; LATER: the backend
 * is still starting.
 */
enum sw_read_status {
	SW_READ_OK,
	SW_READ_LATER,
	SW_READ_ABSENT,
	SW_READ_GONE,
	SW_READ_GARBAGE,
};

enum { SW_KERNFILE_SIZE_MAX = 16384 };

/*
 * Of a call's errno: GONE or ABSENT.  No such file, and no such thing behind an
 * open file, are not errors.
 */
enum sw_read_status sw_kernfile_status_of(int error);

/* A file kept open and read again from its start. */
struct sw_kernfile {
	int fd;			/* -1: not open */
};

/* Open a file.  Return ABSENT or GONE with fd -1 if it cannot be opened. */
enum sw_read_status sw_kernfile_open(struct sw_kernfile *file, int dirfd,
				     const char *name);
void sw_kernfile_close(struct sw_kernfile *file);

/*
 * Read the whole text, NUL-terminated.  Return GARBAGE if it is longer than
 * size - 1 bytes or contains a NUL.  A short read is not the end.
 */
enum sw_read_status sw_kernfile_read(const struct sw_kernfile *file, char *buf,
				     size_t size);

/* Likewise for a file that is opened and closed here. */
enum sw_read_status sw_kernfile_slurp(int dirfd, const char *name, char *buf,
				      size_t size);

/* Read a file with a single number, or "max", which is SW_MISSING. */
enum sw_read_status sw_kernfile_number(const struct sw_kernfile *file,
				       uint64_t *value);

/*
 * Lines of "key value".  values[i] is the value of keys[i], unchanged if no
 * line has that key.
 */
struct sw_kernkey {
	const char *key;
	size_t index;		/* index in values[] */
};
enum sw_read_status sw_kernfile_keyed(const struct sw_kernfile *file,
				      const struct sw_kernkey *keys,
				      size_t key_count, uint64_t *values);

/*
 * Lines of "device key=value ...", summed over the devices.  A sum is 0, not
 * missing, if the file exists and no device was active.
 */
enum sw_read_status sw_kernfile_nested(const struct sw_kernfile *file,
				       const struct sw_kernkey *keys,
				       size_t key_count, uint64_t *values);

/* Read "some ... total=N" and "full ... total=N", in microseconds. */
enum sw_read_status sw_kernfile_pressure(const struct sw_kernfile *file,
					 uint64_t *some, uint64_t *full);

/* As sw_kernfile_keyed(), for a text that was read elsewhere. */
enum sw_read_status sw_kern_parse_keyed(const char *text,
					const struct sw_kernkey *keys,
					size_t key_count, uint64_t *values);

/*
 * Parse lines of "key N0=value N1=value ..." and call take for each value of
 * the given keys, with its NUMA node and the key's index.
 */
enum sw_read_status
sw_kern_parse_nodes(const char *text, const struct sw_kernkey *keys,
		    size_t key_count,
		    void (*take)(void *context, uint64_t node, size_t index,
				 uint64_t value),
		    void *context);

/* Digits at *text, stepped over.  -1 where there are none or too many. */
int sw_kern_parse_u64(const char **text, uint64_t *value);

#endif
