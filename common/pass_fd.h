/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages over a Unix socket that may carry one open descriptor (SCM_RIGHTS,
 * unix(7)).  Neither function blocks.
 */
#ifndef SW_COMMON_PASS_FD_H
#define SW_COMMON_PASS_FD_H

#include <stddef.h>
#include <sys/types.h>

/* The caller keeps passed_fd; -1: none.  As sendmsg(2), without SIGPIPE. */
ssize_t sw_send_with_fd(int socket_fd, const void *bytes, size_t length,
			int passed_fd);

/*
 * As recvmsg(2).  The caller owns *passed_fd, which is close-on-exec, or -1;
 * more than one are treated as none.  *flags are those of recvmsg(2).
 */
ssize_t sw_receive_with_fd(int socket_fd, void *bytes, size_t size,
			   int *passed_fd, int *flags);

#endif
