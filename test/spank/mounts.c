/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mount namespace whose mounts nobody else sees, even in a chroot. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "test/spank/host.h"

static int make_private(void)
{
	return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

/* In a chroot "/" is no mount: enter the root of the namespace, and return. */
static int make_private_outside(void)
{
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int space = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
	int result = -1;

	if (root >= 0 && here >= 0 && space >= 0 &&
	    setns(space, CLONE_NEWNS) == 0 && make_private() == 0 &&
	    fchdir(root) == 0 && chroot(".") == 0)
		result = fchdir(here);
	if (space >= 0)
		close(space);
	if (here >= 0)
		close(here);
	if (root >= 0)
		close(root);
	return result;
}

int host_unshare(int flags)
{
	if (unshare(flags) != 0)
		return -1;
	if (!(flags & CLONE_NEWNS) || make_private() == 0)
		return 0;
	return errno == EINVAL ? make_private_outside() : -1;
}
