/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF adds a starter only to the first command of the job, so the job is the
 * shell above it.  The environment is only a hint for finding that shell,
 * because anyone can set it.
 */
#include "contrib/lsf/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/path.h"

enum { ANCESTORS_MAX = 64 };

/* Get the name of a process that runs the job's file; "" if not known. */
static void name_of_file(char *comm)
{
	const char *path = getenv("LSB_JOBFILENAME");

	snprintf(comm, SW_LSF_COMM_LENGTH + 1, "%s",
		 path ? sw_path_name(path) : "");
}

bool sw_lsf_shell_find(struct sw_lsf_process *shell)
{
	const char *text = getenv("LS_JOBPID");
	long named = text ? strtol(text, NULL, 10) : 0;
	char wanted[SW_LSF_COMM_LENGTH + 1];
	struct sw_lsf_process process;
	pid_t pid = getppid();
	bool is_found = false;
	int i;

	name_of_file(wanted);
	for (i = 0; i < ANCESTORS_MAX && pid > 1; i++, pid = process.parent) {
		if (!sw_lsf_process_read(&process, pid))
			break;
		if (pid == named || (!is_found && *wanted &&
				     !strcmp(process.comm, wanted))) {
			*shell = process;
			is_found = true;
		}
		if (pid == named)
			break;
	}
	return is_found;
}
