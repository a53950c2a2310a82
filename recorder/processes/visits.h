/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading processes whose files may never answer.  While a process executes
 * another program the kernel makes readers of its io wait, and those of its
 * stat and of the links in its fd in some kernels; a job can hold that up for
 * ever on a dead file system.  Nothing but a kill ends such a wait: so a
 * thread reads, and is left behind with it.
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

/* All that sw_process_read() does is 0. */
enum sw_visit_what {
	SW_VISIT_ALL, SW_VISIT_STAT, SW_VISIT_PATH,
	SW_VISIT_MOUNT, SW_VISIT_THREADS, SW_VISIT_OBJECT, SW_VISIT_ENDS,
	SW_VISIT_SOCKET, SW_VISIT_RUNNABLE, SW_VISIT_LOCAL_SPACE,
};

struct sw_visit {
	pid_t pid;
	enum sw_visit_what what;
	bool is_stuck;		/* its files did not answer, nothing is known */
	enum sw_read_status status;
	union {
		struct sw_process process;
		struct {
			int fd;
			char text[SW_VISIT_PATH_SIZE];	/* hostile */
		} path;			/* of SW_VISIT_PATH */
		struct sw_mount mount;	/* of SW_VISIT_MOUNT */
		struct sw_wait_threads threads;	/* of SW_VISIT_THREADS */
		struct sw_wait_object object;	/* of SW_VISIT_OBJECT */
		struct sw_ends ends;		/* of SW_VISIT_ENDS */
		struct sw_socket socket;	/* of SW_VISIT_SOCKET */
		struct sw_runnable runnable;	/* of SW_VISIT_RUNNABLE */
		uint64_t free_bytes;		/* of SW_VISIT_LOCAL_SPACE */
	};
};

/*
 * Visits SW_VISITS_MAX processes at most below proc_fd, which stays open from
 * then on.  Takes some milliseconds more for each that is found to be stuck,
 * and no time for those that still are.
 */
void sw_visits(int proc_fd, struct sw_visit *visits, size_t count);

/* What the stat of one process has; false where that is not known. */
bool sw_visit_stat(int proc_fd, pid_t pid, struct sw_process *process);

/* Likewise, what a descriptor of it is open for: "/home/x", "pipe:[123]". */
bool sw_visit_path(int proc_fd, pid_t pid, int fd, char *path, size_t size);

/* Likewise, of sw_mount_find(). */
bool sw_visit_mount(int proc_fd, pid_t pid, struct sw_mount *mount);

/* Likewise, of sw_wait_object_read(), and of sw_socket_find(). */
bool sw_visit_object(int proc_fd, pid_t pid, struct sw_wait_object *object);
bool sw_visit_socket(int proc_fd, pid_t pid, struct sw_socket *socket);

/* Likewise, of sw_local_space_read(). */
bool sw_visit_local_space(int proc_fd, uint64_t *free_bytes);

#endif
