/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classify why a thread is not running: by its system call, the file system of
 * its file, and the kernel functions in which it waits.  None of the usual
 * indicators is sufficient: reads from FUSE without the page cache sleep
 * interruptibly and are not counted as I/O wait; those of NFS sleep
 * uninterruptibly and are not counted either.
 */
#ifndef SW_RECORDER_WAIT_REASON_H
#define SW_RECORDER_WAIT_REASON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/waits/wait_asked.h"

enum {
	SW_WAIT_STACK = 8,		/* kernel functions examined */
	SW_WAIT_NO_CALL = -1,		/* not in a system call */
};

/* Observed state of a thread */
struct sw_wait_sight {
	char state;		/* R S D I T Z ..., as in /proc/PID/stat */
	bool in_iowait;		/* counted as I/O wait by the kernel */
	int syscall;		/* number, or SW_WAIT_NO_CALL */
	enum sw_asked asked;	/* if it waits for events */
	uint32_t file_mode;	/* of the first argument; 0: unknown */
	/*
	 * Magic of that file's file system, or of the path looked up; 0:
	 * unknown
	 */
	uint32_t file_magic;
	size_t depth;
	/* Innermost first: indices of known functions, or SW_WAIT_FUNCTIONS */
	uint16_t function[SW_WAIT_STACK];
};

enum sw_wait_kind {
	SW_WAIT_NONE,		/* running or runnable */
	SW_WAIT_IO,		/* a file system, or a block device */
	SW_WAIT_NETWORK,	/* a socket */
	SW_WAIT_PIPE,		/* a pipe, a message queue */
	SW_WAIT_LOCK,		/* a futex, a file lock, a semaphore */
	SW_WAIT_SLEEP,		/* a time */
	SW_WAIT_SIGNAL,		/* most often SIGCHLD */
	SW_WAIT_CHILD,		/* exit of a child */
	SW_WAIT_POLL,		/* one of several events */
	SW_WAIT_TERMINAL,	/* terminal input */
	SW_WAIT_MEMORY,		/* memory reclaim or swap-in */
	SW_WAIT_STOPPED,	/* by a signal, a debugger, the freezer */
	SW_WAIT_OTHER,
	SW_WAIT_KINDS
};

/* File system of the I/O */
enum sw_wait_fs {
	SW_FS_NONE, SW_FS_UNKNOWN, SW_FS_LOCAL, SW_FS_NFS, SW_FS_FUSE,
	SW_FS_LUSTRE, SW_FS_GPFS, SW_FS_BEEGFS, SW_FS_CEPH, SW_FS_CIFS,
	SW_FS_COUNT
};

struct sw_wait_reason {
	enum sw_wait_kind kind;
	enum sw_wait_fs fs;	/* SW_FS_NONE unless kind is SW_WAIT_IO */
};

/* Return whether the call waits for the file in its first argument. */
bool sw_wait_is_file_call(int number);

/* Return how the call specifies events. */
enum sw_asked_call sw_wait_asked_call(int number);

/* "read"; NULL: unknown */
const char *sw_wait_call_name(int number);

struct sw_wait_reason sw_wait_explain(const struct sw_wait_sight *sight);

/* Access to the file in the first argument, or to a path */
enum sw_wait_access {
	SW_ACCESS_NONE,		/* unknown */
	SW_ACCESS_READ, SW_ACCESS_WRITE,
	SW_ACCESS_METADATA,	/* open, name, list, remove */
	SW_ACCESSES
};

enum sw_wait_access sw_wait_call_access(int number);

/* "read", "write", "metadata"; NULL: unknown */
const char *sw_wait_access_name(enum sw_wait_access access);

/* Return whether the file system is known to be remote. */
static inline bool sw_wait_is_elsewhere(enum sw_wait_fs fs)
{
	return fs != SW_FS_NONE && fs != SW_FS_UNKNOWN && fs != SW_FS_LOCAL;
}

/* "io", "lock"; "nfs", "local". */
const char *sw_wait_kind_name(enum sw_wait_kind kind);
const char *sw_wait_fs_name(enum sw_wait_fs fs);

/* Return the file system of a type in mountinfo, or of a magic number. */
enum sw_wait_fs sw_wait_fs_of_type(const char *type);
enum sw_wait_fs sw_wait_fs_of_magic(uint32_t magic);
/* Return one of its magic numbers. */
uint32_t sw_wait_magic_of_fs(enum sw_wait_fs fs);

/*
 * Return the index of a function, ignoring compiler suffixes and the module;
 * SW_WAIT_FUNCTIONS if it is not listed.
 */
extern const uint16_t SW_WAIT_FUNCTIONS;
uint16_t sw_wait_function(const char *name);
const char *sw_wait_function_name(uint16_t function);

#endif
