/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Create a file under its name only once it is complete. */
#include "analyzer/sweep/gather/put_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static bool may_replace(int folder, const char *name, enum sw_own kind)
{
	const struct sw_target target = {
		.dirfd = folder, .name = name, .path = name, .kind = kind,
	};
	struct stat there;

	if (kind == SW_OWN_NONE)
		return true;
	if (sw_target_check(&target, &there, NULL) == 0)
		return true;
	errno = EEXIST;
	return false;
}

void sw_drop_file(int folder, const char *name, enum sw_own kind)
{
	int saved = errno;

	if (may_replace(folder, name, kind))
		unlinkat(folder, name, 0);
	errno = saved;
}

int sw_put_file(int folder, const char *name, enum sw_own kind,
		int (*fill)(int fd, const void *context), const void *context)
{
	char draft[NAME_MAX + 16];
	int fd, rc, saved;

	if (!may_replace(folder, name, kind))
		return -1;

	/* A name that readers ignore; remove the draft of a killed process. */
	snprintf(draft, sizeof(draft), ".%s.new", name);
	unlinkat(folder, draft, 0);
	fd = openat(folder, draft,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	rc = fill(fd, context);
	saved = errno;
	if (close(fd) < 0 && rc == 0) {
		saved = errno;
		rc = -1;
	}
	if (rc == 0 && renameat(folder, draft, folder, name) < 0) {
		saved = errno;
		rc = -1;
	}
	if (rc < 0)
		unlinkat(folder, draft, 0);
	errno = saved;
	return rc;
}
