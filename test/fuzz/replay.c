/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays a fuzzer's corpus without a fuzzer: every regular file of the given
 * folders, once.  Fails if there is none to replay.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat status;
	uint8_t *data;
	size_t size;

	if (fd < 0)
		return 0;
	if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode)) {
		close(fd);
		return 0;
	}
	/* Allocate the exact size, so that a sanitizer sees any overrun. */
	size = (size_t)status.st_size;
	data = malloc(size ? size : 1);
	if (!data || read(fd, data, size) != (ssize_t)size) {
		perror(name);
		exit(EXIT_FAILURE);
	}
	close(fd);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 1;
}

int main(int argc, char **argv)
{
	int count = 0;

	for (int i = 1; i < argc; i++) {
		DIR *dir = opendir(argv[i]);
		struct dirent *entry;

		if (!dir) {
			perror(argv[i]);
			return EXIT_FAILURE;
		}
		while ((entry = readdir(dir)))
			count += replay(dirfd(dir), entry->d_name);
		closedir(dir);
	}
	printf("%d inputs replayed\n", count);
	return count ? EXIT_SUCCESS : EXIT_FAILURE;
}
