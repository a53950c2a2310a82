/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conclusions from a process's last failed calls about its end, and their
 * limits.
 */
#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/programs/cause.h"
#include "test/run_tests.h"

#define SECOND 1000000000ull
#define START  (100 * SECOND)
#define END    (START + 3600 * SECOND)

enum { EXIT_1 = 1 << 8, EXIT_126 = 126 << 8, EXIT_127 = 127 << 8, DEVICE = 42 };

static struct sw_failures failures;
static struct sw_cause cause;
static size_t count;

static void setup(void)
{
	memset(&failures, 0, sizeof(failures));
	count = 0;
}

/* Add a failure at this time before the end. */
static struct sw_failure *failed(unsigned short kind, int error,
				 const char *text, uint64_t before_nsec)
{
	struct sw_failure *failure = &failures.failure[count++];

	ck_assert_uint_le(count, SW_FAILURES_KEPT);
	failure->kind = kind;
	failure->error = (unsigned short)error;
	failure->times = 1;
	failure->opened = failures.opened;
	failure->time_nsec = END - before_nsec;
	snprintf(failure->text, sizeof(failure->text), "%s", text);
	return failure;
}

/* Store a path as the kernel does: from the last component up. */
static void name_file(struct sw_file_names *file, const char *path)
{
	char copy[256], *slash;
	size_t i;

	memset(file, 0, sizeof(*file));
	file->device = DEVICE;
	snprintf(copy, sizeof(copy), "%s", path);
	slash = strrchr(copy, '/');
	snprintf(file->name, sizeof(file->name), "%s", slash + 1);
	for (i = 0; i < SW_FOLDERS; i++) {
		*slash = '\0';
		slash = strrchr(copy, '/');
		snprintf(file->folder[i], SW_FOLDER_SIZE, "%s",
			 slash ? slash + 1 : "/");
		slash = slash ? slash : copy;
	}
}

static void read_file(const char *path)
{
	unsigned place = failures.next_read % SW_READS_KEPT;

	name_file(&failures.read[place].file, path);
	failures.next_read = place + 1;
	failures.opened++;
}

static void end(int wait_status)
{
	sw_cause_find(&cause, &failures, wait_status, END);
}

static void is(const char *call, const char *error, const char *object,
	       bool is_likely)
{
	ck_assert_pstr_eq(cause.call, call);
	ck_assert_pstr_eq(cause.error, error);
	ck_assert_str_eq(cause.object.text, object);
	ck_assert_int_eq(cause.is_likely, is_likely);
	ck_assert_uint_eq(cause.end_usec, END / 1000);
}

START_TEST(missing_file)
{
	read_file("/lib/x86_64-linux-gnu/libc.so.6");
	read_file("/data/reads.fq");
	failed(SW_FAILURE_OPEN, ENOENT, "/ref/genome.fa", SECOND / 100);
	failed(SW_FAILURE_OPEN, ENOENT, "/usr/share/locale/de/LC_MESSAGES/x.mo",
	       SECOND / 200);
	end(EXIT_1);
	is("open", "ENOENT", "/ref/genome.fa", true);
	ck_assert_str_eq(cause.read.text, "data/reads.fq");
	ck_assert_uint_eq(cause.read.device, DEVICE);
	/* It may cause a crash, but not a kill by another process. */
	end(SIGSEGV);
	is("open", "ENOENT", "/ref/genome.fa", true);
	end(SIGKILL);
	is(NULL, NULL, "", false);
	ck_assert_str_eq(cause.read.text, "");
	end(0);
	is(NULL, NULL, "", false);
}
END_TEST

/* sort(1) calls access() first, and opens nothing if denied. */
START_TEST(asked_first)
{
	failed(SW_FAILURE_ACCESS, EACCES, "secret.fq", SECOND / 100);
	end(EXIT_1);
	is("access", "EACCES", "secret.fq", true);
	read_file("/ref/genome.fa");
	end(EXIT_1);
	is("access", "EACCES", "secret.fq", false);
}
END_TEST

/* A process that found input afterwards did not fail because of it. */
START_TEST(went_on)
{
	failed(SW_FAILURE_OPEN, ENOENT, "/ref/index.cache", SECOND);
	read_file("/ref/genome.fa");
	end(EXIT_1);
	is("open", "ENOENT", "/ref/index.cache", false);
	/* Not if it was long before. */
	failures.failure[0].time_nsec = END - 60 * SECOND;
	end(EXIT_1);
	is(NULL, NULL, "", false);
	ck_assert_str_eq(cause.read.text, "ref/genome.fa");
}
END_TEST

START_TEST(wrote_then)
{
	failed(SW_FAILURE_OPEN, ENOENT, "/ref/index.cache", SECOND);
	failures.opened += SW_READS_KEPT + 1;
	end(EXIT_1);
	is("open", "ENOENT", "/ref/index.cache", false);
}
END_TEST

