/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading one process from /proc. */
#ifndef SW_RECORDER_PROCESS_H
#define SW_RECORDER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/proc_stat.h"
#include "recorder/kernel/kernfile.h"

/* Counters of /proc/PID/io, waited-for children included. */
enum sw_tree_io {
	SW_IO_RCHAR, SW_IO_WCHAR, SW_IO_SYSCR, SW_IO_SYSCW, SW_IO_READ_BYTES,
	SW_IO_WRITE_BYTES, SW_IO_CANCELLED, SW_IO_COUNT
};

/* A process as last seen; bytes and microseconds, SW_MISSING if unknown. */
struct sw_process {
	pid_t pid, parent;
	uint64_t start_ticks;		/* with pid, its identity */
	char comm[SW_COMM_SIZE];	/* hostile */
	char state;			/* R, S, D, Z ... of its main thread */
	bool is_dying;			/* killed or exiting, a zombie too */
	bool is_garbled;		/* a file was not of the known form */
	uint64_t thread_count;
	uint64_t last_cpu;		/* of its main thread */
	uint64_t user_usec, system_usec;	/* its own */
	uint64_t waited_user_usec, waited_system_usec;	/* its children's */
	uint64_t minflt, majflt;	/* waited-for children included */
	uint64_t start_code, start_stack;	/* 0: not allowed to know */
	uint64_t rss_anon_bytes, rss_file_bytes, rss_shmem_bytes;
	uint64_t swap_bytes;
	uint64_t hugetlb_bytes;		/* in no other number */
	uint64_t hiwater_bytes;		/* VmHWM */
	uint64_t file_max_bytes;	/* largest RssFile seen */
	uint64_t voluntary_switches, nonvoluntary_switches; /* main thread */
	uint64_t run_queue_wait_usec;	/* of its living threads */
	uint64_t io[SW_IO_COUNT];
};

/*
 * All that struct sw_process has, but file_max_bytes.  GONE or ABSENT where
 * there is no such process (any more), GARBAGE where its stat is not of the
 * known form; *process is undefined then.  Where another file is not, what it
 * has is missing and is_garbled is set.
 */
enum sw_read_status sw_process_read(struct sw_process *process, int proc_fd,
				    pid_t pid);

/* Only what its stat has; all else is 0. */
enum sw_read_status sw_process_read_stat(struct sw_process *process,
					 int proc_fd, pid_t pid);

/*
 * A text of NAME/io into io[]; all missing where it cannot be read, GARBAGE
 * where it is not of the known form.
 */
enum sw_read_status sw_process_read_io(int dirfd, const char *path,
				       uint64_t *io, size_t *text_bytes);

/*
 * The name of a process, which may be dead as long as nobody has waited for
 * it; "" where there is none.
 */
void sw_process_read_comm(int proc_fd, pid_t pid, char *comm, size_t size);

/* Is this process in the pid namespace of the node, not of a container? */
bool sw_process_has_first_pids(void);

/*
 * Has it the rights of this user and no others?  False of a program that runs
 * set-user-ID, set-group-ID or with capabilities, has run so and did not
 * execute another since, or does not want to be traced (prctl(2),
 * PR_SET_DUMPABLE): what it reads and has opened is not the user's to know.
 */
bool sw_process_is_of(int proc_fd, pid_t pid, uid_t uid);

/* Also where nobody has waited for it yet. */
bool sw_process_has_exited(int proc_fd, pid_t pid);

/* Call take with the name of each thread of pid; none where it is gone. */
void sw_process_each_thread(int proc_fd, pid_t pid,
			    void (*take)(void *context, pid_t pid,
					 const char *thread),
			    void *context);

/* When it started, after the boot. */
uint64_t sw_process_start_usec(const struct sw_process *process);

#endif
