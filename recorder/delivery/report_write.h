/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The child that holds a job's error file.  It takes the file from the hook's
 * message, becomes the user, and is the only process of ours that asks, writes
 * or closes the file: each of these may wait for ever.
 *
 * A report goes to the end of a regular file of the user's, whatever its name
 * is: Slurm wrote the job's messages there.
 */
#ifndef SW_RECORDER_REPORT_WRITE_H
#define SW_RECORDER_REPORT_WRITE_H

#include <stddef.h>
#include <sys/types.h>

enum { SW_REPORT_BYTES_MAX = 4096 };

/* Its exit status. */
enum sw_report_written {
	SW_REPORT_WRITTEN = 0,
	SW_REPORT_FAILED = 1,
	SW_REPORT_NO_FILE = 2,	/* a terminal, a pipe, /dev/null, ... */
	SW_REPORT_FOREIGN = 3,	/* another user's file */
	SW_REPORT_UNWRITABLE = 4,	/* a full disk, a quota; it is as before */
};

/*
 * Fork it.  peer_fd is the socket in which the hook's message lies.  Returns
 * its pid and in *text_fd where the text goes, in one send(2); with text_fd
 * NULL the child lets go of the file at once.  -1 with errno.
 */
pid_t sw_report_write_begin(int peer_fd, uid_t uid, gid_t gid, int *text_fd);

#endif
