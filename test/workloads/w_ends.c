/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_ends FOLDER LIVE_MSEC AT_ONCE [FIRST]: processes that end in all the ways
 * of the table below, with 1, 2 and 64 threads each, so many at a time, from
 * the FIRST way on and round.  Each runs as a program of its own,
 * "WAY.THREADS", through a link in FOLDER.
 *
 * Truth: in FOLDER/truth, one line for each process that ended: the program
 * and the wait status that its parent got.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	PATH_SIZE = 4096,
	THREAD_STACK = 64 << 10,
	CORE_BYTES = 1 << 20,
	BATCH_MAX = 256,
	NAME_SIZE = 16, /* of a task, with its end */
};

static const char *folder;
static unsigned live_msec;

static char own_path[PATH_SIZE]; /* of the driver */
static const char *own_name;	 /* WAY.THREADS */

static _Noreturn void die(const char *what)
{
	perror(what);
	_exit(99);
}

static void sleep_msec(unsigned msec)
{
	struct timespec left = { msec / 1000, msec % 1000 * 1000000L };

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

static char *path_of(char *path, const char *name)
{
	snprintf(path, PATH_SIZE, "%s/%s", folder, name);
	return path;
}

/* One write, so that lines of several processes do not mix. */
static void tell_truth(const char *name, int status)
{
	char path[PATH_SIZE], line[64];
	int size = snprintf(line, sizeof(line), "%s %d\n", name, status);
	int fd = open(path_of(path, "truth"),
		      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, line, (size_t)size) != size)
		die(path);
	close(fd);
}

/* The wait status of a child, which stays a zombie. */
static int await_end(pid_t pid)
{
	siginfo_t info;

	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0)
		if (errno != EINTR)
			die("waitid");
	return info.si_code == CLD_EXITED ? info.si_status << 8 :
					    info.si_status;
}

static void become(const char *status)
{
	char path[PATH_SIZE], live[16];

	snprintf(live, sizeof(live), "%u", live_msec);
	execl(path_of(path, own_name), own_name, folder, live, status,
	      (char *)NULL);
	die(path);
}

/* What the first thread or one other does; the rest sleep. */

static void exit_0(void)
{
	_exit(0);
}

static void exit_3(void)
{
	_exit(3);
}

static void exit_255(void)
{
	_exit(255);
}

static void end_thread(void)
{
	pthread_exit(NULL);
}

static void end_thread_with_5(void)
{
	syscall(SYS_exit, 5);
}

static void be_killed(void)
{
	kill(getpid(), SIGKILL);
}

static void be_terminated(void)
{
	kill(getpid(), SIGTERM);
}

static void dump_core_by(int number)
{
	const struct rlimit core = { CORE_BYTES, CORE_BYTES };

	if (chdir(folder) < 0)
		die(folder);
	setrlimit(RLIMIT_CORE, &core);
	raise(number);
}

static void crash(void)
{
	dump_core_by(SIGSEGV);
}

static void be_aborted(void)
{
	dump_core_by(SIGABRT);
}

static void become_0(void)
{
	become("0");
}

static void become_3(void)
{
	become("3");
}

static void become_killed(void)
{
	become("killed");
}

static void run_failing_child(void)
{
	pid_t pid = vfork();

	if (pid == 0)
		become("3");
	tell_truth(own_name, await_end(pid));
	_exit(0);
}

enum after { AT_ONCE, HALF_LIFE, LIFE, LATER };

#define FIRST(action, when) .first = (action), .first_after = (when)
#define OTHER(action, when) .other = (action), .other_after = (when)

static const struct way {
	const char *name;
	void (*first)(void), (*other)(void); /* NULL: sleeps */
	enum after first_after, other_after;
	bool is_of_all_others; /* not of one of them alone */
	bool is_not_reaped;    /* until the driver has ended */
	bool is_not_executed;  /* still the driver's program */
} ways[] = {
	{ "exit0", FIRST(exit_0, LIFE) },
	{ "exit3", FIRST(exit_3, LIFE) },
	{ "exit255", FIRST(exit_255, LIFE) },
	{ "kill", FIRST(be_killed, LIFE) },
	{ "term", FIRST(be_terminated, LIFE) },
	{ "segv", FIRST(crash, LIFE) },
	{ "abort", FIRST(be_aborted, LIFE) },
	{ "group0", OTHER(exit_0, LIFE) },
	{ "group3", OTHER(exit_3, LIFE) },
	{ "groupkill", OTHER(be_killed, LIFE) },
	{ "first0", FIRST(end_thread, HALF_LIFE), OTHER(exit_0, LIFE) },
	{ "first3", FIRST(end_thread, HALF_LIFE), OTHER(exit_3, LIFE) },
	{ "firstkill", FIRST(end_thread, HALF_LIFE), OTHER(be_killed, LIFE) },
	{ "firstsegv", FIRST(end_thread, HALF_LIFE), OTHER(crash, LIFE) },
	{ "race3", FIRST(end_thread, LIFE), OTHER(exit_3, LIFE) },
	{ "all0", FIRST(end_thread, HALF_LIFE), OTHER(end_thread, LIFE),
	  .is_of_all_others = true },
	{ "raw5", FIRST(end_thread_with_5, HALF_LIFE), OTHER(end_thread, LIFE),
	  .is_of_all_others = true },
	{ "raw5exit0", FIRST(end_thread_with_5, HALF_LIFE),
	  OTHER(exit_0, LIFE) },
	{ "thread5", FIRST(exit_0, LATER), OTHER(end_thread_with_5, LIFE) },
	{ "exec0", OTHER(become_0, HALF_LIFE) },
	{ "exec3", OTHER(become_3, HALF_LIFE) },
	{ "execkill", OTHER(become_killed, HALF_LIFE) },
	{ "firstexec3", FIRST(end_thread, AT_ONCE),
	  OTHER(become_3, HALF_LIFE) },
	{ "vfork3", FIRST(run_failing_child, HALF_LIFE) },
	{ "zombie0", FIRST(exit_0, LIFE), .is_not_reaped = true },
	{ "zombie3", FIRST(exit_3, LIFE), .is_not_reaped = true },
	{ "zombiekill", FIRST(be_killed, LIFE), .is_not_reaped = true },
	{ "before", FIRST(be_killed, LIFE), .is_not_executed = true },
};

