/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What failures.bpf.c keeps of each process, in host layout: both are of one
 * machine and one build.
 */
#ifndef SW_RECORDER_FAILURES_RECORD_H
#define SW_RECORDER_FAILURES_RECORD_H

enum {
	SW_FAILURES_KEPT = 4,
	SW_READS_KEPT = 3,
	SW_FAILURE_TEXT_SIZE = 256,
	/* Where the names above a file's own are. */
	SW_NAME_2 = 128,
	SW_NAME_3 = 192,
	/* Processes of which something is kept, at a time. */
	SW_FAILURES_PROCESSES = 4096,
};

enum sw_failure_kind {
	SW_FAILURE_NONE,
	SW_FAILURE_OPEN,   /* text: the path as given */
	SW_FAILURE_EXEC,   /* text: the program, or who is to run it */
	SW_FAILURE_SCRIPT, /* text: what could not be executed after all */
	SW_FAILURE_WRITE,  /* text: the file's name and two above it,
			    * "/" at the mount; number: the device */
	SW_FAILURE_MEMORY, /* number: bytes asked for */
	SW_FAILURE_FORK,
	SW_FAILURE_CONNECT, /* text: the address; number: the port */
};

/* Failures of one kind that are about the same name are one. */
struct sw_failure {
	unsigned short kind, error;
	unsigned int times;
	unsigned int opened; /* of the process, when it happened last */
	unsigned int family; /* of the address */
	unsigned long long time_nsec; /* CLOCK_BOOTTIME */
	unsigned long long name;      /* hash of the last part of the path */
	unsigned long long number;
	/* The last bytes of it, where it is longer. */
	char text[SW_FAILURE_TEXT_SIZE];
};

struct sw_failures {
	unsigned long long start_nsec; /* of the process: CLOCK_BOOTTIME */
	unsigned int opened;	       /* files, so far */
	unsigned int next_read;	       /* its place, or one beyond */
	unsigned int open_ones;	       /* that nothing has made good yet */
	struct sw_failure failure[SW_FAILURES_KEPT];
	/* Regular files opened for reading; cut at the end. */
	char read[SW_READS_KEPT][SW_FAILURE_TEXT_SIZE];
};

#endif
