/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps end messages that no recorder received.  Does nothing unless root owns
 * the file.  The recorder removes the file while holding a lock on it, so that
 * nothing is written to a file that will not be read.
 */
#include "spank/drop.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"

enum { TRIES = 8 };

static bool has_room(const struct stat *status, uint32_t length)
{
	return S_ISREG(status->st_mode) && status->st_uid == 0 &&
	       status->st_nlink == 1 &&
	       (uint64_t)status->st_size + length <= SW_DROP_BYTES_MAX;
}

/* Open and lock the file.  Return -1 if there is none or it is being read. */
static int open_kept(struct stat *status)
{
	int fd = open(SW_DROP_PATH, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC |
		      O_NOFOLLOW | O_NONBLOCK, 0600);

	if (fd < 0)
		return -1;
	/* Do not wait: the process that holds the lock may be stopped. */
	if (flock(fd, LOCK_SH | LOCK_NB) == 0 && fstat(fd, status) == 0 &&
	    status->st_nlink > 0)
		return fd;
	close(fd);
	return -1;
}

/* Return false if no waiting time is left. */
static bool nap(uint64_t *wait_usec)
{
	const struct timespec time = { .tv_nsec = 100000 };
	uint64_t before = sw_clock_boottime_usec();

	if (*wait_usec == 0)
		return false;
	nanosleep(&time, NULL);
	*wait_usec = sw_excess_u64(*wait_usec,
				   sw_clock_boottime_usec() - before);
	return true;
}

int sw_drop(const struct sw_message_header *message, uint64_t *wait_usec)
{
	struct stat status;
	int fd, i, rc = -1;

	for (i = 0; (fd = open_kept(&status)) < 0 && i < TRIES; i++) {
		if (access(SW_DROP_FOLDER, F_OK) < 0 || !nap(wait_usec))
			return -1;
	}
	if (fd < 0)
		return -1;
	/* A single write, so that messages of several steps do not mix. */
	if (has_room(&status, message->length) &&
	    write(fd, message, message->length) == (ssize_t)message->length)
		rc = 0;
	close(fd);
	return rc;
}
