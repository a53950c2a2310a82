/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Digest of a finished profile. */
#include "profiles/digest.h"

#include <errno.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { READ_SIZE = 65536 };

static void put(XXH128_hash_t hash, char digest[SW_DIGEST_SIZE])
{
	XXH128_canonical_t canonical;

	XXH128_canonicalFromHash(&canonical, hash);
	for (size_t i = 0; i < sizeof(canonical.digest); i++)
		sprintf(digest + 2 * i, "%02x", canonical.digest[i]);
}

int sw_digest(int fd, char digest[SW_DIGEST_SIZE])
{
	unsigned char bytes[READ_SIZE];
	XXH3_state_t state;
	off_t from = 0;
	ssize_t length;

	XXH3_INITSTATE(&state);
	XXH3_128bits_reset(&state);
	while ((length = pread(fd, bytes, sizeof(bytes), from)) != 0) {
		if (length < 0 && errno == EINTR)
			continue;
		if (length < 0)
			return -1;
		XXH3_128bits_update(&state, bytes, (size_t)length);
		from += length;
	}
	put(XXH3_128bits_digest(&state), digest);
	return 0;
}

void sw_digest_bytes(const void *bytes, size_t size,
		     char digest[SW_DIGEST_SIZE])
{
	put(XXH3_128bits(bytes, size), digest);
}
