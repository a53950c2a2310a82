/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of a live tree from the kernel's own task events, as available
 * to an unprivileged user (root becomes nobody first).  Skipped, with the
 * kernel's reason, if not available.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/bpf/bpf_up.h"
#include "recorder/processes/tree.h"
#include "recorder/programs/perf_events.h"
#include "recorder/programs/programs_internal.h"
#include "recorder/tables/events.h"

enum { NOBODY = 65534, SKIP = 77, SAMPLE_MSEC = 100 };

static struct {
	struct sw_programs *programs;
	struct sw_tree *tree;
	int proc_fd;
	pid_t pid;
	int go_fd;		/* the command waits until it is closed */
	uint64_t lost;
	double stolen_usec;	/* before it ran; then meanwhile */
	struct rusage usage;
} stage;

static void note_event(void *context, const struct sw_event *event)
{
	(void)context;
	if (!strcmp(event->kind, "lost"))
		stage.lost = event->value;
}

/* Start a shell that waits to execute, on one CPU if requested. */
static void hold(const char *script, bool is_on_one_cpu)
{
	cpu_set_t set;
	int fds[2];
	char byte;

	ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
	stage.pid = fork();
	ck_assert_int_ge(stage.pid, 0);
	if (stage.pid == 0) {
		if (is_on_one_cpu) {
			CPU_ZERO(&set);
			CPU_SET((size_t)sched_getcpu(), &set);
			sched_setaffinity(0, sizeof(set), &set);
		}
		close(fds[1]);
		if (read(fds[0], &byte, 1) == 0)
			execl("/bin/sh", "sh", "-c", script, NULL);
		_exit(127);
	}
	close(fds[0]);
	stage.go_fd = fds[1];
}

static void start(const char *script, bool is_on_one_cpu, const char *only)
{
	struct sw_programs_target target = {
		.cgroup_fd = -1, .only = only, .event = note_event,
	};

	memset(&stage, 0, sizeof(stage));
	hold(script, is_on_one_cpu);
	stage.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	stage.tree = sw_tree_create(stage.proc_fd, stage.pid, NULL);
	target.root_pid = stage.pid;
	target.proc_fd = stage.proc_fd;
	target.tree = stage.tree;
	stage.programs = sw_programs_create(&target, NULL);
	ck_assert_ptr_nonnull(stage.programs);
}

static void attach(void)
{
	ck_assert_int_eq(sw_programs_attach(stage.programs, stage.pid), 0);
	sw_tree_refresh(stage.tree);
	sw_programs_drain(stage.programs, sw_clock_boottime_usec());
}

/* Time stolen by the hypervisor on all CPUs, in ticks.  0: not reported. */
static double stolen_usec(void)
{
	double ticks = 0;
	FILE *file = fopen("/proc/stat", "r");

	if (file) {
		if (fscanf(file, "cpu %*f %*f %*f %*f %*f %*f %*f %lf",
			   &ticks) != 1)
			ticks = 0;
		fclose(file);
	}
	return ticks * SW_USEC_PER_SEC / (double)sysconf(_SC_CLK_TCK);
}

/* Run until the command has exited; is_drained: as in the loop. */
static void run(bool is_drained)
{
	struct pollfd polled = {
		.fd = sw_programs_fd(stage.programs),
		.events = POLLIN,
	};
	siginfo_t info = { .si_pid = 0 };
	int status;

	stage.stolen_usec = stolen_usec();
	close(stage.go_fd);
	while (is_drained && info.si_pid == 0) {
		if (poll(&polled, 1, SAMPLE_MSEC) == 0)
			sw_tree_refresh(stage.tree);
		sw_programs_drain(stage.programs, sw_clock_boottime_usec());
		ck_assert_int_eq(waitid(P_PID, (id_t)stage.pid, &info,
					WEXITED | WNOHANG | WNOWAIT), 0);
	}
	ck_assert_int_eq(wait4(stage.pid, &status, 0, &stage.usage),
			 stage.pid);
	stage.stolen_usec = stolen_usec() - stage.stolen_usec;
	sw_programs_reaped(stage.programs, stage.pid, status, &stage.usage);
	sw_tree_refresh(stage.tree);
	sw_programs_drain(stage.programs, sw_clock_boottime_usec());
}

static void stop(void)
{
	sw_programs_destroy(stage.programs);
	sw_tree_destroy(stage.tree);
	close(stage.proc_fd);
}

static const struct sw_program *program(const char *name)
{
	unsigned i;

	for (i = 0; i < stage.programs->count; i++) {
		if (!strcmp(stage.programs->program[i].name, name))
			return &stage.programs->program[i];
	}
	ck_abort_msg("no program %s", name);
	return NULL;
}

/* All were started and ended, and none was missed. */
static void is_counted(const char *name, uint64_t count)
{
	ck_assert_uint_eq(program(name)->started, count);
	ck_assert_uint_eq(program(name)->ended, count);
	ck_assert(program(name)->is_complete);
	ck_assert_uint_eq(program(name)->elapsed_usec.count, count);
	ck_assert_uint_eq(stage.lost, 0);
}

static double used_usec(const struct timeval *time)
{
	return (double)time->tv_sec * SW_USEC_PER_SEC + (double)time->tv_usec;
}

/*
 * Compare with the kernel's count for the whole tree.  Some 30 usec of each
 * process follow the report of its exit; interrupts and stolen time are in the
 * sum.
 */
static void is_all_time(void)
{
	double sum = 0, truth = used_usec(&stage.usage.ru_utime) +
				used_usec(&stage.usage.ru_stime);
	unsigned i;

	for (i = 0; i < stage.programs->count; i++) {
		ck_assert(!sw_is_missing(stage.programs->program[i].cpu_usec));
		sum += (double)stage.programs->program[i].cpu_usec;
	}
	printf("# CPU time: %.0f usec of %.0f, and %.0f stolen\n", sum, truth,
	       stage.stolen_usec);
	ck_assert_double_gt(sum, 0.7 * truth);
	ck_assert_double_lt(sum, 1.4 * truth + stage.stolen_usec);
}

