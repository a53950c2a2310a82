/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers of fuse_stall to the kernel's requests (linux/fuse.h). */
#ifndef TEST_FUSE_SERVE_H
#define TEST_FUSE_SERVE_H

#include <linux/fuse.h>
#include <stddef.h>

enum {
	SERVE_WRITE_MAX = 128 << 10,
	SERVE_BUFFER_SIZE = SERVE_WRITE_MAX + 4096,
};

/* Perform a request and send its answer, if one is expected. */
void serve(int fuse_fd, const struct fuse_in_header *in);
/* Answer with a failure: a positive errno. */
void serve_error(int fuse_fd, const struct fuse_in_header *in, int error);
/* Return the opcode of a name such as "read"; 0: there is none. */
uint32_t serve_opcode(const char *name);

#endif
