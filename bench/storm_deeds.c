/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that is started and ends at once, a thread likewise, and a signal.
 *
 * Fails if these are not available.
 */
#include "bench/storm_deeds.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char program[] = "/tmp/bench_storm.XXXXXX";

extern char **environ;

#ifdef __x86_64__
/* The smallest executable: it only calls exit(0). */
static const unsigned char least[] = {
	0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	2, 0, 62, 0, 1, 0, 0, 0, 0x78, 0, 0x40, 0, 0, 0, 0, 0,
	64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 64, 0, 56, 0, 1, 0, 0, 0, 0, 0, 0, 0,
	1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0,
	129, 0, 0, 0, 0, 0, 0, 0, 129, 0, 0, 0, 0, 0, 0, 0,
	0, 0x10, 0, 0, 0, 0, 0, 0,
	/* mov eax, 60; xor edi, edi; syscall */
	0xb8, 60, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05,
};
#endif

static void handle(int number)
{
	(void)number;
}

int storm_deeds_prepare(void)
{
	signal(SIGUSR1, handle);
#ifdef __x86_64__
	int fd = mkstemp(program);
	ssize_t written;

	if (fd < 0)
		return -1;
	written = write(fd, least, sizeof(least));
	fchmod(fd, 0755);
	close(fd);
	return written == (ssize_t)sizeof(least) ? 0 : -1;
#else
	strcpy(program, "/bin/true");
	return 0;
#endif
}

void storm_deeds_finish(void)
{
#ifdef __x86_64__
	unlink(program);
#endif
}

static int spawn_one(void)
{
	char *const arguments[] = { program, NULL };
	int status;
	pid_t pid;

	/* glibc implements it by vfork. */
	if (posix_spawn(&pid, program, NULL, NULL, arguments, environ) != 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status == 0 ? 0 : -1;
}

static void *do_nothing(void *unused)
{
	return unused;
}

static int thread_one(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, do_nothing, NULL) == 0 &&
	       pthread_join(thread, NULL) == 0 ? 0 : -1;
}

static int signal_one(void)
{
	return kill(getpid(), SIGUSR1);
}

int storm_do(enum storm_deed deed)
{
	static int (*const deeds[STORM_DEEDS])(void) = {
		[STORM_PROGRAM] = spawn_one,
		[STORM_THREAD] = thread_one,
		[STORM_SIGNAL] = signal_one,
	};

	return deeds[deed]();
}
