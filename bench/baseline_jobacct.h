/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Baselines for the recorder: what others read from the kernel for one sample,
 * with the same calls and the same parsing.
 *
 *	jobacct	Slurm 26.11, jobacct_gather/cgroup (common_jag.c,
 *		cgroup_v2.c): per task the pids from cgroup.procs; per pid
 *		stat by fopen, status by open, io by fopen, status once more;
 *		per task cpu.stat, memory.current, memory.stat and memory.peak
 *		by open and read to the end.
 *	ldms	LDMS 279bd1b, linux_proc_sampler with all its metrics: per pid
 *		the entries of fd, io, oom_score, oom_score_adj, root, stat,
 *		status, syscall, timerslack_ns and wchan.
 *	walk	every process of /proc with stat, status twice and io, as by
 *		samplers that have no list of pids.
 *
 * Slurm's and LDMS's bookkeeping afterwards (lists, sums over ancestors, metric
 * sets) is left out, in their favor.
 */
#ifndef BENCH_BASELINE_JOBACCT_H
#define BENCH_BASELINE_JOBACCT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A task: either its cgroup's folder, whose cgroup.procs then names the
 * processes, or NULL and the processes.
 */
struct jobacct_task {
	const char *cgroup_path;
	const pid_t *pids;
	size_t pid_count;
};

/* Sums over the files of a sample: proof that they were read and parsed. */
struct jobacct_sample {
	uint64_t processes;
	uint64_t cpu_ticks;
	uint64_t rss_bytes;
	uint64_t read_bytes;		/* rchar */
	uint64_t written_bytes;		/* wchar */
	uint64_t cgroup_cpu_usec;
	uint64_t cgroup_memory_bytes;
	uint64_t files;			/* opened and read */
	uint64_t files_missing;		/* could not be opened */
};

/* Take one sample; the sums start at 0.  Missing processes are skipped. */
void jobacct_poll(const struct jobacct_task *tasks, size_t task_count,
		  struct jobacct_sample *sample);
void ldms_poll(const pid_t *pids, size_t pid_count,
	       struct jobacct_sample *sample);

/* Returns -1 with errno if /proc cannot be opened. */
int walk_poll(struct jobacct_sample *sample);

#endif
