/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs sacct: no shell, a limit on its time and on its output.  It gives up
 * after 30 seconds, or 5 where a report can do without, for a database that is
 * down would keep it for minutes.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/sacct/sacct.h"
#include "analyzer/sacct/sacct_internal.h"
#include "common/escape.h"

enum {
	WAIT_SECONDS = 30, REPORT_WAIT_SECONDS = 5,
	OUTPUT_SIZE_MAX = 16 << 20, COMPLAINT_SIZE = 160,
	STATUS_NO_PROGRAM = 127,
};

struct run {
	pid_t pid;
	int out;	/* its standard output, a pipe */
	int err;	/* its standard error, a file in memory */
	char *text;
	size_t size;
};

static void become_sacct(int out, int err, const struct sw_acct_question *what)
{
	const char *head = what->has_header ? "--parsable2" : "--noheader";
	const char *runs = what->has_all_runs ? "--duplicates" : head;

	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
		_exit(STATUS_NO_PROGRAM);
	/* Times as numbers, words in English. */
	setenv("SLURM_TIME_FORMAT", "%s", 1);
	setenv("LC_ALL", "C", 1);
	execlp("sacct", "sacct", "--parsable2", head, runs, "--noconvert",
	       "--jobs", what->ids, "--format", what->format, (char *)NULL);
	_exit(errno == ENOENT ? STATUS_NO_PROGRAM : STATUS_NO_PROGRAM - 1);
}

static int start(struct run *run, const struct sw_acct_question *what)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	run->out = ends[0];
	run->err = memfd_create("sacct", MFD_CLOEXEC);
	run->pid = run->err < 0 ? -1 : fork();
	if (run->pid == 0)
		become_sacct(ends[1], run->err, what);
	close(ends[1]);
	return run->pid < 0 ? -1 : 0;
}

static long now_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Until its end.  -1 with errno: ETIMEDOUT, EFBIG. */
static int read_all(struct run *run, unsigned wait_seconds)
{
	long deadline = now_msec() + wait_seconds * 1000L, left;
	size_t capacity = 0;
	ssize_t length;

	for (;;) {
		struct pollfd ready = { .fd = run->out, .events = POLLIN };

		if (run->size + 1 >= capacity) {
			char *grown = realloc(run->text, capacity + 65536);

			if (!grown)
				return -1;
			run->text = grown;
			capacity += 65536;
		}
		left = deadline - now_msec();
		errno = left <= 0 ? ETIMEDOUT : EFBIG;
		if (left <= 0 || run->size > OUTPUT_SIZE_MAX)
			return -1;
		if (poll(&ready, 1, (int)left) <= 0)
			continue;
		length = read(run->out, run->text + run->size,
			      capacity - run->size - 1);
		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0)
			break;
		run->size += (size_t)length;
	}
	/* A NUL ends what can be a line. */
	run->text[run->size] = '\0';
	return 0;
}

/* The first line of what it complained of, escaped. */
static char *complaint(const struct run *run, char *buf, size_t size)
{
	char text[COMPLAINT_SIZE];
	ssize_t length = pread(run->err, text, sizeof(text) - 1, 0);

	text[length > 0 ? length : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return sw_escape_ascii(buf, size, text);
}

static int explain(const struct run *run, int status, struct sw_error *error)
{
	char text[4 * COMPLAINT_SIZE];

	if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_NO_PROGRAM) {
		errno = ENOENT;
		return sw_error_set(error, "sacct is not installed");
	}
	complaint(run, text, sizeof(text));
	errno = EIO;
	return sw_error_set(error, "sacct failed%s%s", text[0] ? ": " : "",
			    text);
}

static int finish(struct run *run, int rc, struct sw_error *error)
{
	int status = 0, saved = errno;

	if (rc < 0)
		kill(run->pid, SIGKILL);
	while (waitpid(run->pid, &status, 0) < 0 && errno == EINTR)
		;
	errno = saved;
	if (rc < 0 && errno == ETIMEDOUT)
		return sw_error_set(error, "sacct did not answer in time");
	if (rc < 0)
		return sw_error_errno(error, "sacct");
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return explain(run, status, error);
	return 0;
}

char *sw_acct_ask(const struct sw_acct_question *what, struct sw_error *error)
{
	struct run run = { .out = -1, .err = -1 };
	int rc;

	if (start(&run, what) < 0)
		rc = sw_error_errno(error, "sacct");
	else
		rc = finish(&run, read_all(&run, what->wait_seconds ?
			    what->wait_seconds : WAIT_SECONDS), error);
	if (run.out >= 0)
		close(run.out);
	if (run.err >= 0)
		close(run.err);
	if (rc == 0)
		return run.text;
	free(run.text);
	return NULL;
}

int sw_acct_query(struct sw_acct *acct, const struct sw_jobid *id,
		  struct sw_error *error)
{
	char ids[SW_JOBID_TEXT_SIZE], *text;
	struct sw_jobid whole = *id;
	const struct sw_acct_question what = {
		.ids = ids, .format = ACCT_FORMAT,
	};
	int rc;

	/* The allocation has what was requested, so all steps are asked for. */
	whole.step[0] = '\0';
	memset(acct, 0, sizeof(*acct));
	sw_jobid_format(ids, sizeof(ids), &whole);
	text = sw_acct_ask(&what, error);
	rc = text ? sw_acct_parse(acct, text, id, error) : -1;
	free(text);
	return rc;
}

int sw_acct_query_runs(struct sw_acct *acct, const char *ids,
		       struct sw_error *error)
{
	const struct sw_acct_question what = {
		.ids = ids, .format = ACCT_FORMAT, .has_all_runs = true,
		.wait_seconds = REPORT_WAIT_SECONDS,
	};
	char *text;
	int rc;

	memset(acct, 0, sizeof(*acct));
	text = sw_acct_ask(&what, error);
	rc = text ? sw_acct_parse_runs(acct, text, error) : -1;
	free(text);
	return rc;
}
