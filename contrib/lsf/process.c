/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of this user. */
#include "contrib/lsf/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/missing.h"
#include "common/proc_stat.h"

bool sw_lsf_process_read(struct sw_lsf_process *process, pid_t pid)
{
	struct sw_proc_stat stat;
	struct stat status;
	char folder[32];
	bool is_read;
	int fd;

	snprintf(folder, sizeof(folder), "/proc/%d", (int)pid);
	fd = sw_proc_stat_open(AT_FDCWD, folder);
	if (fd < 0)
		return false;
	is_read = fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
		  sw_proc_stat_take(&stat, fd) == 0;
	close(fd);
	if (!is_read || sw_is_missing(stat.field[SW_PROC_START_TICKS]))
		return false;
	*process = (struct sw_lsf_process){
		.pid = pid,
		.parent = (pid_t)stat.field[SW_PROC_PARENT],
		.start_ticks = stat.field[SW_PROC_START_TICKS],
		.state = stat.state,
	};
	snprintf(process->comm, sizeof(process->comm), "%.*s",
		 SW_LSF_COMM_LENGTH, stat.comm);
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