/* Loading modules for an error message is no work. */
START_TEST(complained)
{
	failed(SW_FAILURE_OPEN, EACCES, "/ref/genome.fa", SECOND);
	read_file("/usr/lib/python3/traceback.cpython.so");
	read_file("/home/u/align.py");
	end(EXIT_1);
	is("open", "EACCES", "/ref/genome.fa", true);
	ck_assert_str_eq(cause.read.text, "");
}
END_TEST

/* Files that most programs can do without. */
START_TEST(optional)
{
	static const char *const paths[] = {
		"/home/u/.toolrc",
		".config/tool/settings",
		"/etc/tool.conf",
		"/proc/self/oom_adj",
		"/usr/lib/locale/C.utf8/LC_TIME",
		"/usr/lib/x86_64-linux-gnu/gconv/gconv-modules.cache",
		"/home/u/__pycache__/x.cpython-311.pyc",
		"/env/pyvenv.cfg",
		"/lib/x86_64-linux-gnu/libnss_db.so.2",
		"/home/u/<string>",
		"<unknown>",
	};
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		setup();
		failed(SW_FAILURE_OPEN, ENOENT, paths[i], 1);
		end(EXIT_1);
		is(NULL, NULL, "", false);
	}
	setup();
	failed(SW_FAILURE_OPEN, EACCES, "/home/u/.ssh/key", 1);
	end(EXIT_1);
	is("open", "EACCES", "/home/u/.ssh/key", true);
	setup();
	failed(SW_FAILURE_OPEN, ENOENT, "../ref/genome.fa", 1);
	end(EXIT_1);
	is("open", "ENOENT", "../ref/genome.fa", true);
}
END_TEST

/* They may or may not be needed. */
START_TEST(settings)
{
	failed(SW_FAILURE_OPEN, ENOENT, "tool.conf", 1);
	end(EXIT_1);
	is("open", "ENOENT", "tool.conf", false);
	failures.failure[0].error = EACCES;
	end(EXIT_1);
	is("open", "EACCES", "tool.conf", true);
}
END_TEST

START_TEST(library)
{
	failed(SW_FAILURE_OPEN, ENOENT, "/usr/lib/libhts.so.3", 1)->times = 9;
	end(EXIT_127);
	is("open", "ENOENT", "libhts.so.3", true);
	/* It may have been found by a link of another name. */
	end(EXIT_1);
	is("open", "ENOENT", "libhts.so.3", false);
}
END_TEST

START_TEST(program)
{
	failed(SW_FAILURE_EXEC, ENOENT, "/bin/samtools", 1)->times = 6;
	end(EXIT_127);
	is("execute", "ENOENT", "samtools", true);
	failures.failure[0].times = 1;
	end(EXIT_127);
	is("execute", "ENOENT", "/bin/samtools", true);
	/* As reported by older kernels. */
	setup();
	failed(SW_FAILURE_EXEC, ENOENT, "/bin/samtools", 2)->times = 6;
	failed(SW_FAILURE_SCRIPT, ENOENT, "/bin/samtools", 1)->times = 6;
	end(EXIT_127);
	is("execute", "ENOENT", "samtools", true);
}
END_TEST

START_TEST(interpreter)
{
	failed(SW_FAILURE_EXEC, ENOENT, "/opt/python2", 2);
	failed(SW_FAILURE_SCRIPT, ENOENT, "/home/u/run.py", 1);
	end(EXIT_126);
	is("interpret", "ENOENT", "/opt/python2", true);
	end(EXIT_1);
	is("interpret", "ENOENT", "/opt/python2", true);
	/* Older kernels report this for a program, too. */
	setup();
	failed(SW_FAILURE_EXEC, ENOENT, "/home/u/run.py", 2);
	failed(SW_FAILURE_SCRIPT, ENOENT, "/home/u/run.py", 1);
	end(EXIT_126);
	is("execute", "ENOENT", "/home/u/run.py", true);
	/* A shell executes that itself. */
	setup();
	failed(SW_FAILURE_SCRIPT, ENOEXEC, "/home/u/run", 1);
	end(EXIT_1);
	is("execute", "ENOEXEC", "/home/u/run", false);
	end(EXIT_126);
	is("execute", "ENOEXEC", "/home/u/run", true);
}
END_TEST

START_TEST(writes)
{
	struct sw_failure *failure;

	/* Long before: data that was not written stays lost. */
	failure = failed(SW_FAILURE_WRITE, ENOSPC, "out.bam", 600 * SECOND);
	name_file(&failure->file, "/a/b/c/d/alice/results/out.bam");
	read_file("/data/next.fq");
	end(EXIT_1);
	is("write", "ENOSPC", ".../b/c/d/alice/results/out.bam", true);
	ck_assert_uint_eq(cause.object.device, DEVICE);
	name_file(&failure->file, "/results/out.bam");
	end(EXIT_1);
	is("write", "ENOSPC", "results/out.bam", true);
	name_file(&failure->file, "/out.bam");
	failure->error = EDQUOT;
	end(EXIT_1);
	is("write", "EDQUOT", "out.bam", true);
	failure->error = EIO;
	end(EXIT_1);
	is(NULL, NULL, "", false);
	failure->error = EINVAL;
	failure->time_nsec = END;
	end(EXIT_1);
	is("write", "EINVAL", "out.bam", false);
}
END_TEST

