/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/PID/stat, as the kernel, a job and a broken machine write it. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/missing.h"
#include "common/proc_stat.h"
#include "test/run_tests.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define MAX_U64	  "18446744073709551615"
#define TWO_TO_64 "18446744073709551616"

/* Fields 5 to 21, 22 to 28 and 29 to 52: of the parent 7, of CPU 3. */
#define TO_START  " 7 7 34816 7 4194304 10 20 3 4 100 50 30 20 20 0 5 0"
#define TO_STACK  " 9000 4096 99 " MAX_U64 " 1 2 3"
#define TO_STATUS " 4 5 0 0 0 0 0 0 0 17 3 0 0 0 0 0 1 2 3 4 5 6 7 2304"
#define AFTER	  " S 7" TO_START TO_STACK TO_STATUS "\n"

static const struct {
	const char *text;
	const char *comm;	/* NULL: not of the known form */
} lines[] = {
	{ "", NULL },
	{ "\n", NULL },
	{ "7", NULL },
	{ "7 (a", NULL },
	{ "7 a)" AFTER, NULL },
	{ "7 )a(" AFTER, NULL },
	{ "(a)" AFTER, NULL },
	{ "7(a)" AFTER, NULL },
	{ "x (a)" AFTER, NULL },
	{ "-7 (a)" AFTER, NULL },
	{ "7 (a)", NULL },
	{ "7 (a) ", NULL },
	{ "7 (a) \n", NULL },
	{ "7 (a) S", NULL },
	{ "7 (a)  S 1\n", NULL },
	{ "7 (a) Sleeping 1\n", NULL },
	{ "7 (a)S" AFTER, NULL },
	{ "7 (a) S x\n", NULL },
	{ "7 (a) S 7 7 7 0 - 0 0\n", NULL },
	{ "7 (a) S 7 " TWO_TO_64 "\n", NULL },
	{ "7 (a) S 7 99999999999999999999999999\n", NULL },
	{ "7 (a) S 7 7x\n", NULL },
	{ "7 (a) S 7  7\n", NULL },
	{ "7 (a) S 7 \n", NULL },
	{ "7 (a) S 7\n7", NULL },
	/* Cut: within the name, in a number, and between two. */
	{ "7 (a) S 1 (b", NULL },
	{ "7 (a) S 7" TO_START " 90", NULL },
	{ "7 (a) S 7" TO_START " ", NULL },
	{ "7 ()" AFTER, "" },
	{ "7 (bash)" AFTER, "bash" },
	{ "4194304 (bash)" AFTER, "bash" },
	{ "7 (Web Content)" AFTER, "Web Content" },
	{ "7 ((sd-pam))" AFTER, "(sd-pam)" },
	{ "7 (a) S 1 2 (b)" AFTER, "a) S 1 2 (b" },
	{ "7 () R 1 1 1 0)" AFTER, ") R 1 1 1 0" },
	{ "7 () Z\n1 (b)" AFTER, ") Z\n1 (b" },
	{ "7 (:-) )" AFTER, ":-) " },
	{ "7 (new\nline\n)" AFTER, "new\nline\n" },
	{ "7 (\377\033[2J)" AFTER, "\377\033[2J" },
	{ "7 (kworker/u33:12-events_freezable_pwr)" AFTER, "kworker/u33:12-e" },
	/* A kernel that has more to say. */
	{ "7 (a) S 7" TO_START TO_STACK TO_STATUS " 1 2 3\n", "a" },
};

START_TEST(line)
{
	static const struct {
		enum sw_proc_field field;
		uint64_t value;
	} values[] = {
		{ SW_PROC_PARENT, 7 },		 { SW_PROC_FLAGS, 4194304 },
		{ SW_PROC_MINFLT, 10 },		 { SW_PROC_CHILD_MINFLT, 20 },
		{ SW_PROC_MAJFLT, 3 },		 { SW_PROC_CHILD_MAJFLT, 4 },
		{ SW_PROC_USER_TICKS, 100 },	 { SW_PROC_SYSTEM_TICKS, 50 },
		{ SW_PROC_CHILD_USER_TICKS, 30 },
		{ SW_PROC_CHILD_SYSTEM_TICKS, 20 },
		{ SW_PROC_THREADS, 5 },		 { SW_PROC_START_TICKS, 9000 },
		{ SW_PROC_START_CODE, 1 },	 { SW_PROC_START_STACK, 3 },
		{ SW_PROC_LAST_CPU, 3 },	 { SW_PROC_EXIT_STATUS, 2304 },
		{ 25, SW_MISSING },		 { 18, 20 },
	};
	struct sw_proc_stat stat;
	size_t i;
	int rc = sw_proc_stat_parse(&stat, lines[_i].text);

	ck_assert_int_eq(rc, lines[_i].comm ? 0 : -1);
	if (rc < 0)
		return;
	ck_assert_str_eq(stat.comm, lines[_i].comm);
	ck_assert_int_eq(stat.state, 'S');
	for (i = 0; i < COUNT_OF(values); i++)
		ck_assert_uint_eq(stat.field[values[i].field],
				  values[i].value);
}
END_TEST

