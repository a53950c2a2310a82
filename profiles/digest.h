/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Digest of a finished profile, to verify that a copy is complete. */
#ifndef SW_PROFILES_DIGEST_H
#define SW_PROFILES_DIGEST_H

#include <stddef.h>

enum { SW_DIGEST_SIZE = 33 };

/*
 * Compute XXH3-128 of all bytes of the open file, as 32 hexadecimal digits in
 * XXH's canonical order.  It is no secret: a user who can change a profile can
 * compute it too, so keep it where that user cannot write.  Returns 0, or -1
 * with errno.
 */
int sw_digest(int fd, char digest[SW_DIGEST_SIZE]);

/* The same for bytes in memory. */
void sw_digest_bytes(const void *bytes, size_t size,
		     char digest[SW_DIGEST_SIZE]);

#endif
