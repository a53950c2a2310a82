/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the deliverer, and its children; its start in the loop.
 *
 * The process that delivers profiles to users.  Copies that take longer than
 * COPY_USEC_MAX are aborted; a child that even SIGKILL does not end is
 * abandoned, and after STUCK_MAX of these nothing more is tried.
 */
#include "recorder/delivery/deliverer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/pass_fd.h"
#include "common/units.h"
#include "recorder/kernel/become.h"
#include "recorder/delivery/prune.h"
#include "recorder/delivery/user_folder.h"
#include "recorder/kernel/rights.h"

#define COPY_USEC_MAX (120 * SW_USEC_PER_SEC)
#define PROFILE_BYTES_MAX ((rlim_t)1 << 30)
/* Name of a profile being copied, followed by the pid of the child */
#define PART_NAME ".%.200s."

enum {
	CHILDREN_MAX = 64,	/* including stuck ones */
	STUCK_MAX = 48,
	COPY_SIZE = 65536,
	EXIT_ERRNO = 64,	/* exit statuses from here on are errno */
};

struct child {
	pid_t pid;		/* 0: free */
	uid_t uid;
	uint64_t id;
	uint64_t until_usec;
	bool is_stuck;		/* killed, and reported as failed */
};

struct deliverer {
	int socket_fd, signal_fd;
	const char *profile_dir;
	struct child child[CHILDREN_MAX];
};

/* --- in the child, as the user except for root's creation of the directory */

static int copy_bytes(int from, int to)
{
	char bytes[COPY_SIZE];
	ssize_t length, written, done;

	while ((length = read(from, bytes, sizeof(bytes))) != 0) {
		if (length < 0 && errno == EINTR)
			continue;
		if (length < 0)
			return -1;
		for (done = 0; done < length; done += written) {
			written = write(to, bytes + done,
					(size_t)(length - done));
			if (written < 0 && errno == EINTR)
				written = 0;
			if (written < 0)
				return -1;
		}
	}
	return 0;
}

