/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job that nobody wants beside his: w_hostile NAMES THREADS executes as many
 * programs of different names, one after the other on each CPU it has, while
 * as many threads sleep.  Its truth is how many of each there were.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2, STACK_SIZE = 32 << 10 };

static void fail(const char *what) __attribute__((noreturn));

static void fail(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static void *sleep_long(void *unused)
{
	(void)unused;
	pause();
	return NULL;
}

/* As many as the machine's limits allow. */
static long start_threads(long count)
{
	pthread_attr_t attributes;
	pthread_t thread;
	long i;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	for (i = 0; i < count; i++) {
		if (pthread_create(&thread, &attributes, sleep_long, NULL))
			break;
	}
	pthread_attr_destroy(&attributes);
	return i;
}

/* A hard link of this program, executed under the link's name. */
static void execute(const char *self, const char *name)
{
	char *const arguments[] = { (char *)(unsigned long)name, NULL };
	char *const environment[] = { NULL };
	int status;
	pid_t pid;

	if (link(self, name) < 0)
		fail(name);
	pid = vfork();
	if (pid < 0)
		fail("vfork");
	if (pid == 0) {
		execve(name, arguments, environment);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		;
	unlink(name);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail("a program of another name");
}

static void execute_names(long first, long end)
{
	char name[64];
	long i;

	for (i = first; i < end; i++) {
		snprintf(name, sizeof(name), "name \n\033[31m%ld", i);
		execute("self", name);
	}
}

static void copy_self(void)
{
	char bytes[65536];
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open("self", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	ssize_t length;

	if (from < 0 || to < 0)
		fail("self");
	while ((length = read(from, bytes, sizeof(bytes))) > 0) {
		if (write(to, bytes, (size_t)length) != length)
			fail("self");
	}
	close(from);
	close(to);
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/hostile.XXXXXX";
	long names, threads, worker;
	int status;

	if (argc < 3)
		return 0;	/* one of the names */
	names = strtol(argv[1], NULL, 10);
	threads = strtol(argv[2], NULL, 10);
	if (!mkdtemp(folder) || chdir(folder) < 0)
		fail(folder);
	copy_self();
	for (worker = 0; worker < WORKERS; worker++) {
		if (fork() == 0) {
			execute_names(names * worker / WORKERS,
				      names * (worker + 1) / WORKERS);
			_exit(0);
		}
	}
	threads = start_threads(threads);
	while (wait(&status) > 0) {
		if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
			fail("a worker");
	}
	printf("names %ld threads %ld\n", names, threads);
	fflush(stdout);
	unlink("self");
	if (rmdir(folder) < 0)
		fail(folder);
	_exit(0);
}
