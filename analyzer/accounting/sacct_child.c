/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run sacct, or a program that takes its arguments. */
#include "analyzer/accounting/sacct_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/escape.h"

enum {
	COMPLAINT_SIZE = 160, READ_SIZE = 65536,
};

struct run {
	pid_t pid;
	int out;	/* stdout, a pipe */
	int err;	/* stderr, a file in memory */
	char *text;
	size_t size, capacity;
};

/* Numeric times, English messages, untruncated array indices. */
static char *const own_environment[] = {
	(char *)"SLURM_TIME_FORMAT=%s",
	(char *)"LC_ALL=C",
	(char *)"SLURM_BITSTR_LEN=0",
};

enum { OWN_WORDS = sizeof(own_environment) / sizeof(own_environment[0]) };

static bool is_own(const char *word)
{
	size_t i, length;

	for (i = 0; i < OWN_WORDS; i++) {
		length = strcspn(own_environment[i], "=") + 1;
		if (!strncmp(word, own_environment[i], length))
			return true;
	}
	return false;
}

/* The strings belong to the caller; NULL (ENOMEM). */
static char **make_environment(void)
{
	size_t count = 0, used = 0;
	char **made;

	while (environ && environ[count])
		count++;
	made = calloc(count + OWN_WORDS + 1, sizeof(*made));
	if (!made)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		if (!is_own(environ[i]))
			made[used++] = environ[i];
	}
	memcpy(made + used, own_environment, sizeof(own_environment));
	return made;
}

/* The child shares memory until its exec: fork() would copy all page tables. */
static int spawn(struct run *run, int out, const struct sw_sacct_call *call)
{
	char **environment = make_environment();
	posix_spawn_file_actions_t actions;
	int rc = environment ? posix_spawn_file_actions_init(&actions) : ENOMEM;

	if (rc == 0) {
		rc = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
						      "/dev/null", O_RDONLY, 0);
		if (rc == 0)
			rc = posix_spawn_file_actions_adddup2(&actions, out,
							      STDOUT_FILENO);
		if (rc == 0)
			rc = posix_spawn_file_actions_adddup2(
				&actions, run->err, STDERR_FILENO);
		if (rc == 0)
			rc = posix_spawnp(&run->pid, call->argv[0], &actions,
					  NULL, (char *const *)call->argv,
					  environment);
		posix_spawn_file_actions_destroy(&actions);
	}
	free(environment);
	errno = rc;
	return rc ? -1 : 0;
}

static int start(struct run *run, const struct sw_sacct_call *call)
{
	int ends[2], rc = -1, saved;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	run->out = ends[0];
	run->err = memfd_create("sacct", MFD_CLOEXEC);
	if (run->err >= 0)
		rc = spawn(run, ends[1], call);
	saved = errno;
	close(ends[1]);
	errno = saved;
	return rc;
}

static long now_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Make room for one more read(), doubling the size. */
static int grow(struct run *run)
{
	char *grown;

	if (run->capacity - run->size > READ_SIZE)
		return 0;
	grown = realloc(run->text, 2 * run->capacity + 2 * READ_SIZE);
	if (!grown)
		return -1;
	run->text = grown;
	run->capacity = 2 * run->capacity + 2 * READ_SIZE;
	return 0;
}

/* Read until EOF.  -1 with errno: ETIMEDOUT, EFBIG. */
static int read_all(struct run *run, const struct sw_sacct_call *call)
{
	long deadline = now_msec() + call->wait_seconds * 1000L, left;
	ssize_t length;

	for (;;) {
		struct pollfd ready = { .fd = run->out, .events = POLLIN };

		if (grow(run) < 0)
			return -1;
		left = deadline - now_msec();
		errno = left <= 0 ? ETIMEDOUT : EFBIG;
		if (left <= 0 || run->size > call->output_bytes_max)
			return -1;
		if (poll(&ready, 1, (int)left) <= 0)
			continue;
		length = read(run->out, run->text + run->size, READ_SIZE);
		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0)
			break;
		run->size += (size_t)length;
	}
	/* An embedded NUL ends the text, too. */
	run->text[run->size] = '\0';
	return 0;
}

/* Read the first line of stderr. */
static void complaint(const struct run *run, char text[COMPLAINT_SIZE])
{
	ssize_t length = pread(run->err, text, COMPLAINT_SIZE - 1, 0);

	text[length > 0 ? length : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

static int explain(const struct run *run, const char *program,
		   struct sw_error *error)
{
	char text[COMPLAINT_SIZE], escaped[4 * COMPLAINT_SIZE];

	complaint(run, text);
	/* Message of ESLURM_RESULT_TOO_LARGE */
	errno = strstr(text, "exceeds size limit") ? EFBIG : EIO;
	return sw_error_set(error, "%s failed%s%s", program,
			    text[0] ? ": " : "",
			    sw_escape_ascii(escaped, sizeof(escaped), text));
}

/* Did it fail with only a message? */
static bool is_empty_by_error(const struct run *run)
{
	char text[COMPLAINT_SIZE];

	complaint(run, text);
	return run->size == 0 && strstr(text, "error:");
}

static int finish(struct run *run, int rc, const struct sw_sacct_call *call,
		  struct sw_error *error)
{
	const char *program = call->argv[0];
	int status = 0, saved = errno;

	if (rc < 0)
		kill(run->pid, SIGKILL);
	while (waitpid(run->pid, &status, 0) < 0 && errno == EINTR)
		;
	errno = saved;
	if (rc < 0 && errno == ETIMEDOUT)
		return sw_error_set(error, "%s did not answer in time", program);
	if (rc < 0)
		return sw_error_errno(error, "%s", program);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 ||
	    (call->is_empty_suspect && is_empty_by_error(run)))
		return explain(run, program, error);
	return 0;
}

char *sw_sacct_run(const struct sw_sacct_call *call, struct sw_error *error)
{
	struct run run = { .out = -1, .err = -1 };
	int rc, saved;

	if (start(&run, call) < 0)
		rc = errno == ENOENT ?
			     sw_error_set(error, "%s is not installed",
					  call->argv[0]) :
			     sw_error_errno(error, "%s", call->argv[0]);
	else
		rc = finish(&run, read_all(&run, call), call, error);
	saved = errno;
	if (run.out >= 0)
		close(run.out);
	if (run.err >= 0)
		close(run.err);
	if (rc == 0)
		return run.text;
	free(run.text);
	errno = saved;
	return NULL;
}
