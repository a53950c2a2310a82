/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mkbomb PROFILE COUNT UID JOB TABLE [texts]: generate a profile in which a
 * frame of TABLE is repeated COUNT times (test/bomb.h).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/bomb.h"

int main(int argc, char **argv)
{
	struct sw_error error = { "" };
	struct bomb bomb;
	char *slash;
	int dirfd;

	if (argc < 6) {
		fputs("usage: mkbomb PROFILE COUNT UID JOB TABLE [texts]\n",
		      stderr);
		return 2;
	}
	bomb = (struct bomb){
		.count = strtoul(argv[2], NULL, 10),
		.uid = strtoul(argv[3], NULL, 10),
		.job_id = strtoul(argv[4], NULL, 10),
		.table = argv[5], .is_text = argc > 6,
	};
	slash = strrchr(argv[1], '/');
	if (slash)
		*slash = '\0';
	dirfd = open(slash ? argv[1] : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (bomb_write(&bomb, dirfd, slash ? slash + 1 : argv[1], &error) == 0)
		return 0;
	fprintf(stderr, "mkbomb: %s\n", error.text);
	return 1;
}
