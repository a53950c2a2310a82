/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF puts a starter before the first command of the job alone, so that the
 * job is the shell above it.  What the environment says of that shell is no
 * more than a hint: anybody can set it.
 */
#include "contrib/lsf/shell.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the kernel keeps of a name (TASK_COMM_LEN), without the NUL. */
enum { COMM_LENGTH = 15, ANCESTORS_MAX = 64 };

struct ancestor {
	struct sw_lsf_shell shell;
	pid_t parent;
	char comm[COMM_LENGTH + 1];
};

/* False also where the process is another user's. */
static bool read_process(struct ancestor *process, pid_t pid)
{
	char path[32], text[1024], *name, *end;
	struct stat status;
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	length = fstat(fd, &status) == 0 && status.st_uid == geteuid() ?
			 read(fd, text, sizeof(text) - 1) : -1;
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	name = strchr(text, '(');
	/* The name may hold any byte, also ')'. */
	end = strrchr(text, ')');
	if (!name || !end || end - name - 1 > COMM_LENGTH ||
	    sscanf(end, ") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u "
			"%*d %*d %*d %*d %*d %*d %" SCNu64, &process->parent,
		   &process->shell.start_ticks) != 2)
		return false;
	process->shell.pid = pid;
	snprintf(process->comm, sizeof(process->comm), "%.*s",
		 (int)(end - name - 1), name + 1);
	return true;
}

/* The job's file as a name of a process; "" where it is not known. */
static void name_of_file(char *comm)
{
	const char *path = getenv("LSB_JOBFILENAME");
	const char *slash = path ? strrchr(path, '/') : NULL;

	snprintf(comm, COMM_LENGTH + 1, "%s", slash ? slash + 1 :
		 path ? path : "");
}

bool sw_lsf_shell_find(struct sw_lsf_shell *shell)
{
	const char *text = getenv("LS_JOBPID");
	long named = text ? strtol(text, NULL, 10) : 0;
	char wanted[COMM_LENGTH + 1];
	struct ancestor process;
	pid_t pid = getppid();
	bool is_found = false;
	int i;

	name_of_file(wanted);
	for (i = 0; i < ANCESTORS_MAX && pid > 1; i++, pid = process.parent) {
		if (!read_process(&process, pid))
			break;
		if (pid == named || (!is_found && *wanted &&
				     !strcmp(process.comm, wanted))) {
			*shell = process.shell;
			is_found = true;
		}
		if (pid == named)
			break;
	}
	return is_found;
}