/* Each lives less than a millisecond: samples see only a few. */
START_TEST(counts_short_ones)
{
	start("i=0; while [ $i -lt 500 ]; do /bin/true; i=$((i + 1)); done;"
	      "exit 3", false, "perf");
	attach();
	ck_assert_str_eq(sw_programs_source(stage.programs), "perf");
	run(true);
	is_counted("true", 500);
	is_counted("sh", 1);
	ck_assert_uint_eq(program("sh")->exited_nonzero, 1);
	ck_assert_uint_eq(program("sh")->last_exit_status, 3);
	/*
	 * Their parent waited for them; the recorder knows the status only of
	 * those it saw as zombies, which are more on a busy machine.
	 */
	ck_assert(sw_is_missing(program("true")->exited_ok) ||
		  program("true")->exited_ok < 500);
	is_all_time();
	stop();
}
END_TEST

/* Concurrent events of two CPUs come from two rings. */
START_TEST(counts_parallel_ones)
{
	start("for i in 1 2 3 4 5 6 7 8; do (i=0; while [ $i -lt 50 ]; do"
	      " /bin/true; i=$((i + 1)); done) & done; wait", false, "perf");
	attach();
	run(true);
	is_counted("true", 400);
	is_counted("sh", 9);
	is_all_time();
	stop();
}
END_TEST

/* Nobody drains: the rings overflow, without cost to the command. */
START_TEST(tells_what_it_lost)
{
	start("/bin/true; i=0; while [ $i -lt 8000 ]; do (:); i=$((i + 1));"
	      " done", true, "perf");
	attach();
	run(false);
	ck_assert_uint_gt(program("sh")->started, 100);
	ck_assert_uint_lt(program("sh")->started, 8001);
	ck_assert(!program("sh")->is_complete);
	ck_assert(!program("true")->is_complete);
	stop();
}
END_TEST

/* A program unreadable for its user ends the events, not itself. */
START_TEST(follows_what_it_may_not_see)
{
	start("d=$(mktemp -d); cp /bin/sleep $d/hidden; chmod 111 $d/hidden;"
	      " $d/hidden 0.4; rm -r $d; sleep 0.3", false, "perf");
	attach();
	run(true);
	ck_assert_uint_eq(program("hidden")->started, 1);
	ck_assert_uint_eq(program("hidden")->ended, 1);
	ck_assert_uint_gt(program("hidden")->elapsed_usec.max, 300000);
	ck_assert(!program("hidden")->is_complete);
	ck_assert(!program("sh")->is_complete);
	stop();
}
END_TEST

/* A single descriptor left, though more are needed: falls back. */
START_TEST(names_the_reason)
{
	struct rlimit all, few;
	int fd;

	start("exec /bin/true", false, NULL);
	sw_bpf_await(SW_BPF_LOOKS);	/* opens descriptors, too */
	fd = dup(0);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &all), 0);
	few = (struct rlimit){ (rlim_t)fd + 1, all.rlim_max };
	close(fd);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	ck_assert_int_eq(sw_programs_attach(stage.programs, stage.pid), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &all), 0);
	ck_assert_str_eq(sw_programs_source(stage.programs), "proc");
	ck_assert_ptr_nonnull(strstr(sw_programs_reason(stage.programs),
				     "perf: task events are not available here: "
				     "Too many open files"));
	run(false);
	stop();
}
END_TEST

/* As by a container's filter; irrevocable. */
static void refuse_perf(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program),
			 0);
}

/* Must be the last test. */
START_TEST(falls_to_proc)
{
	refuse_perf();
	start("exec sleep 0.3", false, NULL);
	attach();
	ck_assert_str_eq(sw_programs_source(stage.programs), "proc");
	ck_assert_ptr_nonnull(strstr(sw_programs_reason(stage.programs),
				     "perf: task events are not available here: "
				     "Permission denied "
				     "(kernel.perf_event_paranoid is "));
	run(true);
	ck_assert_uint_eq(program("sleep")->started, 1);
	ck_assert(!program("sleep")->is_complete);
	stop();
}
END_TEST

static void become_nobody(void)
{
	if (geteuid() != 0)
		return;
	if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	    setresuid(NOBODY, NOBODY, NOBODY) < 0 ||
	    prctl(PR_SET_DUMPABLE, 1) < 0) {
		perror("# another user");
		exit(SKIP);
	}
}

/* Check without the backend's code if the kernel permits it for this user. */
static void skip_where_refused(void)
{
	struct sw_perf_events events;
	struct sw_error error;

	if (sw_perf_events_open(&events, getpid(), &error) < 0) {
		printf("# skipped: %s\n", error.text);
		exit(SKIP);
	}
	if (!events.has_all_cpus || !events.has_switches) {
		printf("# skipped: too many CPUs to be complete\n");
		exit(SKIP);
	}
	sw_perf_events_close(&events);
}

int main(void)
{
	Suite *suite = suite_create("perf_live");
	TCase *tcase = tcase_create("perf_live");
	SRunner *runner = srunner_create(suite);
	int failed;

	become_nobody();
	skip_where_refused();
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, counts_short_ones);
	tcase_add_test(tcase, counts_parallel_ones);
	tcase_add_test(tcase, tells_what_it_lost);
	tcase_add_test(tcase, follows_what_it_may_not_see);
	tcase_add_test(tcase, names_the_reason);
	tcase_add_test(tcase, falls_to_proc);
	suite_add_tcase(suite, tcase);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
