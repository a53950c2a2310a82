/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptors inherited by the recorder. */
#include "recorder/run/descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

bool sw_descriptors_hold(void)
{
	bool has_stderr = fcntl(STDERR_FILENO, F_GETFD) >= 0;
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", O_RDWR | O_CLOEXEC) != fd)
			break;
	}
	return has_stderr;
}

/* Descriptors without close-on-exec were inherited: ours all have it. */
static void close_inherited(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		int fd = (int)strtol(entry->d_name, NULL, 10);
		int flags;

		if (fd <= STDERR_FILENO)
			continue;
		flags = fcntl(fd, F_GETFD);
		if (flags >= 0 && !(flags & FD_CLOEXEC))
			close(fd);
	}
	closedir(dir);
}

void sw_descriptors_drop(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		close(null);
	}
	close_inherited();
}