START_TEST(others)
{
	struct sw_failure *failure;
	struct in6_addr six = IN6ADDR_LOOPBACK_INIT;

	failed(SW_FAILURE_MEMORY, ENOMEM, "", SECOND)->number = 8ull << 30;
	end(SIGABRT);
	is("memory", "ENOMEM", "8589934592", true);
	setup();
	failed(SW_FAILURE_FORK, EAGAIN, "", SECOND);
	end(EXIT_1);
	is("fork", "EAGAIN", "", true);
	setup();
	failure = failed(SW_FAILURE_CONNECT, ECONNREFUSED, "\x7f\0\0\x01", 1);
	memcpy(failure->text, "\x7f\0\0\x01", 4);
	failure->family = AF_INET;
	failure->number = 27000;
	end(EXIT_1);
	is("connect", "ECONNREFUSED", "127.0.0.1:27000", true);
	memcpy(failure->text, &six, sizeof(six));
	failure->family = AF_INET6;
	end(EXIT_1);
	is("connect", "ECONNREFUSED", "[::1]:27000", true);
	read_file("/data/reads.fq");
	end(EXIT_1);
	is("connect", "ECONNREFUSED", "[::1]:27000", false);
}
END_TEST

/* hwloc tries X's displays :0 to :9 when mpirun starts. */
START_TEST(displays)
{
	struct sw_failure *failure;
	struct in6_addr six = IN6ADDR_LOOPBACK_INIT;

	failure = failed(SW_FAILURE_CONNECT, ECONNREFUSED, "", SECOND);
	memcpy(failure->text, "\x7f\0\0\x01", 4);
	failure->family = AF_INET;
	failure->number = 6009;
	end(EXIT_1);
	is(NULL, NULL, "", false);
	failure->number = 6000;
	end(EXIT_1);
	is(NULL, NULL, "", false);
	failure->number = 6010;
	end(EXIT_1);
	is("connect", "ECONNREFUSED", "127.0.0.1:6010", true);
	failure->number = 5999;
	end(EXIT_1);
	is("connect", "ECONNREFUSED", "127.0.0.1:5999", true);
	memcpy(failure->text, &six, sizeof(six));
	failure->family = AF_INET6;
	failure->number = 6003;
	end(EXIT_1);
	is(NULL, NULL, "", false);
	/* A server elsewhere may have any port. */
	failure->text[0] = 0x20;
	end(EXIT_1);
	is("connect", "ECONNREFUSED", "[2000::1]:6003", true);
	failure->family = AF_INET;
	memcpy(failure->text, "\x0a\0\0\x01", 4);
	end(EXIT_1);
	is("connect", "ECONNREFUSED", "10.0.0.1:6003", true);
}
END_TEST

/* A likely one is preferred, though others came later. */
START_TEST(several)
{
	failed(SW_FAILURE_WRITE, ENOSPC, "out.bam", 2 * SECOND);
	name_file(&failures.failure[0].file, "/out.bam");
	name_file(&failed(SW_FAILURE_WRITE, EINVAL, "", SECOND)->file, "/log");
	end(EXIT_1);
	is("write", "ENOSPC", "out.bam", true);
}
END_TEST

/* A truncated or unterminated name: memory of the kernel is not trusted. */
START_TEST(long_names)
{
	memset(failed(SW_FAILURE_OPEN, ENOENT, "", 1)->text, 'a',
	       SW_FAILURE_TEXT_SIZE);
	memset(failures.read, 'b', sizeof(failures.read));
	end(EXIT_1);
	ck_assert_int_eq(strncmp(cause.object.text, "...aaa", 6), 0);
	ck_assert_uint_eq(strlen(cause.object.text), SW_FAILURE_TEXT_SIZE + 2);
	ck_assert_int_eq(strncmp(cause.read.text, ".../bbb", 7), 0);
	ck_assert_ptr_nonnull(strstr(cause.read.text, "bbb.../bbb"));
}
END_TEST

int main(void)
{
	TCase *pure = tcase_create("pure");

	tcase_add_checked_fixture(pure, setup, NULL);
	tcase_add_test(pure, missing_file);
	tcase_add_test(pure, asked_first);
	tcase_add_test(pure, went_on);
	tcase_add_test(pure, wrote_then);
	tcase_add_test(pure, complained);
	tcase_add_test(pure, optional);
	tcase_add_test(pure, settings);
	tcase_add_test(pure, library);
	tcase_add_test(pure, program);
	tcase_add_test(pure, interpreter);
	tcase_add_test(pure, writes);
	tcase_add_test(pure, others);
	tcase_add_test(pure, displays);
	tcase_add_test(pure, several);
	tcase_add_test(pure, long_names);
	return run_tests("cause", pure, NULL);
}
