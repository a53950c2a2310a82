/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: stepwell-stack.
 *
 * The name of a mapped file may have been reused.  Until the file is known to
 * be the same, it is opened in a way that a driver or the other end of a pipe
 * does not notice.  Errors are not reported.
 */
#include "recorder/stacks/mapped_file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* A line of a process's maps (proc(5)). */
struct mapping {
	uintptr_t start;
	unsigned major, minor;
	uint64_t inode;
	char path[PATH_SIZE];
};

static bool read_mapping(FILE *maps, struct mapping *mapping)
{
	char line[PATH_SIZE + 128];

	while (fgets(line, sizeof(line), maps)) {
		mapping->path[0] = '\0';
		if (sscanf(line, "%" SCNxPTR "-%*x %*s %*x %x:%x %" SCNu64
			   " %4095[^\n]", &mapping->start, &mapping->major,
			   &mapping->minor, &mapping->inode,
			   mapping->path) >= 4)
			return true;
	}
	return false;
}

/*
 * Find the file in the maps of this process: on btrfs and overlayfs stat(2)
 * returns another device than any maps.
 */
static bool map_own(int fd, struct mapping *own)
{
	long page = sysconf(_SC_PAGESIZE);
	void *at = mmap(NULL, (size_t)page, PROT_READ, MAP_PRIVATE, fd, 0);
	bool is_found = false;
	FILE *maps;

	if (at == MAP_FAILED)
		return false;
	maps = fopen("/proc/self/maps", "re");
	while (maps && !is_found && read_mapping(maps, own))
		is_found = own->start == (uintptr_t)at;
	if (maps)
		fclose(maps);
	munmap(at, (size_t)page);
	return is_found;
}

static bool is_mapped(FILE *maps, const char *path, int fd)
{
	struct mapping own, of;
	bool is_same = false;

	if (!map_own(fd, &own))
		return false;
	rewind(maps);
	while (!is_same && read_mapping(maps, &of))
		is_same = of.inode == own.inode && of.major == own.major &&
			  of.minor == own.minor && !strcmp(of.path, path);
	return is_same;
}

/* Return -1 if it is not a regular file. */
static int open_regular(const char *path)
{
	int at = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC), fd = -1;
	struct stat status;
	char same[32];

	if (at < 0)
		return -1;
	if (fstat(at, &status) == 0 && S_ISREG(status.st_mode)) {
		snprintf(same, sizeof(same), "/proc/self/fd/%d", at);
		fd = open(same, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	}
	close(at);
	return fd;
}

int sw_mapped_file_open(pid_t pid, FILE *maps, const char *path)
{
	char inside[PATH_SIZE + 32];
	int fd;

	if (path[0] != '/')
		return -1;
	snprintf(inside, sizeof(inside), "/proc/%d/root%s", (int)pid, path);
	fd = open_regular(inside);
	if (fd < 0)
		fd = open_regular(path);
	if (fd < 0 || is_mapped(maps, path, fd))
		return fd;
	close(fd);
	return -1;
}
