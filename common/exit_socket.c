/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Receive process exits from the kernel's process events connector. */
#include "common/exit_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/connector.h>
#include <linux/filter.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* From <linux/cn_proc.h> of 6.6; older headers lack them. */
enum {
	MCAST_LISTEN = 1,
	MCAST_IGNORE = 2,
	EVENT_NONZERO_EXIT = 0x20000000,
};

#define EVENT_EXIT 0x80000000u

/* struct cn_msg without the data that follows. */
struct connector {
	struct cb_id id;
	uint32_t sequence, acknowledged;
	uint16_t size, flags;
};

struct input {
	uint32_t operation;
	uint32_t event; /* since 6.6; before, all events */
};

/* struct proc_event of an exit, as far as older kernels have it. */
struct event {
	uint32_t what;
	uint32_t cpu;
	uint64_t time_nsec;
	uint32_t pid, tgid, exit_code, exit_signal;
};

struct message {
	struct nlmsghdr header;
	struct connector connector;
	struct event event;
} __attribute__((packed));

enum {
	ROOM = 256,	  /* for a message; the kernel's has 76 bytes */
	STACK = 16384,	  /* of the probe */
	BUFFER = 1 << 20, /* some 1,300 messages, if granted */
};

/* include/linux/proc_ns.h: PROC_USER_INIT_INO and PROC_PID_INIT_INO. */
#define FIRST_USER_NS 0xeffffffdu
#define FIRST_PID_NS  0xeffffffcu

#define LOAD(member)                                                           \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct message, member))

/*
 * Pass only the exits of the given threads of processes that failed.  A load is
 * in network byte order, and a load beyond the message drops it.
 */
static int set_filter(int fd, enum sw_exit_threads threads)
{
	/* Skip the instruction that drops the message. */
	const unsigned char first = threads == SW_EXIT_FIRST_THREADS;
	struct sock_filter code[] = {
		LOAD(event.what),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(EVENT_EXIT), 0, 6),
		LOAD(event.exit_code),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, 0),
		LOAD(event.tgid),
		BPF_STMT(BPF_MISC | BPF_TAX, 0),
		LOAD(event.pid),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, first, !first),
		BPF_STMT(BPF_RET | BPF_K, 0),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
	};
	const struct sock_fprog program = {
		.len = sizeof(code) / sizeof(code[0]),
		.filter = code,
	};

	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program,
			  sizeof(program));
}

/* Before 6.6 only root gets events, all of them, subscribing with one word. */
static bool knows_filters(void)
{
	struct utsname name;
	unsigned major, minor;

	return uname(&name) < 0 ||
	       sscanf(name.release, "%u.%u", &major, &minor) != 2 ||
	       major > 6 || (major == 6 && minor >= 6);
}

static int ask(int fd, uint32_t operation)
{
	const struct input input = { operation, EVENT_NONZERO_EXIT };
	const size_t size =
		knows_filters() ? sizeof(input) : sizeof(input.operation);
	struct {
		struct nlmsghdr header;
		struct connector connector;
		unsigned char input[sizeof(input)];
	} request = {
		.header = { .nlmsg_type = NLMSG_DONE },
		.connector =
			{
				.id = { CN_IDX_PROC, CN_VAL_PROC },
				.size = (uint16_t)size,
			},
	};

	memcpy(request.input, &input, size);
	request.header.nlmsg_len =
		(uint32_t)(NLMSG_LENGTH(sizeof(request.connector)) + size);
	return send(fd, &request, request.header.nlmsg_len, 0) < 0 ? -1 : 0;
}

/* These numbers never change; without /proc assume the initial namespace. */
static bool is_in_first(const char *path, uint32_t number)
{
	struct stat stat_;

	return stat(path, &stat_) < 0 || (uint32_t)stat_.st_ino == number;
}

static int join(int fd, enum sw_exit_threads threads, struct sw_error *error)
{
	const struct sockaddr_nl address = { .nl_family = AF_NETLINK,
					     .nl_groups = CN_IDX_PROC };
	const int buffer = BUFFER;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer,
		       sizeof(buffer)) < 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer));
	/* Set the filter first: without it every event is received. */
	if (set_filter(fd, threads) < 0)
		return sw_error_errno(error,
				      "the socket filter for exit events was "
				      "refused");
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
		return errno == EPERM
			       ? sw_error_set(error,
					      "exit events need root before "
					      "Linux 6.6")
			       : sw_error_errno(
					 error,
					 "exit events are not available");
	if (ask(fd, MCAST_LISTEN) < 0)
		return sw_error_errno(error, "exit events are not available in "
					     "this network namespace");
	return 0;
}

