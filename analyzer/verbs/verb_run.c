/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepwell run: execute the recorder, which parses the options.  The command
 * itself is never linked with the recorder.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/verbs/verb.h"
#include "config.h"

#define RECORDER "stepwell-recorder"

int sw_verb_own_path(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);

	if (length < 0)
		return -1;
	path[length] = '\0';
	return 0;
}

/* Use the build tree if this program is in one, or the installed path. */
static int recorder_path(char *path, size_t size, const char *own)
{
	const char *folder = getenv("STEPWELL_LIBEXECDIR");
	const char *slash = strrchr(own, '/');
	int length;

	if (folder && *folder)
		return snprintf(path, size, "%s/" RECORDER, folder) <
		       (int)size ? 0 : -1;
	length = snprintf(path, size, "%.*s/../recorder/" RECORDER,
			  slash ? (int)(slash - own) : 0, own);
	if (length < (int)size && access(path, X_OK) == 0)
		return 0;
	return snprintf(path, size, "%s/" RECORDER, PKGLIBEXECDIR) <
	       (int)size ? 0 : -1;
}

static int run(int argc, char **argv)
{
	char own[PATH_MAX], path[PATH_MAX + 64];
	char **args;
	int i, n = 0;

	if (sw_verb_own_path(own, sizeof(own)) < 0 ||
	    recorder_path(path, sizeof(path), own) < 0)
		return sw_complain(SW_EXIT_FAILURE,
				   "run: cannot find my own program, so the "
				   "command was not started: %s",
				   strerror(errno));
	args = calloc((size_t)argc + 5, sizeof(*args));
	if (!args)
		return sw_complain(SW_EXIT_FAILURE, "run: not enough memory");
	args[n++] = RECORDER;
	args[n++] = "--foreground";
	args[n++] = "--reporter";
	args[n++] = own;
	for (i = 1; i < argc; i++)
		args[n++] = argv[i];
	execv(path, args);
	free(args);
	return sw_complain(SW_EXIT_FAILURE, "run: %s: %s; the recorder is not "
			   "where it was installed, so the command was not "
			   "started", path, strerror(errno));
}

const struct sw_verb sw_verb_run = {
	.name = "run",
	.usage = "[OPTION]... -- COMMAND...",
	.help = "records a command and passes on its exit status",
	.manual = "stepwell-run(1)",
	.run = run,
};
