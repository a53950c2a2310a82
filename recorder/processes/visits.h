/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading processes whose files may never respond.  While a process is in
 * execve() the kernel blocks readers of its io, and in some kernels readers of
 * its stat and of the links in its fd.  A job can prolong that indefinitely on
 * a dead file system.  Only a kill ends such a wait, so a thread does the reads
 * and is abandoned if it blocks.
 */
#ifndef SW_RECORDER_VISITS_H
#define SW_RECORDER_VISITS_H

#include <stdbool.h>
#include <stddef.h>

#include "recorder/kernel/process.h"
#include "recorder/processes/runnable.h"
#include "recorder/waits/ends.h"
#include "recorder/waits/mounts.h"
#include "recorder/waits/sockets.h"
#include "recorder/waits/wait_object.h"
#include "recorder/waits/wait_read.h"

enum { SW_VISITS_MAX = 64, SW_VISIT_PATH_SIZE = 256 };

/* 0 is everything that sw_process_read() reads. */
enum sw_visit_what {
	SW_VISIT_ALL, SW_VISIT_STAT, SW_VISIT_PATH,
	SW_VISIT_MOUNT, SW_VISIT_THREADS, SW_VISIT_OBJECT, SW_VISIT_ENDS,
	SW_VISIT_SOCKET, SW_VISIT_RUNNABLE, SW_VISIT_LOCAL_SPACE,
};

struct sw_visit {
	pid_t pid;
	enum sw_visit_what what;
	bool is_stuck;		/* its files did not respond */
	enum sw_read_status status;
	union {
		struct sw_process process;
		struct {
			int fd;
			char text[SW_VISIT_PATH_SIZE];	/* untrusted */
		} path;			/* for SW_VISIT_PATH */
		struct sw_mount mount;	/* for SW_VISIT_MOUNT */
		struct sw_wait_threads threads;	/* for SW_VISIT_THREADS */
		struct sw_wait_object object;	/* for SW_VISIT_OBJECT */
		struct sw_ends ends;		/* for SW_VISIT_ENDS */
		struct sw_socket socket;	/* for SW_VISIT_SOCKET */
		struct sw_runnable runnable;	/* for SW_VISIT_RUNNABLE */
		uint64_t free_bytes;		/* for SW_VISIT_LOCAL_SPACE */
	};
};

/*
 * Visit at most SW_VISITS_MAX processes below proc_fd, which must stay open
 * afterwards.  Takes some milliseconds more for each that is found stuck, and
 * no time for those that still are.
 */
void sw_visits(int proc_fd, struct sw_visit *visits, size_t count);

/* Read the stat file of pid.  Return false if it is not known. */
bool sw_visit_stat(int proc_fd, pid_t pid, struct sw_process *process);

/* Likewise for the target of a descriptor: "/home/x", "pipe:[123]". */
bool sw_visit_path(int proc_fd, pid_t pid, int fd, char *path, size_t size);

/* Likewise for sw_mount_find(). */
bool sw_visit_mount(int proc_fd, pid_t pid, struct sw_mount *mount);

/* Likewise for sw_wait_object_read() and sw_socket_find(). */
bool sw_visit_object(int proc_fd, pid_t pid, struct sw_wait_object *object);
bool sw_visit_socket(int proc_fd, pid_t pid, struct sw_socket *socket);

/* Likewise for sw_local_space_read(). */
bool sw_visit_local_space(int proc_fd, uint64_t *free_bytes);

#endif
