/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answers of fuse_stall to what the kernel asks (linux/fuse.h). */
#ifndef TEST_FUSE_SERVE_H
#define TEST_FUSE_SERVE_H

#include <linux/fuse.h>
#include <stddef.h>

enum {
	SERVE_WRITE_MAX = 128 << 10,
	SERVE_BUFFER_SIZE = SERVE_WRITE_MAX + 4096,
};

/* Does what is asked, and says so where an answer is expected. */
void serve(int fuse_fd, const struct fuse_in_header *in);
/* The answer that it did not work: a positive errno. */
void serve_error(int fuse_fd, const struct fuse_in_header *in, int error);
/* Of a name such as "read"; 0: there is none. */
uint32_t serve_opcode(const char *name);

#endif
