/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How processes end that end with another wait status than 0, as the kernel's
 * process events connector tells it (drivers/connector/cn_proc.c,
 * include/uapi/linux/cn_proc.h).  Since Linux 6.6 to every user, not only to
 * CAP_NET_ADMIN (bfdfdc2f3b70, "connector/cn_proc: Allow non-root users
 * access"), and by itself for those that failed (743acf351bae, "connector/
 * cn_proc: Performance improvements"); in the initial user, pid and network
 * namespaces only, and silent everywhere else: that something can be opened
 * does not mean that anything is told.
 *
 * What one has to know of it:
 * - It tells of every user's processes, and of each of their threads.  A
 *   socket lets through either first threads alone or all others (classic BPF,
 *   in the kernel): where a process of many threads fails, the messages of the
 *   others take no room of those.
 * - Its message is made last in do_exit(), after the parent was woken: it may
 *   come a little later than the parent knows.
 * - Linux 6.6.13 to 6.6.17 and 6.7.1 to 6.7.5 stop telling at the first
 *   message that no listener wants (c46bfba1337d; 8929f95b2b58 takes it back).
 * - A socket that is closed without PROC_CN_MCAST_IGNORE counts as a listener
 *   until the next boot, which costs every fork and end a little.
 * - Another user can bring the count of listeners to 0 (an unknown operation
 *   and then PROC_CN_MCAST_IGNORE counts down): then it is silent, too.  So
 *   silence says that processes ended with 0 only as long as something proves
 *   that it is not the connector that is silent: a process of one's own.
 */
#ifndef SW_COMMON_EXIT_SOCKET_H
#define SW_COMMON_EXIT_SOCKET_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

/* A thread that has ended. */
struct sw_exit {
	pid_t pid, tid;		/* the same: the first one of its process */
	int wait_status;	/* as of wait(2), never 0 */
	uint64_t time_nsec;	/* CLOCK_MONOTONIC */
};

enum { SW_EXIT_BATCH = 64 };

struct sw_exit_batch {
	struct sw_exit exit[SW_EXIT_BATCH];
	size_t count;
	bool is_last;		/* there are no more */
	bool has_lost;		/* there was no room for some */
};

enum sw_exit_threads { SW_EXIT_FIRST_THREADS, SW_EXIT_OTHER_THREADS };

/*
 * Not blocking, closed on exec.  The descriptor, or -1 with errno and *error,
 * which says why it can tell nothing here.
 */
int sw_exit_socket_open(enum sw_exit_threads threads, struct sw_error *error);

/* Takes -1. */
void sw_exit_socket_close(int fd);

/* The next messages; with has_lost more may have been lost than those. */
void sw_exit_socket_read(int fd, struct sw_exit_batch *batch);

/* A message, from whom, and whether it tells of an end at all. */
bool sw_exit_parse(const struct sockaddr_nl *from, const void *bytes,
		   size_t size, struct sw_exit *exit);

/*
 * A process of one's own that ends with another status than 0, and that no
 * wait for other children meets; its pid when it is gone, or -1 with errno.
 */
pid_t sw_exit_probe(void);

/*
 * Is it told of one, a socket of first threads?  What else is told meanwhile is
 * read and gone.
 */
bool sw_exit_socket_tells(int fd, unsigned wait_msec);

#endif
