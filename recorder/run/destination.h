/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of a recording: that of --output, or a new one of the user. */
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
	char path[PATH_MAX];		/* for the reporter and for messages */
};

/* The recorder's own exit codes, before the command was started */
enum {
	SW_EXIT_FAILURE = 1,
	SW_EXIT_USAGE = 2,
};

/*
 * Create the profile.  Return 0, or an exit code after a message: SW_EXIT_USAGE
 * if a file is in the way, SW_EXIT_FAILURE otherwise.  A file given by name must
 * be created before the command starts.  Without one, return 0 with writer
 * NULL: the command is more important.
 */
int sw_destination_begin(struct sw_destination *place,
			 const struct sw_options *options);

/*
 * Give up a recording that could not be finished: set path to the unfinished
 * file.  Return false if that was removed, with path set to the open file.
 */
bool sw_destination_fall_back(struct sw_destination *place);

/* Remove the file, since nothing was recorded, and close. */
void sw_destination_discard(struct sw_destination *place);

/* Without sw_writer_finish(), the file remains a partial one. */
void sw_destination_close(struct sw_destination *place);

#endif
