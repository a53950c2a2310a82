/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only parser of kernel text.  Paths are always below a directory fd that
 * the caller gives, so that tests can give a recorded tree.
 */
#ifndef SW_RECORDER_KERNFILE_H
#define SW_RECORDER_KERNFILE_H

#include <stddef.h>
#include <stdint.h>

#include "common/missing.h"

/*
 * Outcome of a read.  GONE: the thing watched has ended; ABSENT: this machine
 * does not have it; GARBAGE: the kernel's text was not of the known form;
 * LATER: what it is read by is still being brought up.
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

/* ABSENT or GONE where it cannot be opened; fd is -1 then. */
enum sw_read_status sw_kernfile_open(struct sw_kernfile *file, int dirfd,
				     const char *name);
void sw_kernfile_close(struct sw_kernfile *file);

/*
 * The whole text, NUL-terminated.  GARBAGE where it is longer than size - 1
 * bytes or holds a NUL.  A short read is not its end.
 */
enum sw_read_status sw_kernfile_read(const struct sw_kernfile *file, char *buf,
				     size_t size);

/* The same of a file that is opened and closed for it. */
enum sw_read_status sw_kernfile_slurp(int dirfd, const char *name, char *buf,
				      size_t size);

/* One number, or "max", which is SW_MISSING, and nothing else. */
enum sw_read_status sw_kernfile_number(const struct sw_kernfile *file,
				       uint64_t *value);

/*
 * Lines of "key value".  values[i] is that of keys[i], which keeps what it
 * was where no line has the key.
 */
struct sw_kernkey {
	const char *key;
	size_t index;		/* of values[] */
};
enum sw_read_status sw_kernfile_keyed(const struct sw_kernfile *file,
				      const struct sw_kernkey *keys,
				      size_t key_count, uint64_t *values);

/*
 * Lines of "device key=value ...", summed over the devices.  A sum is 0, not
 * missing, where the file is there and no device has done anything.
 */
enum sw_read_status sw_kernfile_nested(const struct sw_kernfile *file,
				       const struct sw_kernkey *keys,
				       size_t key_count, uint64_t *values);

/* "some ... total=N" and "full ... total=N", microseconds. */
enum sw_read_status sw_kernfile_pressure(const struct sw_kernfile *file,
					 uint64_t *some, uint64_t *full);

/* As sw_kernfile_keyed(), of a text that somebody else has read. */
enum sw_read_status sw_kern_parse_keyed(const char *text,
					const struct sw_kernkey *keys,
					size_t key_count, uint64_t *values);

/*
 * Lines of "key N0=value N1=value ...": take is called with each value of a
 * key that is looked for, its NUMA node, and the key's index.
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
