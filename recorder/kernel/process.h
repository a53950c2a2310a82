/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads one process from /proc. */
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
	uint64_t start_ticks;		/* identity, together with pid */
	char comm[SW_COMM_SIZE];	/* untrusted */
	char state;			/* R, S, D, Z ... of its main thread */
	bool is_dying;			/* killed, exiting or a zombie */
	bool is_garbled;		/* a file was malformed */
	uint64_t thread_count;
	uint64_t last_cpu;		/* of its main thread */
	uint64_t user_usec, system_usec;	/* its own */
	uint64_t waited_user_usec, waited_system_usec;	/* of reaped children */
	uint64_t minflt, majflt;	/* including reaped children */
	uint64_t start_code, start_stack;	/* 0: no permission */
	uint64_t rss_anon_bytes, rss_file_bytes, rss_shmem_bytes;
	uint64_t swap_bytes;
	uint64_t hugetlb_bytes;		/* not part of any other value */
	uint64_t hiwater_bytes;		/* VmHWM */
	uint64_t file_max_bytes;	/* largest RssFile seen */
	uint64_t voluntary_switches, nonvoluntary_switches; /* main thread */
	uint64_t run_queue_wait_usec;	/* of its living threads */
	uint64_t io[SW_IO_COUNT];
};

/*
 * Read everything in struct sw_process except file_max_bytes.  Return GONE or
 * ABSENT if there is no such process (any more), GARBAGE if its stat is
 * malformed; *process is undefined then.  If another file is malformed, its
 * values are missing and is_garbled is set.
 */
enum sw_read_status sw_process_read(struct sw_process *process, int proc_fd,
				    pid_t pid);

/* Read only the values in stat; all others are 0. */
enum sw_read_status sw_process_read_stat(struct sw_process *process,
					 int proc_fd, pid_t pid);

/*
 * Read a NAME/io file into io[].  All values are missing if it cannot be read;
 * return GARBAGE if it is malformed.
 */
enum sw_read_status sw_process_read_io(int dirfd, const char *path,
				       uint64_t *io, size_t *text_bytes);

/* Read the name of a process, which may be a zombie; "" if there is none. */
void sw_process_read_comm(int proc_fd, pid_t pid, char *comm, size_t size);

/* Return true if this process is in the pid namespace of the node. */
bool sw_process_has_first_pids(void);

/*
 * Return true if it has the credentials of this user and no others.  False for
 * a program that runs set-user-ID, set-group-ID or with capabilities, has done
 * so without executing another since, or forbids tracing (prctl(2),
 * PR_SET_DUMPABLE): the user must not see its data and open files.
 */
bool sw_process_is_of(int proc_fd, pid_t pid, uid_t uid);

/* Return true if the process has exited, even if it was not reaped yet. */
bool sw_process_has_exited(int proc_fd, pid_t pid);

/* Call take with the name of each thread of pid; none if it has exited. */
void sw_process_each_thread(int proc_fd, pid_t pid,
			    void (*take)(void *context, pid_t pid,
					 const char *thread),
			    void *context);

/* Return its start time since boot. */
uint64_t sw_process_start_usec(const struct sw_process *process);

#endif