/* Remove files left by killed attempts; one that still hangs will then fail. */
static void remove_leftovers(int folder, const char *name)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	char start[NAME_MAX];
	struct dirent *item;

	snprintf(start, sizeof(start), PART_NAME, name);
	while (dir && (item = readdir(dir))) {
		if (!strncmp(item->d_name, start, strlen(start)))
			unlinkat(folder, item->d_name, 0);
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

static int copy_profile(int folder, int profile_fd, const char *name)
{
	char part[NAME_MAX + 32];
	int fd, saved, rc = -1;

	remove_leftovers(folder, name);
	snprintf(part, sizeof(part), PART_NAME "%d", name, (int)getpid());
	fd = openat(folder, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC |
		    O_NOFOLLOW, 0640);
	if (fd < 0)
		return -1;
	if (copy_bytes(profile_fd, fd) == 0 && fsync(fd) == 0)
		rc = 0;
	if (close(fd) < 0)
		rc = -1;
	if (rc == 0)
		rc = renameat(folder, part, folder, name);
	saved = errno;
	if (rc < 0)
		unlinkat(folder, part, 0);
	errno = saved;
	return rc;
}

__attribute__((noreturn))
static void be_the_user(const struct deliverer *deliverer,
			const struct sw_delivery_order *order, int profile_fd)
{
	const struct rlimit size = { PROFILE_BYTES_MAX, PROFILE_BYTES_MAX };
	int folders[SW_USER_FOLDERS_MAX], count;
	char spare[SW_USER_FOLDER_NAME_SIZE] = "";
	sigset_t none;

	close(deliverer->socket_fd);
	close(deliverer->signal_fd);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setrlimit(RLIMIT_FSIZE, &size);
	signal(SIGXFSZ, SIG_IGN);
	umask(027);
	if (geteuid() == 0)
		sw_user_folder_give(deliverer->profile_dir, order->uid,
				    order->gid, spare);
	if (sw_become(order->uid, order->gid) < 0)
		_exit(EXIT_ERRNO + (errno < 128 ? errno : EPERM));
	count = sw_user_folders_open(deliverer->profile_dir, order->uid,
				     spare, folders);
	if (count < 0 && errno == ENOTDIR)
		_exit(SW_DELIVERY_REFUSED);
	if (count < 0 || copy_profile(folders[0], profile_fd, order->name) < 0)
		_exit(EXIT_ERRNO + (errno < 128 ? errno : EIO));
	sw_prune(folders, (size_t)count, order->keep_seconds,
		 order->max_bytes, order->name);
	_exit(SW_DELIVERED);
}

/* --- run in the deliverer, as root, without accessing the user's files */

static void answer(const struct deliverer *deliverer, uint64_t id, int result,
		   int error)
{
	const struct sw_delivery_done done = {
		.id = id, .result = result, .error = error };

	send(deliverer->socket_fd, &done, sizeof(done), MSG_NOSIGNAL);
}

/* Return NULL if too many are stuck, or one with the same directory. */
static struct child *free_child(struct deliverer *deliverer, uid_t uid)
{
	struct child *found = NULL;
	unsigned stuck = 0;
	size_t i;

	for (i = 0; i < CHILDREN_MAX; i++) {
		struct child *child = &deliverer->child[i];

		stuck += child->pid && child->is_stuck;
		if (!child->pid)
			found = child;
		else if (child->is_stuck && child->uid == uid)
			return NULL;
	}
	return stuck < STUCK_MAX ? found : NULL;
}

static void take_order(struct deliverer *deliverer,
		       const struct sw_delivery_order *order, int profile_fd)
{
	struct child *child = free_child(deliverer, order->uid);
	pid_t pid = -1;

	errno = EBUSY;
	if (child)
		pid = fork();
	if (pid == 0)
		be_the_user(deliverer, order, profile_fd);
	if (pid < 0) {
		answer(deliverer, order->id, SW_DELIVERY_FAILED, errno);
		return;
	}
	*child = (struct child){
		.pid = pid, .uid = order->uid, .id = order->id,
		.until_usec = sw_clock_boottime_usec() + COPY_USEC_MAX,
	};
}

static int receive(struct deliverer *deliverer)
{
	struct sw_delivery_order order;
	int fd, flags;
	ssize_t length = sw_receive_with_fd(deliverer->socket_fd, &order,
					    sizeof(order), &fd, &flags);

	if (length < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (length != sizeof(order) || fd < 0)
		return -1;	/* 0: the recorder has exited */
	order.name[NAME_MAX] = '\0';
	take_order(deliverer, &order, fd);
	close(fd);
	return 0;
}

static void end_child(const struct deliverer *deliverer, struct child *child,
		      int status)
{
	int code = WEXITSTATUS(status);

	child->pid = 0;
	if (child->is_stuck)
		return;		/* was reported when it was killed */
	if (WIFSIGNALED(status))
		answer(deliverer, child->id, SW_DELIVERY_FAILED, EINTR);
	else if (code >= EXIT_ERRNO)
		answer(deliverer, child->id, SW_DELIVERY_FAILED,
		       code - EXIT_ERRNO);
	else
		answer(deliverer, child->id, code, 0);
}

static void look_at_children(struct deliverer *deliverer)
{
	uint64_t now = sw_clock_boottime_usec();
	size_t i;
	int status;

	for (i = 0; i < CHILDREN_MAX; i++) {
		struct child *child = &deliverer->child[i];

		if (!child->pid)
			continue;
		if (waitpid(child->pid, &status, WNOHANG) == child->pid) {
			end_child(deliverer, child, status);
		} else if (!child->is_stuck && now > child->until_usec) {
			kill(child->pid, SIGKILL);
			answer(deliverer, child->id, SW_DELIVERY_FAILED,
			       ETIMEDOUT);
			child->is_stuck = true;
		}
	}
}

__attribute__((noreturn))
static void deliver(int socket_fd, const char *profile_dir)
{
	struct deliverer deliverer = {
		.socket_fd = socket_fd, .profile_dir = profile_dir };
	struct signalfd_siginfo info;
	struct pollfd polled[2];
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_SETMASK, &set, NULL);
	deliverer.signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	polled[0] = (struct pollfd){ .fd = socket_fd, .events = POLLIN };
	polled[1] = (struct pollfd){
		.fd = deliverer.signal_fd, .events = POLLIN };
	for (;;) {
		poll(polled, 2, 10000);
		while (read(deliverer.signal_fd, &info, sizeof(info)) > 0)
			;
		look_at_children(&deliverer);
		if (polled[0].revents && receive(&deliverer) < 0)
			_exit(0);
	}
}

int sw_deliverer_start(const char *profile_dir, struct sw_error *error)
{
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
		       0, ends) < 0)
		return sw_error_errno(error, "deliveries");
	pid = fork();
	if (pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return sw_error_errno(error, "deliveries");
	}
	if (pid == 0) {
		prctl(PR_SET_NAME, "stepwell-deliver");
		sw_rights_keep(SW_RIGHTS_DELIVERER);
		dup2(ends[1], STDERR_FILENO + 1);
		close_range(STDERR_FILENO + 2, ~0u, 0);
		deliver(STDERR_FILENO + 1, profile_dir);
	}
	close(ends[1]);
	return ends[0];
}

int sw_deliverer_send(int socket_fd, const struct sw_delivery_order *order,
		      int profile_fd)
{
	return sw_send_with_fd(socket_fd, order, sizeof(*order), profile_fd) <
	       0 ? -1 : 0;
}
