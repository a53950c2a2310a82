/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mkprofile [--unfinished|--major N] TEXT PROFILE: generate a profile from its
 * text form; with --major one that claims another version of the format.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profiles/layout.h"
#include "test/text_profile.h"

/* The header is the first frame; a forged one needs a new checksum. */
static int set_major(const char *path, unsigned long major)
{
	uint8_t frame[SW_FRAME_HEAD_SIZE + 512];
	uint8_t *payload = frame + SW_FRAME_HEAD_SIZE;
	int fd = open(path, O_RDWR | O_CLOEXEC), rc = -1;
	size_t size;

	if (fd < 0)
		return -1;
	if (read(fd, frame, sizeof(frame)) <= SW_FRAME_HEAD_SIZE ||
	    sw_get_u16(frame + 4) != SW_FRAME_HEADER)
		goto out;
	size = sw_get_u32(frame + 8);
	if (size > sizeof(frame) - SW_FRAME_HEAD_SIZE)
		goto out;
	sw_put_u16(payload, (uint16_t)major);
	sw_put_u64(frame + 16,
		   sw_layout_checksum(0, frame, SW_FRAME_CHECKED_SIZE, payload,
				      size));
	if (pwrite(fd, frame, SW_FRAME_HEAD_SIZE + 2, 0) ==
	    SW_FRAME_HEAD_SIZE + 2)
		rc = 0;
out:
	close(fd);
	return rc;
}

int main(int argc, char **argv)
{
	bool is_finished = true;
	unsigned long major = 0;
	struct sw_error error;
	int first = 1;

	if (argc > 1 && !strcmp(argv[1], "--unfinished")) {
		is_finished = false;
		first = 2;
	} else if (argc > 2 && !strcmp(argv[1], "--major")) {
		major = strtoul(argv[2], NULL, 10);
		first = 3;
	}
	if (argc - first != 2) {
		fputs("usage: mkprofile [--unfinished|--major N] TEXT "
		      "PROFILE\n", stderr);
		return 2;
	}
	if (text_profile_write(argv[first], argv[first + 1], is_finished,
			       &error) < 0) {
		fprintf(stderr, "mkprofile: %s\n", error.text);
		return 1;
	}
	if (major && set_major(argv[first + 1], major) < 0) {
		fprintf(stderr, "mkprofile: %s: no header to change\n",
			argv[first + 1]);
		return 1;
	}
	return 0;
}
