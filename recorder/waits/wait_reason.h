/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a thread does not run: by its system call, the file system of the file
 * that it is about, and the kernel functions it waits in.  None of the usual
 * signals is enough: reads from FUSE without the page cache sleep
 * interruptibly and count as no I/O wait, those of NFS sleep uninterruptibly
 * and count as none either.
 */
#ifndef SW_RECORDER_WAIT_REASON_H
#define SW_RECORDER_WAIT_REASON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/waits/wait_asked.h"

enum {
	SW_WAIT_STACK = 8,		/* kernel functions that are looked at */
	SW_WAIT_NO_CALL = -1,		/* in place of a system call */
};

/* What is seen of a thread. */
struct sw_wait_sight {
	char state;		/* R S D I T Z ..., as in /proc/PID/stat */
	bool in_iowait;		/* the kernel counts it as waiting for I/O */
	int syscall;		/* its number, or SW_WAIT_NO_CALL */
	enum sw_asked asked;	/* where that waits for events */
	uint32_t file_mode;	/* of its first argument's file; 0: unknown */
	uint32_t file_magic;	/* of the file system of that, or of the path
				 * that it looks up; 0: unknown */
	size_t depth;
	/* From where it sleeps outwards: SW_WAIT_FUNCTIONS or indices of it. */
	uint16_t function[SW_WAIT_STACK];
};

enum sw_wait_kind {
	SW_WAIT_NONE,		/* it runs, or wants to */
	SW_WAIT_IO,		/* a file system, or a block device */
	SW_WAIT_NETWORK,	/* a socket */
	SW_WAIT_PIPE,		/* a pipe, a message queue */
	SW_WAIT_LOCK,		/* a futex, a file lock, a semaphore */
	SW_WAIT_SLEEP,		/* a time */
	SW_WAIT_SIGNAL,		/* most often that of a child's end */
	SW_WAIT_CHILD,		/* the end of a child */
	SW_WAIT_POLL,		/* one of several things */
	SW_WAIT_TERMINAL,	/* somebody to type */
	SW_WAIT_MEMORY,		/* the kernel makes room, or swaps in */
	SW_WAIT_STOPPED,	/* by a signal, a debugger, the freezer */
	SW_WAIT_OTHER,
	SW_WAIT_KINDS
};

/* Whose I/O it is. */
enum sw_wait_fs {
	SW_FS_NONE, SW_FS_UNKNOWN, SW_FS_LOCAL, SW_FS_NFS, SW_FS_FUSE,
	SW_FS_LUSTRE, SW_FS_GPFS, SW_FS_BEEGFS, SW_FS_CEPH, SW_FS_CIFS,
	SW_FS_COUNT
};

struct sw_wait_reason {
	enum sw_wait_kind kind;
	enum sw_wait_fs fs;	/* SW_FS_NONE where kind is not SW_WAIT_IO */
};

/* Does it wait for what is at a descriptor, its first argument? */
bool sw_wait_is_file_call(int number);

/* How a call is asked for events. */
enum sw_asked_call sw_wait_asked_call(int number);

/* "read"; NULL: not known. */
const char *sw_wait_call_name(int number);

struct sw_wait_reason sw_wait_explain(const struct sw_wait_sight *sight);

/* What a call does with the file that is its first argument, or a path. */
enum sw_wait_access {
	SW_ACCESS_NONE,		/* not known */
	SW_ACCESS_READ, SW_ACCESS_WRITE,
	SW_ACCESS_METADATA,	/* opens, names, lists, removes it */
	SW_ACCESSES
};

enum sw_wait_access sw_wait_call_access(int number);

/* "read", "write", "metadata"; NULL: not known. */
const char *sw_wait_access_name(enum sw_wait_access access);

/* Of another machine, as far as is known. */
static inline bool sw_wait_is_elsewhere(enum sw_wait_fs fs)
{
	return fs != SW_FS_NONE && fs != SW_FS_UNKNOWN && fs != SW_FS_LOCAL;
}

/* "io", "lock"; "nfs", "local". */
const char *sw_wait_kind_name(enum sw_wait_kind kind);
const char *sw_wait_fs_name(enum sw_wait_fs fs);

/* The file system that a type of mountinfo or a magic number is of. */
enum sw_wait_fs sw_wait_fs_of_type(const char *type);
enum sw_wait_fs sw_wait_fs_of_magic(uint32_t magic);
/* One that it is of. */
uint32_t sw_wait_magic_of_fs(enum sw_wait_fs fs);

/*
 * The function of that name, compilers' suffixes and the module left out;
 * SW_WAIT_FUNCTIONS where it says nothing.
 */
extern const uint16_t SW_WAIT_FUNCTIONS;
uint16_t sw_wait_function(const char *name);
const char *sw_wait_function_name(uint16_t function);

#endif
