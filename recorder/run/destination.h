/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a recording goes: the file of --output, or a new one of the user's. */
#ifndef SW_RECORDER_DESTINATION_H
#define SW_RECORDER_DESTINATION_H

#include <limits.h>

#include "common/error.h"
#include "profiles/writer.h"
#include "recorder/run/options.h"

struct sw_destination {
	struct sw_writer *writer;
	int dirfd;
	char name[NAME_MAX + 1];	/* of the profile below dirfd */
	char path[PATH_MAX];		/* for the reporter and for people */
};

/* The recorder's exit codes of its own: before the command was started. */
enum {
	SW_EXIT_FAILURE = 1,
	SW_EXIT_USAGE = 2,
};

/*
 * Make the profile.  Returns 0, or with *error one of the exit codes above:
 * SW_EXIT_USAGE where a file is in the way, SW_EXIT_FAILURE else.
 */
int sw_destination_open(struct sw_destination *place,
			const struct sw_options *options,
			struct sw_error *error);

/*
 * Likewise, and say why not.  A file that was asked for by name has to be
 * there before the command starts; without one, 0 is returned and the writer
 * is NULL: the command is more important.
 */
int sw_destination_begin(struct sw_destination *place,
			 const struct sw_options *options);

/*
 * Give up a recording that could not be finished.  Its path leads to the
 * unfinished file then, or, where that was removed, to the file that is still
 * open: false is returned.
 */
bool sw_destination_fall_back(struct sw_destination *place);

/* Remove what was made: nothing was recorded.  Closes it. */
void sw_destination_discard(struct sw_destination *place);

/* Without sw_writer_finish() before, the file stays a partial one. */
void sw_destination_close(struct sw_destination *place);

#endif
