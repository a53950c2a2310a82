/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of this user. */
#include "contrib/lsf/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool sw_lsf_process_read(struct sw_lsf_process *process, pid_t pid)
{
	char path[32], text[1024], *name, *end;
	struct stat status;
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	length = fstat(fd, &status) == 0 && status.st_uid == geteuid()
			 ? read(fd, text, sizeof(text) - 1)
			 : -1;
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	name = strchr(text, '(');
	/* The name may hold any byte, also ')'. */
	end = strrchr(text, ')');
	if (!name || !end || end - name - 1 > SW_LSF_COMM_LENGTH ||
	    sscanf(end,
		   ") %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u "
		   "%*d %*d %*d %*d %*d %*d %" SCNu64,
		   &process->state, &process->parent,
		   &process->start_ticks) != 3)
		return false;
	process->pid = pid;
	snprintf(process->comm, sizeof(process->comm), "%.*s",
		 (int)(end - name - 1), name + 1);
	return true;
}

size_t sw_lsf_process_file(pid_t pid, const char *name, char *text, size_t size)
{
	size_t length = 0;
	ssize_t more = 1;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%.32s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && more > 0 && length + 1 < size) {
		more = read(fd, text + length, size - 1 - length);
		length += more > 0 ? (size_t)more : 0;
	}
	if (fd >= 0)
		close(fd);
	text[length] = '\0';
	return length;
}

void sw_lsf_processes(bool (*take)(void *context,
				   const struct sw_lsf_process *process),
		      void *context)
{
	DIR *dir = opendir("/proc");
	struct sw_lsf_process process;
	struct dirent *entry;
	struct stat status;
	bool goes_on = true;

	while (dir && goes_on && (entry = readdir(dir))) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9' ||
		    fstatat(dirfd(dir), entry->d_name, &status, 0) < 0 ||
		    status.st_uid != geteuid())
			continue;
		if (sw_lsf_process_read(&process, atoi(entry->d_name)))
			goes_on = take(context, &process);
	}
	if (dir)
		closedir(dir);
}
