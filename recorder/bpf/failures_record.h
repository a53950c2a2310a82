/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What failures.bpf.c keeps of each process, in host layout: both are of one
 * machine and one build.
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
	/* Processes of which something is kept, at a time: a job alone has a
	 * third of them. */
	SW_FAILURES_PROCESSES = 12288,
};

enum sw_failure_kind {
	SW_FAILURE_NONE,
	SW_FAILURE_OPEN,	/* text: the path as given */
	SW_FAILURE_ACCESS,	/* the same, of who asks before he opens */
	SW_FAILURE_EXEC,	/* text: the program, or who is to run it */
	SW_FAILURE_SCRIPT,	/* text: what could not be executed after all */
	SW_FAILURE_WRITE,	/* file */
	SW_FAILURE_MEMORY,	/* number: bytes asked for */
	SW_FAILURE_FORK,
	SW_FAILURE_CONNECT,	/* text: the address; number: the port */
};

/* A file's names, each cut at its end: all that can be had of a path. */
struct sw_file_names {
	unsigned int device;	/* as the kernel has it; 0: there is no file */
	char name[SW_NAME_SIZE];
	/* Where it is, from behind; "/": in the file system's root. */
	char folder[SW_FOLDERS][SW_FOLDER_SIZE];
};

/* Failures of one kind that are about the same name are one. */
struct sw_failure {
	unsigned short kind, error;
	unsigned int times;
	unsigned int opened;	/* of the process, when it happened last */
	unsigned short family;	/* of the address */
	unsigned short length;	/* of the path's last part; 0: very long */
	unsigned long long time_nsec;	/* CLOCK_BOOTTIME */
	unsigned long long name;	/* hash of the path's last part */
	unsigned long long number;
	union {
		/* The last bytes of it, where it is longer. */
		char text[SW_FAILURE_TEXT_SIZE];
		struct sw_file_names file;
	};
};

/* What was read: until the process ends where it is, and then what. */
union sw_failure_read {
	struct {
		unsigned long long entry, inode, number;
	} at;
	struct sw_file_names file;
};

/*
 * Of how many processes something is kept, by job and by user, as exec_record.h
 * counts them: one job's are not to take the room of another's.
 */
struct sw_failures_owner {
	int kept;
	unsigned int user;	/* where its user's processes are counted */
	unsigned int uid;	/* whose job it is */
	unsigned int lost;	/* processes for which there was no room */
};

struct sw_failures_shares {
	int room, all;
	int users[SW_RECORD_OWNERS];
	struct sw_failures_owner owner[SW_RECORD_OWNERS];
};

struct sw_failures {
	unsigned long long start_nsec;	/* of the process: CLOCK_BOOTTIME */
	/* Files opened for reading, so far; one for writing counts for more
	 * than are kept. */
	unsigned int opened;
	unsigned int next_read;		/* its place, or one beyond */
	unsigned int open_ones;		/* that nothing has made good yet */
	unsigned int owner;		/* the job's number */
	struct sw_failure failure[SW_FAILURES_KEPT];
	union sw_failure_read read[SW_READS_KEPT];	/* regular files */
};

#endif
