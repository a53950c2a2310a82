/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exits_worker STATUS COUNT: start COUNT children, one after the other, that do
 * nothing and exit with STATUS.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int run_one(int status)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(status);
	return pid < 0 || waitpid(pid, NULL, 0) != pid ? -1 : 0;
}

int main(int argc, char **argv)
{
	long i, count = argc == 3 ? atol(argv[2]) : 0;

	if (count <= 0) {
		fprintf(stderr, "usage: exits_worker STATUS COUNT\n");
		return 2;
	}
	for (i = 0; i < count; i++) {
		if (run_one(atoi(argv[1])) < 0) {
			perror("exits_worker");
			return 1;
		}
	}
	return 0;
}
