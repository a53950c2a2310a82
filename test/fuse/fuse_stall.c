/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuse_stall [--never OPS] [--delay OPS=MSEC] [--error OPS=COUNT]
 *            [--errno NUMBER] [--file NAME=BYTES] [--mounter UID] FOLDER
 *
 * Mount a file system on FOLDER that is slow or never answers, until it is
 * killed.  OPS are FUSE operations, such as "read,write", or "all".  --never
 * leaves OPS unanswered, --delay answers them after MSEC, and --error fails the
 * first COUNT of them with EIO or the --errno.  The files are in memory; --file
 * makes one of zeros.  --mounter mounts as fusermount(1) does for that user.
 *
 * SIGUSR1 answers everything at once, including pending requests; SIGUSR2
 * returns to the initial state.  Killing fuse_stall aborts the connection:
 * waiting processes get an error.  It prints "ready" once mounted.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "test/fuse/serve.h"
#include "test/fuse/tree.h"

#define NEVER UINT64_MAX

enum { OPCODES = FUSE_RENAME2 + 1 };

/* A request whose answer is held back. */
struct held {
	struct held *next;
	uint64_t due_msec;
	union {
		struct fuse_in_header in;
		char bytes[1];
	} request;
};

static uint64_t delay_msec[OPCODES];
static uint64_t errors[OPCODES];	/* still to be given */
static int error_number = EIO;
static int mounter;
static bool is_answering;		/* SIGUSR1: answer all */
static struct held *held;

static void fail(const char *what) __attribute__((noreturn));

static void fail(const char *what)
{
	fprintf(stderr, "fuse_stall: %s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

static uint64_t now_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Set the value of each operation in a list such as "read,write". */
static void set_operations(char *names, uint64_t *of, uint64_t value)
{
	char *save, *name;
	uint32_t i, opcode;

	for (name = strtok_r(names, ",", &save); name;
	     name = strtok_r(NULL, ",", &save)) {
		opcode = serve_opcode(name);
		errno = EINVAL;
		if (!opcode && strcmp(name, "all") != 0)
			fail(name);
		for (i = 0; i < OPCODES; i++) {
			if (!opcode || i == opcode)
				of[i] = value;
		}
		/* The kernel has two rename operations. */
		if (opcode == FUSE_RENAME)
			of[FUSE_RENAME2] = value;
	}
}

/* Cut the argument at "=" and return the number after it. */
static uint64_t cut_number(char *argument)
{
	char *equals = strchr(argument, '='), *end;
	uint64_t value;

	errno = EINVAL;
	if (!equals)
		fail(argument);
	*equals = '\0';
	value = strtoull(equals + 1, &end, 10);
	if (end == equals + 1 || *end)
		fail(argument);
	return value;
}

/* Return the folder, or NULL on a usage error. */
static const char *parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "never", required_argument, NULL, 'n' },
		{ "delay", required_argument, NULL, 'd' },
		{ "error", required_argument, NULL, 'e' },
		{ "errno", required_argument, NULL, 'r' },
		{ "file", required_argument, NULL, 'f' },
		{ "mounter", required_argument, NULL, 'm' },
		{ NULL, 0, NULL, 0 },
	};
	const char *file = NULL;
	uint64_t value, size = 0;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == '?')
			return NULL;
		if (option == 'r') {
			error_number = atoi(optarg);
			continue;
		}
		if (option == 'm') {
			mounter = atoi(optarg);
			continue;
		}
		value = option == 'n' ? NEVER : cut_number(optarg);
		if (option == 'f') {
			file = optarg;
			size = value;
		} else {
			set_operations(optarg,
				       option == 'e' ? errors : delay_msec,
				       value);
		}
	}
	if (argc != optind + 1)
		return NULL;
	tree_begin(file, size);
	return argv[optind];
}

static int mount_at(const char *folder)
{
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	char data[128];

	if (fd < 0)
		fail("/dev/fuse");
	snprintf(data, sizeof(data), "fd=%d,rootmode=40000,user_id=%d,"
		 "group_id=0,allow_other,default_permissions", fd, mounter);
	if (mount("stall", folder, "fuse.stall", MS_NOSUID | MS_NODEV, data) <
	    0)
		fail(folder);
	return fd;
}

/*
 * Return the delay of an operation; those that begin or end a request have
 * none.
 */
static uint64_t wait_of(uint32_t opcode)
{
	if (is_answering || opcode >= OPCODES || opcode == FUSE_INIT ||
	    opcode == FUSE_FORGET || opcode == FUSE_BATCH_FORGET ||
	    opcode == FUSE_INTERRUPT || opcode == FUSE_DESTROY)
		return 0;
	return delay_msec[opcode];
}

static void hold(const struct fuse_in_header *in, uint64_t wait_msec)
{
	struct held *one = malloc(sizeof(*one) + in->len), **end = &held;

	if (!one)
		fail("memory");
	one->next = NULL;
	one->due_msec = wait_msec == NEVER ? NEVER : now_msec() + wait_msec;
	memcpy(one->request.bytes, in, in->len);
	while (*end)
		end = &(*end)->next;
	*end = one;
}

static void take_request(int fuse_fd)
{
	static union {
		struct fuse_in_header in;
		char bytes[SERVE_BUFFER_SIZE];
	} request;
	const uint32_t *opcode = &request.in.opcode;
	ssize_t length = read(fuse_fd, &request, sizeof(request));

	if (length < 0 && errno == ENODEV)
		exit(EXIT_SUCCESS);	/* unmounted */
	if (length < 0 && (errno == EAGAIN || errno == EINTR ||
			   errno == ENOENT))
		return;
	if (length < (ssize_t)sizeof(request.in))
		fail("request");
	if (*opcode < OPCODES && errors[*opcode] && !is_answering) {
		errors[*opcode]--;
		serve_error(fuse_fd, &request.in, error_number);
	} else if (wait_of(*opcode)) {
		hold(&request.in, wait_of(*opcode));
	} else {
		serve(fuse_fd, &request.in);
	}
}

/* Answer the requests that are due; return the poll(2) timeout of the next. */
static int serve_held(int fuse_fd)
{
	struct held **link = &held, *one;
	uint64_t now = now_msec(), next = NEVER;

	while ((one = *link)) {
		if (!is_answering && one->due_msec > now) {
			next = one->due_msec < next ? one->due_msec : next;
			link = &one->next;
			continue;
		}
		serve(fuse_fd, &one->request.in);
		*link = one->next;
		free(one);
	}
	return next == NEVER ? -1 : (int)(next - now);
}

int main(int argc, char **argv)
{
	const char *folder = parse(argc, argv);
	struct signalfd_siginfo info;
	struct pollfd polled[2];
	sigset_t set;

	if (!folder) {
		fprintf(stderr, "usage: fuse_stall [--never OPS] "
			"[--delay OPS=MSEC] [--error OPS=COUNT] "
			"[--errno NUMBER] [--file NAME=BYTES] "
			"[--mounter UID] FOLDER\n");
		return 2;
	}
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	polled[0] = (struct pollfd){ .fd = mount_at(folder),
				     .events = POLLIN };
	polled[1] = (struct pollfd){
		.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK),
		.events = POLLIN };
	puts("ready");
	fflush(stdout);
	for (;;) {
		poll(polled, 2, serve_held(polled[0].fd));
		while (read(polled[1].fd, &info, sizeof(info)) ==
		       sizeof(info))
			is_answering = info.ssi_signo == SIGUSR1;
		if (polled[0].revents)
			take_request(polled[0].fd);
	}
}
