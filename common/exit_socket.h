/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Receive the exits of processes with a wait status other than 0 from the
 * kernel's process events connector (drivers/connector/cn_proc.c,
 * include/uapi/linux/cn_proc.h).  Since Linux 6.6 any user, not only
 * CAP_NET_ADMIN, can receive them (bfdfdc2f3b70, "connector/cn_proc: Allow
 * non-root users access"), and only those of failed processes (743acf351bae,
 * "connector/cn_proc: Performance improvements").  It works in the initial
 * user, pid and network namespaces only, and is silent elsewhere: a socket that
 * can be opened does not imply events.
 *
 * Properties to know:
 * - Events are of every user's processes, and of each of their threads.  A
 *   socket accepts either first threads only or all others (classic BPF, in the
 *   kernel): if a process with many threads fails, the messages of the others
 *   take no room from those of the first.
 * - An event is sent last in do_exit(), after the parent was woken: it may
 *   arrive a little later than the parent's notification.
 * - Linux 6.6.13 to 6.6.17 and 6.7.1 to 6.7.5 stop sending at the first message
 *   that no listener wants (c46bfba1337d; reverted by 8929f95b2b58).
 * - A socket that is closed without PROC_CN_MCAST_IGNORE counts as a listener
 *   until the next boot, which makes every fork and exit slightly slower.
 * - Another user can bring the count of listeners to 0 (an unknown operation
 *   followed by PROC_CN_MCAST_IGNORE decrements it): then it is silent, too.
 *   Silence therefore implies status 0 only as long as a process of our own
 *   proves that the connector still sends events.
 */
#ifndef SW_COMMON_EXIT_SOCKET_H
#define SW_COMMON_EXIT_SOCKET_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

/* A thread that has exited. */
struct sw_exit {
	pid_t pid, tid;		/* equal for a process's first thread */
	int wait_status;	/* as of wait(2), never 0 */
	uint64_t time_nsec;	/* CLOCK_MONOTONIC */
};

enum { SW_EXIT_BATCH = 64 };

struct sw_exit_batch {
	struct sw_exit exit[SW_EXIT_BATCH];
	size_t count;
	bool is_last;		/* no more messages are pending */
	bool has_lost;		/* the receive buffer overflowed */
};

enum sw_exit_threads { SW_EXIT_FIRST_THREADS, SW_EXIT_OTHER_THREADS };

/*
 * Open a non-blocking, close-on-exec socket.  Returns the descriptor, or -1
 * with errno and *error, the reason why no events are available here.
 */
int sw_exit_socket_open(enum sw_exit_threads threads, struct sw_error *error);

/* -1 is allowed. */
void sw_exit_socket_close(int fd);

/* Receive the next messages; has_lost: more than these may have been lost. */
void sw_exit_socket_read(int fd, struct sw_exit_batch *batch);

/* Parse a message and check its sender; false if it is not about an exit. */
bool sw_exit_parse(const struct sockaddr_nl *from, const void *bytes,
		   size_t size, struct sw_exit *exit);

/*
 * Run a process that exits with a status other than 0 and is invisible to other
 * waits for children.  Returns its pid after its exit, or -1 with errno.
 */
pid_t sw_exit_probe(void);

/*
 * Does a socket of first threads receive the exit of a probe?  Other messages
 * received meanwhile are discarded.
 */
bool sw_exit_socket_tells(int fd, unsigned wait_msec);

#endif
