/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the BPF program tells the recorder, in host layout: both are of one
 * machine and one build.
 */
#ifndef SW_RECORDER_EXEC_RECORD_H
#define SW_RECORDER_EXEC_RECORD_H

enum sw_record_kind {
	SW_RECORD_FORK = 1,
	SW_RECORD_EXEC = 2,
	SW_RECORD_EXIT = 3,
};

enum {
	SW_RECORD_PATH_SIZE = 256,
	SW_RECORD_NAME_SIZE = 16,	/* TASK_COMM_LEN of linux/sched.h */
	/* Groups of pids by their last bits; a power of two. */
	SW_RECORD_GROUPS = 4096,
	/* Jobs that are told apart, and their users; a power of two.  0 is
	 * whoever shares with nobody, and those beyond. */
	SW_RECORD_OWNERS = 1024,
};

/* A job: how many processes of it are followed, and what was lost of it. */
struct sw_record_owner {
	int processes;
	unsigned int user;	/* where its user's processes are counted */
	unsigned long long lost[3];	/* starts, execs, ends without room */
};

struct sw_record_head {
	unsigned int kind;
	int pid;			/* of the process */
	unsigned long long time_nsec;	/* CLOCK_BOOTTIME */
};

struct sw_record_fork {
	struct sw_record_head head;
	int parent;
	int unused;
};

struct sw_record_exec {
	struct sw_record_head head;
	char path[SW_RECORD_PATH_SIZE];	/* as executed, cut at its end */
};

/* Of all threads of the process: counters, that only grow. */
struct sw_record_sums {
	/* Exact; what a hypervisor took of the last tick is in it. */
	unsigned long long runtime_nsec;
	unsigned long long user_nsec, system_nsec;
	unsigned long long run_delay_nsec;
	unsigned long long rchar, wchar, syscr, syscw;
	unsigned long long read_bytes, write_bytes, cancelled_bytes;
	unsigned long long minflt, majflt;
	unsigned long long voluntary, nonvoluntary;	/* switches */
	/* Regular files, other than to execute them; see failures.bpf.c. */
	unsigned long long opens;
	/* Looks by polls.bpf.c, and those that found it in MPI. */
	unsigned long long ticks, mpi_ticks;
};

/* How a process has ended. */
struct sw_record_end {
	unsigned long long time_nsec;		/* 0: it has not */
	unsigned long long start_nsec;		/* CLOCK_BOOTTIME */
	unsigned long long maxrss_pages;
	/* The same without what it was before it executed; 0: not known. */
	unsigned long long own_maxrss_pages;
	long long file_pages;			/* mapped then; -1: not known */
	int wait_status;			/* as wait(2) has it */
	int is_oom_victim;
};

/*
 * The last signal that may end a process and that it did not send to itself;
 * a fault of its own is none.
 */
struct sw_record_signal {
	int number;	/* 0: there was none; -1: they are not seen */
	int sender;	/* pid of the process; 0: the kernel */
	int is_of_job;	/* it is followed, and of the same owner */
	int unused;
	char name[SW_RECORD_NAME_SIZE];		/* of its first thread */
};

/* What is kept of a process until it ends. */
struct sw_record_process {
	struct sw_record_sums sums;		/* of ended threads */
	/*
	 * Before 5.11, begun and ended ones; threads is 0 where how many is
	 * not known.
	 */
	unsigned long long threads, ended;
	/* How many took themselves for the last one, and are in untold. */
	unsigned long long last_ones;
	unsigned long long last_nsec;	/* what the last one had run then */
	int last_pid;
	unsigned int owner;
	int has_lost_failures, unused;	/* and was counted for that */
	struct sw_record_end end;
	struct sw_record_signal signal;
	unsigned long long before_pages;	/* maxrss when it executed */
	/* Its main thread's task_struct; 0: it was put in by hand. */
	unsigned long long task;
};

struct sw_record_exit {
	struct sw_record_head head;
	struct sw_record_end end;
	struct sw_record_signal signal;
	struct sw_record_sums sums;
};

#endif