int sw_exit_socket_open(enum sw_exit_threads threads, struct sw_error *error)
{
	int fd, kept;

	if (!is_in_first("/proc/self/ns/user", FIRST_USER_NS) ||
	    !is_in_first("/proc/self/ns/pid", FIRST_PID_NS)) {
		errno = EOPNOTSUPP;
		return sw_error_set(error, "exit events are not available in a "
					   "container with its own user or PID "
					   "namespace");
	}
	fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
		    NETLINK_CONNECTOR);
	if (fd < 0)
		return sw_error_errno(error, "the kernel has no process events "
					     "connector");
	if (join(fd, threads, error) == 0)
		return fd;
	kept = errno;
	close(fd);
	errno = kept;
	return -1;
}

void sw_exit_socket_close(int fd)
{
	if (fd < 0)
		return;
	ask(fd, MCAST_IGNORE);
	close(fd);
}

bool sw_exit_parse(const struct sockaddr_nl *from, const void *bytes,
		   size_t size, struct sw_exit *exit)
{
	struct message message;

	/* Only the kernel has this address. */
	if (from->nl_family != AF_NETLINK || from->nl_pid != 0 ||
	    size < sizeof(message))
		return false;
	memcpy(&message, bytes, sizeof(message));
	if (message.header.nlmsg_len < sizeof(message) ||
	    message.connector.id.idx != CN_IDX_PROC ||
	    message.connector.id.val != CN_VAL_PROC ||
	    message.connector.size < sizeof(message.event) ||
	    message.event.what != EVENT_EXIT || message.event.pid == 0 ||
	    message.event.pid > INT32_MAX || message.event.tgid == 0 ||
	    message.event.tgid > INT32_MAX || message.event.exit_code == 0)
		return false;
	*exit = (struct sw_exit){
		.pid = (pid_t)message.event.tgid,
		.tid = (pid_t)message.event.pid,
		.wait_status = (int)(message.event.exit_code & 0xffff),
		.time_nsec = message.event.time_nsec,
	};
	return true;
}

void sw_exit_socket_read(int fd, struct sw_exit_batch *batch)
{
	unsigned char bytes[SW_EXIT_BATCH][ROOM];
	struct sockaddr_nl from[SW_EXIT_BATCH];
	struct mmsghdr message[SW_EXIT_BATCH];
	struct iovec part[SW_EXIT_BATCH];
	int i, count;

	memset(batch, 0, sizeof(*batch));
	memset(message, 0, sizeof(message));
	for (i = 0; i < SW_EXIT_BATCH; i++) {
		part[i] = (struct iovec){ bytes[i], ROOM };
		message[i].msg_hdr.msg_name = &from[i];
		message[i].msg_hdr.msg_namelen = sizeof(from[i]);
		message[i].msg_hdr.msg_iov = &part[i];
		message[i].msg_hdr.msg_iovlen = 1;
	}
	count = recvmmsg(fd, message, SW_EXIT_BATCH, MSG_DONTWAIT, NULL);
	batch->has_lost = count < 0 && errno == ENOBUFS;
	batch->is_last = count < 0 && errno != ENOBUFS && errno != EINTR;
	for (i = 0; i < count; i++) {
		if (sw_exit_parse(&from[i], bytes[i], message[i].msg_len,
				  &batch->exit[batch->count]))
			batch->count++;
	}
}

static int fail(void *context)
{
	(void)context;
	/* It shares this process's memory: call nothing of the C library. */
	syscall(SYS_exit_group, 1);
	return 1;
}

pid_t sw_exit_probe(void)
{
	unsigned char *stack = malloc(STACK);
	pid_t pid;

	if (!stack)
		return -1;
	/* No signal at exit; this thread resumes when the child has exited. */
	pid = clone(fail, stack + STACK, CLONE_VM | CLONE_VFORK, NULL);
	if (pid > 0) {
		while (waitpid(pid, NULL, (int)__WCLONE) < 0 && errno == EINTR)
			;
	}
	free(stack);
	return pid;
}

static bool has(const struct sw_exit_batch *batch, pid_t pid)
{
	size_t i;

	for (i = 0; i < batch->count; i++) {
		if (batch->exit[i].pid == pid)
			return true;
	}
	return false;
}

bool sw_exit_socket_tells(int fd, unsigned wait_msec)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };
	struct timespec begin, now;
	struct sw_exit_batch batch;
	pid_t pid = sw_exit_probe();
	long left = (long)wait_msec;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	while (pid > 0 && left > 0) {
		poll(&polled, 1, (int)left);
		sw_exit_socket_read(fd, &batch);
		if (has(&batch, pid))
			return true;
		clock_gettime(CLOCK_MONOTONIC, &now);
		left = (long)wait_msec - (now.tv_sec - begin.tv_sec) * 1000 -
		       (now.tv_nsec - begin.tv_nsec) / 1000000;
	}
	return false;
}
