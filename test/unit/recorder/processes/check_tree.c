/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process tree on the live machine, with real children: their usage must be
 * in the totals, however they exit and whoever waits for them.
 */
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/processes/tree.h"
#include "test/run_tests.h"

enum { WORK_MSEC = 300, CHUNK = 4096, CHUNKS = 50 };

static const uint64_t work_bytes = (uint64_t)CHUNK * CHUNKS;

/* Behavior of the children; each is a process of the command's tree. */

static uint64_t own_cpu_usec(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000 +
	       (uint64_t)time.tv_nsec / 1000;
}

/* 300 ms of CPU time and 200 KiB written. */
static void work(void)
{
	static char chunk[CHUNK];
	int i, fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	for (i = 0; i < CHUNKS; i++) {
		if (write(fd, chunk, CHUNK) != CHUNK)
			_exit(99);
	}
	close(fd);
	while (own_cpu_usec() < (uint64_t)WORK_MSEC * 1000)
		;
}

static void wait_all(void)
{
	while (wait(NULL) > 0)
		;
}

static pid_t spawn(void (*job)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		job();
		_exit(0);
	}
	return pid;
}

/* Its child is waited for. */
static void waited(void)
{
	spawn(work);
	wait_all();
}

/* It exits after its child, without a wait: the zombie goes to the recorder. */
static void unwaited(void)
{
	siginfo_t info;
	pid_t pid = spawn(work);

	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
}

/* It exits before its child, which becomes the recorder's. */
static void orphan(void)
{
	spawn(work);
}

/* A grandchild whose parent exited, with no wait for it before. */
static void double_fork(void)
{
	spawn(orphan);
	wait_all();
}

/* Three concurrent generations, two of them working. */
static void generations(void)
{
	spawn(waited);
	work();
	wait_all();
}

static void ends_by_signal(void)
{
	work();
	raise(SIGKILL);
}

static void killed(void)
{
	spawn(ends_by_signal);
	wait_all();
}

static const struct scene {
	void (*job)(void);
	unsigned int workers;
} scenes[] = {
	{ work, 1 },
	{ waited, 1 },
	{ unwaited, 1 },
	{ orphan, 1 },
	{ double_fork, 1 },
	{ generations, 2 },
	{ killed, 1 },
};

enum { SCENES = sizeof(scenes) / sizeof(scenes[0]) };

/* The recorder's side. */

static void nap(void)
{
	const struct timespec time = { .tv_nsec = 20 * 1000000 };

	nanosleep(&time, NULL);
}

static bool is_less(uint64_t now, uint64_t before)
{
	return !sw_is_missing(before) && (sw_is_missing(now) || now < before);
}

static void check_never_back(const struct sw_totals *now,
			     const struct sw_totals *before)
{
	size_t i;

	ck_assert(!is_less(now->user_usec, before->user_usec));
	ck_assert(!is_less(now->system_usec, before->system_usec));
	ck_assert(!is_less(now->minflt, before->minflt));
	ck_assert(!is_less(now->majflt, before->majflt));
	for (i = 0; i < SW_IO_COUNT; i++)
		ck_assert(!is_less(now->io[i], before->io[i]));
	ck_assert(!is_less(now->voluntary_switches,
			   before->voluntary_switches));
	ck_assert(!is_less(now->nonvoluntary_switches,
			   before->nonvoluntary_switches));
	ck_assert(!is_less(now->run_queue_wait_usec,
			   before->run_queue_wait_usec));
}

/* Sample until the recorder has no children left, as the loop does. */
static void follow(struct sw_tree *tree)
{
	struct sw_totals before = *sw_tree_totals(tree);
	pid_t pid;

	do {
		sw_tree_refresh(tree);
		check_never_back(sw_tree_totals(tree), &before);
		before = *sw_tree_totals(tree);
		ck_assert_uint_le(sw_tree_count(tree), 8);
		ck_assert_uint_eq(sw_tree_left_out(tree), 0);
		nap();
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			;
	} while (pid == 0);
	sw_tree_refresh(tree);
	check_never_back(sw_tree_totals(tree), &before);
	ck_assert_uint_eq(sw_tree_count(tree), 0);
}

static uint64_t usec(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
}

