/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of a writer: whole frames or nothing. */
#ifndef SW_PROFILES_OUTPUT_H
#define SW_PROFILES_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "profiles/encoder.h"

struct sw_output {
	int fd;			/* -1 if none */
	uint32_t sequence;	/* of the next frame */
	uint64_t id;		/* seeds every checksum but the header's */
	uint64_t end_bytes;	/* after the last good frame */
	uint64_t frame_count;
};

/*
 * Create the file called name below dirfd, locked against other writers.  With
 * is_replacing an existing file that is not being written is removed first.
 * Returns -1 with errno: EEXIST, EBUSY (being written), or that of open(2).
 */
int sw_output_open(struct sw_output *output, int dirfd, const char *name,
		   bool is_replacing);
void sw_output_close(struct sw_output *output);

/*
 * Append a frame after filling in its head.  Returns -1 with errno if the file
 * system refuses it; the file then ends where it did before.
 */
int sw_output_append(struct sw_output *output, enum sw_frame_type type,
		     const struct sw_payload *payload);

#endif
