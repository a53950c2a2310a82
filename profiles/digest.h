/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The digest of a finished profile, by which a copy is known to be whole. */
#ifndef SW_PROFILES_DIGEST_H
#define SW_PROFILES_DIGEST_H

#include <stddef.h>

enum { SW_DIGEST_SIZE = 33 };

/*
 * XXH3-128 of all bytes of the open file, as 32 hexadecimal digits in XXH's
 * canonical order.  Not a secret: who may change a profile may also compute
 * it; it has to be kept where that user cannot write.  0, or -1 with errno.
 */
int sw_digest(int fd, char digest[SW_DIGEST_SIZE]);

/* The same of bytes in memory. */
void sw_digest_bytes(const void *bytes, size_t size,
		     char digest[SW_DIGEST_SIZE]);

#endif
