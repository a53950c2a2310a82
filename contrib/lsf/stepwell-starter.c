/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepwell-starter [COMMAND...]: for JOB_STARTER of LSF's queues.  Starts the
 * recording of the job and executes COMMAND.  Failures affect only the
 * recording, never the job: nothing is written to its output.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "contrib/lsf/job.h"
#include "contrib/lsf/recorder.h"
#include "contrib/lsf/shell.h"

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

static void record(const char *program)
{
	struct utsname host = { .nodename = "" };
	struct sw_lsf_process shell;
	struct sw_lsf_job job;

	uname(&host);
	if (!sw_lsf_job_read(&job, host.nodename))
		return;
	sw_lsf_record(&job, sw_lsf_shell_find(&shell) ? &shell : NULL,
		      program);
}

/* Search PATH like a shell. */
static void find_command(char *path, size_t size, const char *name)
{
	const char *from = getenv("PATH"), *end;

	snprintf(path, size, "%s", name);
	if (strchr(name, '/'))
		return;
	for (; from; from = *end ? end + 1 : NULL) {
		end = from + strcspn(from, ":");
		snprintf(path, size, "%.*s%s%s", (int)(end - from), from,
			 end > from ? "/" : "", name);
		if (access(path, X_OK) == 0)
			return;
	}
	snprintf(path, size, "%s", name);
}

/* bash sets "_" to the path of each program. */
static void pass_on_path(const char *own, const char *command)
{
	const char *told = getenv("_");
	char path[PATH_MAX];

	if (!told || strcmp(told, own) != 0)
		return;
	find_command(path, sizeof(path), command);
	setenv("_", path, 1);
}

int main(int argc, char **argv)
{
	int failure;

	record(argc > 1 ? argv[1] : "job");
	if (argc < 2)
		return 0;
	pass_on_path(argv[0], argv[1]);
	execvp(argv[1], argv + 1);
	failure = errno;
	fprintf(stderr, "%s: %s\n", argv[1], failure == ENOENT ? "not found" :
		strerror(failure));
	return failure == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}
