/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The child that holds a job's error file.  It receives the file from the
 * hook's message, becomes the user, and is the only process of ours that stats,
 * writes or closes the file: each of these may block forever.
 *
 * A report is appended to a regular file of the user, whatever its name: Slurm
 * wrote the job's messages there.
 */
#ifndef SW_RECORDER_REPORT_WRITE_H
#define SW_RECORDER_REPORT_WRITE_H

#include <stddef.h>
#include <sys/types.h>

enum { SW_REPORT_BYTES_MAX = 4096 };

/* Exit status */
enum sw_report_written {
	SW_REPORT_WRITTEN = 0,
	SW_REPORT_FAILED = 1,
	SW_REPORT_NO_FILE = 2,	/* a terminal, a pipe, /dev/null, ... */
	SW_REPORT_FOREIGN = 3,	/* another user's file */
	SW_REPORT_UNWRITABLE = 4,	/* disk full, or quota; unchanged */
};

/*
 * Fork the child.  peer_fd is the socket that contains the hook's message.
 * Return its pid, and in *text_fd the destination for the text, in one send(2);
 * with text_fd NULL the child closes the file immediately.  Return -1 with
 * errno.
 */
pid_t sw_report_write_begin(int peer_fd, uid_t uid, gid_t gid, int *text_fd);

#endif