/* What a kernel does not say is not 0. */
START_TEST(short_line)
{
	struct sw_proc_stat stat;

	ck_assert_int_eq(sw_proc_stat_parse(&stat, "7 (a) R 1 -1 -5\n"), 0);
	ck_assert_uint_eq(stat.field[SW_PROC_PARENT], 1);
	ck_assert_uint_eq(stat.field[5], SW_MISSING);
	ck_assert_uint_eq(stat.field[SW_PROC_START_TICKS], SW_MISSING);
	ck_assert_uint_eq(stat.field[SW_PROC_EXIT_STATUS], SW_MISSING);
	ck_assert(!sw_proc_stat_is_dying(&stat));
}
END_TEST

static const struct {
	const char *text;
	bool is_dying;
} ends[] = {
	{ "7 (a) S 1 1 1 0 -1 4194304 0\n", false },
	{ "7 (Z) S 1 1 1 0 -1 4194304 0\n", false },
	{ "7 (a) Z S) D 1 1 1 0 -1 0 0\n", false },
	{ "7 (a) Z 1 1 1 0 -1 4194316 0\n", true },
	{ "7 (a) X 0 -1 -1 0 -1 4194304 0\n", true },
	{ "7 (a) R 1 1 1 0 -1 4194308 0\n", true },
};

START_TEST(end)
{
	struct sw_proc_stat stat;

	ck_assert_int_eq(sw_proc_stat_parse(&stat, ends[_i].text), 0);
	ck_assert_int_eq(sw_proc_stat_is_dying(&stat), ends[_i].is_dying);
}
END_TEST

/* A child under a name that tries to pass for another line. */
START_TEST(of_the_kernel)
{
	static const char name[] = ") R 1 (\n)";
	struct sw_proc_stat stat, own;
	char folder[32];
	int status;
	pid_t pid;

	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_NAME, name);
		_exit(9);
	}
	ck_assert_int_gt(pid, 0);
	/* Its end, of which nobody has been told yet: a zombie. */
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 },
				WEXITED | WNOWAIT), 0);
	snprintf(folder, sizeof(folder), "/proc/%d", (int)pid);
	ck_assert_int_eq(sw_proc_stat_read(&stat, AT_FDCWD, folder), 0);
	ck_assert_str_eq(stat.comm, name);
	ck_assert_int_eq(stat.state, 'Z');
	ck_assert(sw_proc_stat_is_dying(&stat));
	ck_assert_uint_eq(stat.field[SW_PROC_PARENT], (uint64_t)getpid());
	ck_assert_uint_eq(stat.field[SW_PROC_EXIT_STATUS], 9 << 8);
	ck_assert_int_eq(sw_proc_stat_read(&own, AT_FDCWD, "/proc/self"), 0);
	ck_assert_uint_le(own.field[SW_PROC_START_TICKS],
			  stat.field[SW_PROC_START_TICKS]);
	ck_assert_uint_le(
		sw_clock_ticks_usec(stat.field[SW_PROC_START_TICKS]),
		sw_clock_boottime_usec());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(sw_proc_stat_read(&stat, AT_FDCWD, folder), -1);
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

static int read_text(const char *text, size_t length, struct sw_proc_stat *stat)
{
	char folder[] = "/tmp/check_proc_stat.XXXXXX", path[64];
	int fd, rc;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/stat", folder);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	ck_assert_int_eq(write(fd, text, length), (ssize_t)length);
	close(fd);
	rc = sw_proc_stat_read(stat, AT_FDCWD, folder);
	unlink(path);
	rmdir(folder);
	return rc;
}

/* Longer than any line, and one that a NUL cuts. */
START_TEST(not_a_line)
{
	static char text[8192];
	struct sw_proc_stat stat;

	memset(text, 'a', sizeof(text));
	memcpy(text, "7 (", 3);
	memcpy(text + sizeof(text) - sizeof(AFTER), ")" AFTER, sizeof(AFTER));
	ck_assert_int_eq(read_text(text, sizeof(text), &stat), -1);
	ck_assert_int_eq(errno, EBADMSG);
	ck_assert_int_eq(read_text("7 (a) S 7\0 8\n", 13, &stat), -1);
	ck_assert_int_eq(errno, EBADMSG);
	ck_assert_int_eq(read_text("7 (a) S 7\n\0", 11, &stat), -1);
	ck_assert_int_eq(sw_proc_stat_read(&stat, -1, "7"), -1);
	ck_assert_int_eq(errno, EBADF);
	ck_assert_int_eq(read_text("7 (a) S 7\n", 10, &stat), 0);
}
END_TEST

START_TEST(ticks)
{
	uint64_t usec = 1000000 / (uint64_t)sysconf(_SC_CLK_TCK);

	ck_assert_uint_eq(sw_clock_ticks_usec(3), 3 * usec);
	ck_assert_uint_eq(sw_clock_ticks_usec(SW_MISSING), SW_MISSING);
	ck_assert_uint_eq(sw_clock_ticks_usec(SW_MISSING - 1), SW_MISSING);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("proc_stat");

	tcase_add_loop_test(tcase, line, 0, COUNT_OF(lines));
	tcase_add_test(tcase, short_line);
	tcase_add_loop_test(tcase, end, 0, COUNT_OF(ends));
	tcase_add_test(tcase, of_the_kernel);
	tcase_add_test(tcase, not_a_line);
	tcase_add_test(tcase, ticks);
	return run_tests("proc_stat", tcase, NULL);
}