static const unsigned thread_counts[] = { 1, 2, 64 };

enum {
	WAYS = sizeof(ways) / sizeof(ways[0]),
	THREAD_COUNTS = sizeof(thread_counts) / sizeof(thread_counts[0]),
	CASES = WAYS * THREAD_COUNTS,
};

static void act(void (*action)(void), enum after after)
{
	const unsigned msec[] = {
		[AT_ONCE] = 0,
		[HALF_LIFE] = live_msec / 2,
		[LIFE] = live_msec,
		[LATER] = live_msec + live_msec / 2,
	};

	sleep_msec(msec[after]);
	if (action)
		action();
	for (;;)
		pause();
}

static void *be_other(void *way_)
{
	const struct way *way = way_;

	act(way->other, way->other_after);
	return NULL;
}

static void *sleep_on(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static _Noreturn void live_and_end(const struct way *way, unsigned threads)
{
	pthread_attr_t attributes;
	pthread_t thread;
	unsigned i;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, THREAD_STACK);
	for (i = 1; i < threads; i++) {
		bool acts = i == 1 || way->is_of_all_others;

		if (pthread_create(&thread, &attributes,
				   acts ? be_other : sleep_on, (void *)way))
			die("pthread_create");
	}
	act(way->first, way->first_after);
	_exit(99);
}

/* As WAY.THREADS says; status: what it was executed again for, or NULL. */
static _Noreturn void be(const char *name, const char *status)
{
	char way[NAME_SIZE] = "";
	unsigned threads = 0;
	size_t i;

	own_name = name;
	if (status) {
		if (!strcmp(status, "killed"))
			be_killed();
		_exit(atoi(status));
	}
	sscanf(name, "%15[^.].%u", way, &threads);
	for (i = 0; i < WAYS; i++)
		if (!strcmp(ways[i].name, way))
			live_and_end(&ways[i], threads);
	errno = EINVAL;
	die(name);
}

/* The children of now; a zombie of before is not waited for again. */
struct child {
	pid_t pid;
	const struct way *way;
	char name[NAME_SIZE];
};

static void begin(struct child *child, const struct way *way, unsigned threads)
{
	char path[PATH_SIZE], live[16];

	child->way = way;
	snprintf(child->name, sizeof(child->name), "%s.%u", way->name, threads);
	snprintf(live, sizeof(live), "%u", live_msec);
	path_of(path, child->name);
	if (symlink(own_path, path) < 0 && errno != EEXIST)
		die(path);
	child->pid = fork();
	if (child->pid < 0)
		die("fork");
	if (child->pid > 0)
		return;
	if (way->is_not_executed)
		live_and_end(way, threads);
	execl(path, child->name, folder, live, (char *)NULL);
	die(path);
}

static void finish(const struct child *child)
{
	const char *name = child->way->is_not_executed ? "w_ends" :
							 child->name;

	tell_truth(name, await_end(child->pid));
	if (!child->way->is_not_reaped)
		waitpid(child->pid, NULL, 0);
}

static void run_all(unsigned at_once, unsigned first)
{
	static struct child children[BATCH_MAX];
	unsigned i, j, count = 0;

	/* Once its first thread has ended a process has no /proc/self/exe. */
	if (readlink("/proc/self/exe", own_path, PATH_SIZE - 1) < 0)
		die("/proc/self/exe");
	for (i = 0; i < CASES; i++) {
		unsigned at = (first + i) % CASES;
		const struct way *way = &ways[at / THREAD_COUNTS];
		unsigned threads = thread_counts[at % THREAD_COUNTS];

		if (threads > 1 || !way->other)
			begin(&children[count++], way, threads);
		if (count < at_once && i + 1 < CASES)
			continue;
		for (j = 0; j < count; j++)
			finish(&children[j]);
		count = 0;
	}
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	const char *name = slash ? slash + 1 : argv[0];
	unsigned at_once;

	if (argc < 3)
		goto usage;
	folder = argv[1];
	live_msec = (unsigned)atoi(argv[2]);
	if (strchr(name, '.'))
		be(name, argv[3]);
	at_once = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
	if (at_once < 1 || at_once > BATCH_MAX)
		goto usage;
	run_all(at_once, argc > 4 ? (unsigned)atoi(argv[4]) : 0);
	tell_truth("w_ends", 0);
	return 0;
usage:
	fprintf(stderr, "usage: w_ends FOLDER LIVE_MSEC AT_ONCE [FIRST]\n");
	return 2;
}
