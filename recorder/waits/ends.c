/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read the open pipe and socket ends of a process from /proc/PID/fd. */
#include "recorder/waits/ends.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DESCRIPTORS_MAX = 256 };

uint64_t sw_end_inode(const char *name)
{
	static const char *const kinds[] = { "pipe:[", "socket:[" };
	size_t i, length;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		length = strlen(kinds[i]);
		if (!strncmp(name, kinds[i], length))
			return strtoull(name + length, NULL, 10);
	}
	return 0;
}

/* The mode of the link itself shows if it is open for reading or writing. */
static void take(struct sw_ends *ends, int folder_fd, const char *name)
{
	char text[64];
	struct stat status;
	ssize_t length = readlinkat(folder_fd, name, text, sizeof(text) - 1);
	uint64_t inode;

	if (length < 0)
		return;
	text[length] = '\0';
	inode = sw_end_inode(text);
	if (!inode || fstatat(folder_fd, name, &status,
			      AT_SYMLINK_NOFOLLOW) < 0)
		return;
	ends->end[ends->count++] = (struct sw_end){
		.inode = inode & (UINT64_MAX >> 2),
		.can_read = status.st_mode & S_IRUSR,
		.can_write = status.st_mode & S_IWUSR };
}

enum sw_read_status sw_ends_read(struct sw_ends *ends, int proc_fd, pid_t pid)
{
	struct dirent *entry;
	char path[32];
	DIR *folder;
	int fd, i;

	ends->count = 0;
	snprintf(path, sizeof(path), "%d/fd", (int)pid);
	fd = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	folder = fd >= 0 ? fdopendir(fd) : NULL;
	if (!folder) {
		if (fd >= 0)
			close(fd);
		return SW_READ_GONE;
	}
	for (i = 0; i < DESCRIPTORS_MAX && ends->count < SW_ENDS_MAX; i++) {
		entry = readdir(folder);
		if (!entry)
			break;
		if (entry->d_name[0] != '.')
			take(ends, fd, entry->d_name);
	}
	closedir(folder);
	return SW_READ_OK;
}
