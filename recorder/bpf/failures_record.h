/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State that failures.bpf.c keeps of each process, in host layout: the BPF
 * program and the recorder run on one machine and come from one build.
 */
#ifndef SW_RECORDER_FAILURES_RECORD_H
#define SW_RECORDER_FAILURES_RECORD_H

#include "recorder/bpf/exec_record.h"

enum {
	SW_FAILURES_KEPT = 4,
	SW_READS_KEPT = 3,
	SW_FAILURE_TEXT_SIZE = 256,
	SW_NAME_SIZE = 92,
	SW_FOLDERS = 5,
	SW_FOLDER_SIZE = 32,
	/*
	 * Maximum number of processes with failures kept at a time; a single
	 * job can have a third of them.
	 */
	SW_FAILURES_PROCESSES = 12288,
};

enum sw_failure_kind {
	SW_FAILURE_NONE,
	SW_FAILURE_OPEN,	/* text: the path as given */
	/* The same, from a program that checks before it opens */
	SW_FAILURE_ACCESS,
	SW_FAILURE_EXEC,	/* text: the program, or its interpreter */
	SW_FAILURE_SCRIPT,	/* text: file found, but not executable */
	SW_FAILURE_WRITE,	/* file */
	SW_FAILURE_MEMORY,	/* number: bytes asked for */
	SW_FAILURE_FORK,
	SW_FAILURE_CONNECT,	/* text: the address; number: the port */
};

/* Truncated names of a file and its parents: BPF cannot get a full path. */
struct sw_file_names {
	unsigned int device;	/* as in the kernel; 0: no file */
	char name[SW_NAME_SIZE];
	/* Parent directories, innermost first; "/": root of the file system */
	char folder[SW_FOLDERS][SW_FOLDER_SIZE];
};

/* A failure.  Failures of one kind with the same name share an entry. */
struct sw_failure {
	unsigned short kind, error;
	unsigned int times;
	/* Value of the process's counter at the last occurrence */
	unsigned int opened;
	unsigned short family;	/* of the address */
	unsigned short length;	/* of the last path component; 0: very long */
	unsigned long long time_nsec;	/* CLOCK_BOOTTIME */
	unsigned long long name;	/* hash of the last path component */
	unsigned long long number;
	union {
		/* Only the last bytes of a longer text */
		char text[SW_FAILURE_TEXT_SIZE];
		struct sw_file_names file;
	};
};

/* A file that was read: its location until the process exits, then its names */
union sw_failure_read {
	struct {
		unsigned long long entry, inode, number;
	} at;
	struct sw_file_names file;
};

/*
 * Number of processes with failures kept, by job and by user as in
 * exec_record.h, so that one job cannot use up the room of others
 */
struct sw_failures_owner {
	int kept;
	unsigned int user;	/* index of the user's process count */
	unsigned int uid;	/* owner of the job */
	unsigned int lost;	/* processes for which there was no room */
};

struct sw_failures_shares {
	int room, all;
	int users[SW_RECORD_OWNERS];
	struct sw_failures_owner owner[SW_RECORD_OWNERS];
};

struct sw_failures {
	/* Start of the process: CLOCK_BOOTTIME */
	unsigned long long start_nsec;
	/*
	 * Files opened for reading so far.  A file opened for writing counts
	 * for more than are kept.
	 */
	unsigned int opened;
	/* Next index in read[]; may be one past the end */
	unsigned int next_read;
	unsigned int open_ones;		/* failures not made good yet */
	unsigned int owner;		/* number of the job */
	struct sw_failure failure[SW_FAILURES_KEPT];
	union sw_failure_read read[SW_READS_KEPT];	/* regular files */
};

#endif