/* Tolerance: 2 % or two ticks, whichever is more. */
static void check_near(uint64_t value, uint64_t wanted)
{
	uint64_t tick = 1000000 / (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t slack = wanted / 50 > 2 * tick ? wanted / 50 : 2 * tick;

	ck_assert_uint_le(value, wanted + slack);
	ck_assert_uint_ge(value + slack, wanted);
}

static int proc_fd;

static struct sw_tree *create(pid_t pid)
{
	struct sw_tree *tree = sw_tree_create(proc_fd, pid, NULL);

	ck_assert_ptr_nonnull(tree);
	return tree;
}

static void setup(void)
{
	proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(proc_fd, 0);
	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
}

/* The command waits for a byte, so that the tree exists before it works. */
static pid_t hold(void (*job)(void), int *gate)
{
	int ends[2];
	pid_t pid;
	char byte;

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	pid = fork();
	/* No ck_assert in the child: it writes, which would be counted. */
	if (pid == 0) {
		close(ends[1]);
		while (read(ends[0], &byte, 1) > 0)
			;
		job();
		_exit(0);
	}
	ck_assert_int_gt(pid, 0);
	close(ends[0]);
	*gate = ends[1];
	return pid;
}

START_TEST(every_scene)
{
	const struct scene *scene = &scenes[_i];
	const struct sw_totals *totals;
	struct sw_tree *tree;
	struct rusage usage;
	int gate;
	pid_t pid = hold(scene->job, &gate);

	tree = create(pid);
	totals = sw_tree_totals(tree);
	close(gate);
	follow(tree);
	getrusage(RUSAGE_CHILDREN, &usage);
	check_near(totals->user_usec + totals->system_usec,
		   usec(usage.ru_utime) + usec(usage.ru_stime));
	ck_assert_uint_ge(totals->user_usec + totals->system_usec,
			  scene->workers * (WORK_MSEC - 20) * 1000ull);
	ck_assert_uint_eq(totals->io[SW_IO_WCHAR],
			  scene->workers * work_bytes);
	ck_assert_uint_eq(totals->io[SW_IO_SYSCW], scene->workers * CHUNKS);
	/* The end of the gate is a read of 0 bytes. */
	ck_assert_uint_eq(totals->io[SW_IO_RCHAR], 0);
	ck_assert_uint_eq(totals->minflt, (uint64_t)usage.ru_minflt);
	sw_tree_destroy(tree);
}
END_TEST

/* Children reaped before the tree was created are not the command's. */
START_TEST(earlier_children)
{
	struct sw_tree *tree;
	int gate;
	pid_t pid;

	spawn(work);
	wait_all();
	pid = hold(work, &gate);
	tree = create(pid);
	close(gate);
	follow(tree);
	ck_assert_uint_eq(sw_tree_totals(tree)->io[SW_IO_WCHAR], work_bytes);
	ck_assert_uint_le(sw_tree_totals(tree)->user_usec +
			  sw_tree_totals(tree)->system_usec,
			  2 * WORK_MSEC * 1000ull - 100000);
	sw_tree_destroy(tree);
}
END_TEST

/* A zombie's files belong to root: some kernels deny access to others. */
static bool may_read_io(pid_t pid)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/io", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Live ones count while alive; the recorder's own work never does. */
START_TEST(while_alive)
{
	const struct sw_totals *totals;
	struct sw_tree *tree;
	siginfo_t info;
	int gate;
	pid_t pid = hold(waited, &gate);

	tree = create(pid);
	totals = sw_tree_totals(tree);
	sw_tree_refresh(tree);
	ck_assert_uint_eq(sw_tree_count(tree), 1);
	ck_assert_int_eq(sw_tree_process(tree, 0)->pid, pid);
	ck_assert_int_eq(sw_tree_process(tree, 0)->parent, getpid());
	ck_assert_uint_eq(totals->io[SW_IO_WCHAR], 0);
	work();
	sw_tree_refresh(tree);
	ck_assert_uint_eq(totals->io[SW_IO_WCHAR], 0);
	ck_assert_uint_le(totals->user_usec + totals->system_usec, 20000);
	close(gate);
	/* A zombie still has its numbers, if the kernel allows reading them. */
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	sw_tree_refresh(tree);
	ck_assert_uint_eq(sw_tree_count(tree), 1);
	ck_assert_int_eq(sw_tree_process(tree, 0)->state, 'Z');
	if (may_read_io(pid))
		ck_assert_uint_eq(totals->io[SW_IO_WCHAR], work_bytes);
	wait_all();
	sw_tree_refresh(tree);
	ck_assert_uint_eq(totals->io[SW_IO_WCHAR], work_bytes);
	sw_tree_destroy(tree);
}
END_TEST

enum { LARGE_BYTES = 32 << 20, SMALL_BYTES = 4 << 20 };

static void occupy(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (memory == MAP_FAILED)
		_exit(99);
	pause();
}

static void occupy_much(void)
{
	occupy(LARGE_BYTES);
}

static void occupy_little(void)
{
	occupy(SMALL_BYTES);
}

/* Wait until both have their memory. */
static void await_memory(struct sw_tree *tree)
{
	uint64_t anon_bytes = 0;
	size_t i;

	while (anon_bytes < LARGE_BYTES + SMALL_BYTES) {
		nap();
		sw_tree_refresh(tree);
		for (i = anon_bytes = 0; i < sw_tree_count(tree); i++)
			anon_bytes += sw_tree_process(tree, i)->rss_anon_bytes;
	}
}

/* As a zombie and after it; the largest one killed, and only once. */
START_TEST(names_the_fallen)
{
	struct sw_tree *tree;
	siginfo_t info;
	pid_t large_pid, small_pid;

	large_pid = spawn(occupy_much);
	small_pid = spawn(occupy_little);
	tree = create(large_pid);
	await_memory(tree);
	ck_assert_ptr_null(sw_tree_fallen(tree));
	kill(small_pid, SIGKILL);
	waitpid(small_pid, NULL, 0);
	sw_tree_refresh(tree);
	ck_assert_ptr_nonnull(sw_tree_fallen(tree));
	ck_assert_int_eq(sw_tree_fallen(tree)->pid, small_pid);
	kill(large_pid, SIGKILL);
	waitid(P_PID, (id_t)large_pid, &info, WEXITED | WNOWAIT);
	sw_tree_refresh(tree);
	ck_assert_ptr_nonnull(sw_tree_fallen(tree));
	ck_assert_int_eq(sw_tree_fallen(tree)->pid, large_pid);
	ck_assert_uint_ge(sw_tree_fallen(tree)->rss_anon_bytes, LARGE_BYTES);
	sw_tree_refresh(tree);
	ck_assert_ptr_null(sw_tree_fallen(tree));
	wait_all();
	sw_tree_refresh(tree);
	ck_assert_ptr_null(sw_tree_fallen(tree));
	sw_tree_destroy(tree);
}
END_TEST

/* The larger of two that died was the OOM killer's victim. */
START_TEST(names_the_largest)
{
	struct sw_tree *tree;
	pid_t large_pid, small_pid;

	small_pid = spawn(occupy_little);
	large_pid = spawn(occupy_much);
	tree = create(small_pid);
	await_memory(tree);
	kill(small_pid, SIGKILL);
	kill(large_pid, SIGKILL);
	wait_all();
	sw_tree_refresh(tree);
	ck_assert_ptr_nonnull(sw_tree_fallen(tree));
	ck_assert_int_eq(sw_tree_fallen(tree)->pid, large_pid);
	sw_tree_destroy(tree);
}
END_TEST

static void crowd(void)
{
	int i;

	for (i = 0; i < SW_TREE_PROCESSES_MAX + 10; i++) {
		if (fork() == 0) {
			pause();
			_exit(0);
		}
	}
	pause();
}

/* Processes beyond the bound are counted, not followed. */
START_TEST(bounded)
{
	struct sw_tree *tree;
	int gate, round;
	size_t i;
	pid_t pid;

	ck_assert_ptr_nonnull(tree = create(pid = hold(crowd, &gate)));
	close(gate);
	for (round = 0; round < 250; round++) {
		sw_tree_refresh(tree);
		if (sw_tree_left_out(tree) == 11)
			break;
		nap();
	}
	ck_assert_uint_eq(sw_tree_count(tree), SW_TREE_PROCESSES_MAX);
	ck_assert_uint_eq(sw_tree_left_out(tree), 11);
	for (i = 1; i < sw_tree_count(tree); i++)
		kill(sw_tree_process(tree, i)->pid, SIGKILL);
	kill(pid, SIGKILL);
	/* They are the recorder's children now, as are the eleven. */
	for (i = 0; i < sw_tree_count(tree); i++)
		waitpid(sw_tree_process(tree, i)->pid, NULL, 0);
	sw_tree_refresh(tree);
	for (i = 0; i < sw_tree_count(tree); i++)
		kill(sw_tree_process(tree, i)->pid, SIGKILL);
	wait_all();
	sw_tree_refresh(tree);
	ck_assert_uint_eq(sw_tree_count(tree), 0);
	ck_assert_uint_eq(sw_tree_left_out(tree), 0);
	sw_tree_destroy(tree);
}
END_TEST

/* No such process and no data ever read: unknown, not zero. */
START_TEST(nothing_there)
{
	int fd = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct sw_tree *tree = sw_tree_create(fd, 4000000, NULL);
	const struct sw_totals *totals = sw_tree_totals(tree);

	sw_tree_refresh(tree);
	ck_assert_uint_eq(sw_tree_count(tree), 0);
	ck_assert(sw_is_missing(totals->user_usec));
	ck_assert(sw_is_missing(totals->io[SW_IO_WCHAR]));
	ck_assert(sw_is_missing(totals->run_queue_wait_usec));
	sw_tree_destroy(tree);
	sw_tree_destroy(NULL);
	close(fd);
}
END_TEST

enum { SPINNERS = 4, SPIN_MSEC = 150 };

static pthread_barrier_t spun;

static uint64_t thread_cpu_usec(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static void *spin(void *argument)
{
	while (thread_cpu_usec() < (uint64_t)SPIN_MSEC * 1000)
		;
	pthread_barrier_wait(&spun);
	/* Wait until the recorder has sampled, then exit. */
	pthread_barrier_wait(&spun);
	return argument;
}

/* Sum of the kernel's wait times over the threads of this process. */
static uint64_t own_wait_nsec(void)
{
	unsigned long long cpu, wait, sum = 0;
	struct dirent *item;
	DIR *dir = opendir("/proc/self/task");

	while ((item = readdir(dir))) {
		char path[300];
		FILE *file;

		snprintf(path, sizeof(path), "/proc/self/task/%s/schedstat",
			 item->d_name);
		file = item->d_name[0] == '.' ? NULL : fopen(path, "r");
		if (file && fscanf(file, "%llu %llu", &cpu, &wait) == 2)
			sum += wait;
		if (file)
			fclose(file);
	}
	closedir(dir);
	return sum;
}

/* Four threads that want one CPU; sends their wait time on request. */
static void starve(int answers, int questions)
{
	pthread_t thread[SPINNERS];
	uint64_t wait_nsec;
	cpu_set_t one, all;
	size_t i;
	char byte;

	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&one);
	for (i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++) {
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	}
	sched_setaffinity(0, sizeof(one), &one);
	pthread_barrier_init(&spun, NULL, SPINNERS + 1);
	for (i = 0; i < SPINNERS; i++)
		pthread_create(&thread[i], NULL, spin, NULL);
	pthread_barrier_wait(&spun);
	wait_nsec = own_wait_nsec();
	(void)!write(answers, &wait_nsec, sizeof(wait_nsec));
	(void)!read(questions, &byte, 1);
	pthread_barrier_wait(&spun);
	for (i = 0; i < SPINNERS; i++)
		pthread_join(thread[i], NULL);
	(void)!write(answers, &wait_nsec, sizeof(wait_nsec));
	(void)!read(questions, &byte, 1);
	_exit(0);
}

/* All threads, including those that have exited since. */
START_TEST(waits_of_all_threads)
{
	const struct sw_totals *totals;
	int answers[2], questions[2];
	uint64_t truth_nsec, before;
	struct sw_tree *tree;
	pid_t pid;

	ck_assert_int_eq(pipe(answers), 0);
	ck_assert_int_eq(pipe(questions), 0);
	pid = fork();
	if (pid == 0)
		starve(answers[1], questions[0]);
	ck_assert_ptr_nonnull(tree = create(pid));
	totals = sw_tree_totals(tree);
	ck_assert_int_eq(read(answers[0], &truth_nsec, sizeof(truth_nsec)),
			 sizeof(truth_nsec));
	sw_tree_refresh(tree);
	/* Each waited three quarters of the time: far from none. */
	ck_assert_uint_ge(truth_nsec, SPIN_MSEC * 1000000ULL);
	ck_assert_uint_ge(totals->run_queue_wait_usec, truth_nsec / 1000);
	before = totals->run_queue_wait_usec;
	ck_assert_int_eq(write(questions[1], "", 1), 1);
	ck_assert_int_eq(read(answers[0], &truth_nsec, sizeof(truth_nsec)),
			 sizeof(truth_nsec));
	/* They are joined a little before they disappear. */
	do
		sw_tree_refresh(tree);
	while (sw_tree_process(tree, 0)->thread_count > 1);
	ck_assert_uint_ge(totals->run_queue_wait_usec, before);
	ck_assert_int_eq(write(questions[1], "", 1), 1);
	wait_all();
	sw_tree_refresh(tree);
	ck_assert_uint_ge(totals->run_queue_wait_usec, before);
	sw_tree_destroy(tree);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("tree");

	tcase_set_timeout(tcase, 30);
	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_loop_test(tcase, every_scene, 0, SCENES);
	tcase_add_test(tcase, earlier_children);
	tcase_add_test(tcase, while_alive);
	tcase_add_test(tcase, names_the_fallen);
	tcase_add_test(tcase, names_the_largest);
	tcase_add_test(tcase, bounded);
	tcase_add_test(tcase, nothing_there);
	tcase_add_test(tcase, waits_of_all_threads);
	return run_tests("tree", tcase, NULL);
}
