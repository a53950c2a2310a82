/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that the BPF program sends to the recorder, in host layout: both run
 * on one machine and come from one build.
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
	/* Groups of pids by their last bits; a power of two */
	SW_RECORD_GROUPS = 4096,
	/*
	 * Maximum number of jobs, and of their users; a power of two.  Number 0
	 * is for processes without a share and for jobs beyond the limit.
	 */
	SW_RECORD_OWNERS = 1024,
};

/* A job: number of followed processes, and records lost */
struct sw_record_owner {
	int processes;
	unsigned int user;	/* index of the user's process count */
	/* starts, execs, exits for which there was no room */
	unsigned long long lost[3];
};

struct sw_record_head {
	unsigned int kind;
	int pid;			/* process id */
	unsigned long long time_nsec;	/* CLOCK_BOOTTIME */
};

struct sw_record_fork {
	struct sw_record_head head;
	int parent;
	int unused;
};

struct sw_record_exec {
	struct sw_record_head head;
	char path[SW_RECORD_PATH_SIZE];	/* as executed, truncated */
};

/* Sums over all threads of the process; counters that only grow */
struct sw_record_sums {
	/* Exact; includes time stolen by a hypervisor in the last tick. */
	unsigned long long runtime_nsec;
	unsigned long long user_nsec, system_nsec;
	unsigned long long run_delay_nsec;
	unsigned long long rchar, wchar, syscr, syscw;
	unsigned long long read_bytes, write_bytes, cancelled_bytes;
	unsigned long long minflt, majflt;
	unsigned long long voluntary, nonvoluntary;	/* context switches */
	/* Regular files, except for execution; see failures.bpf.c. */
	unsigned long long opens;
	/* Samples by polls.bpf.c, and those of them in MPI */
	unsigned long long ticks, mpi_ticks;
};

/* Exit of a process */
struct sw_record_end {
	unsigned long long time_nsec;		/* 0: still running */
	unsigned long long start_nsec;		/* CLOCK_BOOTTIME */
	unsigned long long maxrss_pages;
	/* The same without what it had before exec; 0: unknown */
	unsigned long long own_maxrss_pages;
	long long file_pages;	/* mapped at exit; -1: unknown */
	int wait_status;			/* as returned by wait(2) */
	int is_oom_victim;
};

/*
 * Last fatal signal sent by another process or by the kernel; faults are not
 * included.
 */
struct sw_record_signal {
	int number;	/* 0: none; -1: signals are not observed */
	int sender;	/* tgid of the sender; 0: the kernel */
	int is_of_job;	/* sender is followed and has the same owner */
	int unused;
	char name[SW_RECORD_NAME_SIZE];	/* of the sender's main thread */
};

/* State of a process until it exits */
struct sw_record_process {
	struct sw_record_sums sums;		/* of exited threads */
	/* Before 5.11: threads started and exited; threads is 0 if unknown. */
	unsigned long long threads, ended;
	/* Threads that took themselves for the last one, counted in untold */
	unsigned long long last_ones;
	/* Runtime of the last thread at that point */
	unsigned long long last_nsec;
	int last_pid;
	unsigned int owner;
	int has_lost_failures, unused;	/* flag: counted as lost */
	struct sw_record_end end;
	struct sw_record_signal signal;
	unsigned long long before_pages;	/* maxrss at exec */
	/* task_struct of the main thread; 0: added by the recorder */
	unsigned long long task;
};

struct sw_record_exit {
	struct sw_record_head head;
	struct sw_record_end end;
	struct sw_record_signal signal;
	struct sw_record_sums sums;
};

#endif
