/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exit statuses with which programs answer "no", by their manuals. */
#include "analyzer/view/answers.h"

#include <stddef.h>
#include <string.h>

/* Exit status for "no", or for nothing to clean up or to draw on; 0 means any
 * but 0. */
static const struct {
	const char *program;
	uint64_t status;
} answers[] = {
	/* EXIT STATUS of each in POSIX.1-2017, Utilities, or its manual */
	{ "grep", 1 }, { "egrep", 1 }, { "fgrep", 1 }, { "zgrep", 1 },
	{ "rg", 1 }, { "bzgrep", 1 }, { "xzgrep", 1 },
	{ "diff", 1 }, { "zdiff", 1 }, { "cmp", 1 }, { "zcmp", 1 },
	{ "git", 1 },
	{ "test", 1 }, { "[", 1 }, { "expr", 1 }, { "false", 1 },
	{ "pgrep", 1 }, { "pkill", 1 }, { "which", 1 }, { "getent", 2 },
	{ "pkg-config", 1 }, { "pkgconf", 1 }, { "timeout", 124 },
	{ "timeout", 137 },
	{ "tput", 0 }, { "stty", 0 }, { "tty", 0 },
	/* Asked if a file, a user, a mount or a host is there. */
	{ "ls", 2 }, { "stat", 1 }, { "readlink", 1 }, { "realpath", 1 },
	{ "id", 1 }, { "pidof", 1 }, { "lsof", 1 }, { "fuser", 1 },
	{ "findmnt", 1 }, { "mountpoint", 1 }, { "mountpoint", 32 },
	{ "ping", 1 },
	{ "rm", 0 }, { "rmdir", 0 }, { "kill", 0 }, { "killall", 0 },
	{ "umount", 0 }, { "fusermount", 0 },
};

bool sw_status_is_answer(const char *program, uint64_t status)
{
	size_t i;

	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		if (!strcmp(answers[i].program, program) &&
		    (answers[i].status == 0 || answers[i].status == status))
			return true;
	}
	return false;
}
