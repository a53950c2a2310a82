/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Get the free space for scratch files on the node's local disk. */
#include "recorder/waits/local_space.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "recorder/waits/wait_reason.h"

static const char *local_folder = "/tmp";

void sw_local_space_set(const char *folder)
{
	if (folder && folder[0] == '/')
		local_folder = folder;
}

static bool is_disk(const struct statfs *fs)
{
	uint32_t magic = (uint32_t)fs->f_type;

	return magic != TMPFS_MAGIC && magic != RAMFS_MAGIC &&
	       sw_wait_fs_of_magic(magic) == SW_FS_LOCAL;
}

enum sw_read_status sw_local_space_read(uint64_t *free_bytes)
{
	/* A symlink could lead anywhere. */
	int fd = open(local_folder,
		      O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct statfs fs;
	int rc;

	if (fd < 0)
		return SW_READ_ABSENT;
	rc = fstatfs(fd, &fs);
	close(fd);
	if (rc < 0 || !is_disk(&fs) || fs.f_bsize <= 0)
		return SW_READ_ABSENT;
	*free_bytes = (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize;
	return SW_READ_OK;
}
