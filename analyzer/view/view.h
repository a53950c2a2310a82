/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a profile says about one step on its node, in numbers with units: the
 * layer between bytes and findings.  Pure: a view is computed from an open reader
 * and does no I/O.  SW_MISSING and NULL mean "could not be known".
 */
#ifndef SW_ANALYZER_VIEW_H
#define SW_ANALYZER_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/series/series.h"
#include "analyzer/series/spans.h"
#include "analyzer/view/chosen.h"
#include "analyzer/view/counters.h"
#include "analyzer/view/placement.h"
#include "analyzer/view/view_limits.h"
#include "analyzer/view/view_node.h"
#include "common/error.h"
#include "common/job_key.h"
#include "profiles/reader.h"

/* How a step ended. */
enum sw_state {
	SW_STATE_UNKNOWN,	/* the recorder was lost before the end */
	SW_STATE_COMPLETED,	/* exit code 0 */
	SW_STATE_FAILED,	/* another exit code */
	SW_STATE_KILLED,	/* by a signal */
	SW_STATE_INTERRUPTED,	/* by its user at the terminal, either way */
};

struct sw_view_cpu {
	const char *source;		/* "cgroup.v2", "cgroup.v1",
					 * "proc", "rusage" */
	uint64_t used_usec, user_usec, system_usec;
	uint64_t throttled_usec, throttled_periods, periods;
	bool is_quota_above;		/* they are of a cgroup above */
	bool is_by_proc;	/* samples of processes, and of no cgroup */
	double allocated_cores;		/* declared, else available; NAN */
	double available_cores;		/* by affinity and quotas; NAN */
	bool is_requested;
	double efficiency;		/* used / (allocated x elapsed); NAN */
	double mean_cores, peak_cores;	/* peak over >= 0.5 s; NAN */
	uint64_t run_queue_wait_usec;
	bool is_wait_complete;		/* of every thread there was */
	/*
	 * DESIGN truth 9: demand is CPU time and waits for a CPU, whether a
	 * neighbour, a quota or a binding took it.  Peak as above; NAN where
	 * the waits are not known, or held it back and are not known whole.
	 */
	double demand_peak_cores;
	bool is_constrained;		/* so that its use says little */
};

/*
 * Memory need as an interval [need_bytes, need_upper_bytes], DESIGN truth 1:
 * what cannot be reclaimed up to the kernel's peak, which holds page cache.
 */
struct sw_view_memory {
	const char *source;		/* "cgroup.v2", "cgroup.v1",
					 * "process.tree", "rusage" */
	const char *need_source;	/* which number gave need_bytes */
	const char *node;	/* of several nodes the one it is of; or NULL */
	uint64_t need_bytes;
	uint64_t step_need_bytes;	/* of a sum: of the largest step */
	uint64_t need_upper_bytes;	/* missing: what was seen is no bound */
	uint64_t floor_bytes;		/* nothing below it is advised */
	uint64_t mapped_bytes;		/* most of files mapped at a time */
	bool need_is_lower_bound;	/* OOM killed, or held at the limit */
	bool has_missed_files;	/* mapped ones: taken, and wanted again */
	uint64_t peak_bytes;		/* memory.peak, or summed RSS: the most
					 * that was seen */
	uint64_t cache_bytes;		/* largest page cache, no shmem */
	uint64_t limit_bytes;		/* smallest memory.max, own and above */
	bool is_limit_above;		/* it is that of a cgroup above */
	uint64_t requested_bytes;	/* declared */
	uint64_t available_bytes;	/* what machine and ancestors give */
	uint64_t swap_peak_bytes;
	uint64_t zswap_peak_bytes;	/* memory that it takes compressed */
	uint64_t huge_page_bytes;	/* at most; in no other number */
	uint64_t kernel_peak_bytes, socket_peak_bytes;	/* in the need */
	uint64_t oom_kills, oom_events, limit_hits;
	uint64_t refaulted_file_pages, refaulted_anon_pages;
};

/* A file system that threads waited for.  Hostile texts of the reader. */
struct sw_view_wait {
	const char *name;	/* "/scratch", or its kind: "nfs", "unknown" */
	const char *detail;	/* "nfs4 server:/scratch"; NULL: not known */
	uint64_t waited_usec;	/* wall time: at least one thread did */
	uint64_t waited_thread_usec;	/* summed over threads */
	uint64_t waited_idle_usec;	/* while nothing of the step ran */
	/* Files that were seen to be written and later read, on another
	 * machine; the others missing where these are 0. */
	uint64_t scratch_files, scratch_bytes;
	uint64_t scratch_usec;		/* of waited_thread_usec */
};

/* "/scratch", "NFS", "a local file system"; NULL: not known. */
const char *sw_view_wait_words(const struct sw_view_wait *wait);

enum { SW_VIEW_WAITS = 16 };

struct sw_view_io {
	const char *source;		/* "cgroup.v2" devices, "proc" */
	uint64_t read_bytes, written_bytes;	/* block layer */
	uint64_t device_requests;
	uint64_t call_read_bytes, call_written_bytes;	/* by system calls */
	uint64_t call_reads, call_writes;
	uint64_t opens;			/* of regular files */
	uint64_t stalled_usec;		/* pressure, some */
	const char *stalled_source;	/* "io.pressure" */
	/* As looks found threads waiting; all of it, and by file system the
	 * longest first. */
	const char *waited_source;	/* "bpf", "proc" */
	uint64_t waited_usec, waited_thread_usec, waited_idle_usec;
	uint64_t local_free_bytes;	/* on the node's disk, the least; known
					 * where there are scratch files */
	size_t wait_count;
	struct sw_view_wait waits[SW_VIEW_WAITS];
};

struct sw_view_pressure {		/* PSI totals over the run */
	uint64_t cpu_some_usec, memory_some_usec, memory_full_usec;
	uint64_t io_some_usec, io_full_usec;
};

/* One program: the last row of its key in the table "programs". */
struct sw_view_program {
	const char *name;
	uint64_t started, ended, running;
	uint64_t unseen_ends;	/* of those that ran when last looked at */
	bool is_complete;
	uint64_t cpu_usec, user_usec, system_usec;
	bool is_cpu_of_ended;	/* that of those that still run is unseen */
	uint64_t peak_bytes, peak_anon_bytes;
	bool is_peak_sampled;	/* it may have been more */
	uint64_t read_bytes, written_bytes, call_read_bytes, call_written_bytes;
	uint64_t opens;			/* of regular files */
	/* CPU time of which is known which system call it was in; of this in
	 * those that open, name, list or remove files. */
	uint64_t sampled_usec, metadata_usec;
	/* Of processes that ended: CPU time in MPI's libraries. */
	uint64_t mpi_processes, mpi_usec, mpi_least_usec;
	/* Of the process that longest asked the same again and again; texts
	 * NULL or hostile. */
	uint64_t spin_usec, spin_call_usec;
	const char *spin_call, *spin_object;
	uint64_t io_wait_usec, run_queue_wait_usec;
	uint64_t elapsed_p50_usec, elapsed_p95_usec, elapsed_max_usec;
	uint64_t exited_ok, exited_nonzero, killed, oom_killed;
	bool is_victim_guessed;		/* oom_killed: by the time of its end */
	uint64_t last_exit_status, last_signal;
	/* Included in exited_nonzero: forks that executed nothing, whose
	 * status answers their parent; and the ones among them with 126 or
	 * 127. */
	uint64_t forked_nonzero, forked_not_found, first_not_found_usec;
	/* When the first one was killed or failed, but for such forks; the
	 * shortest run time with exit status 0. */
	uint64_t first_failed_usec, ok_shortest_usec;
	uint64_t first_start_usec, last_end_usec;	/* CLOCK_BOOTTIME */
	uint64_t signal_kill, signal_segv, signal_abrt, signal_term,
		signal_other;
	/* Of those that a signal other than SIGTERM killed: how many a process
	 * of the job or one outside it has sent it to, and its name (hostile,
	 * NULL) for the last one; the most that one of them had used. */
	uint64_t killed_by_job, killed_by_other, killed_cpu_usec, killed_bytes;
	const char *killer;
	/* Of those with a nonzero exit status: the most that one had used, and
	 * when the last one began. */
	uint64_t failed_cpu_usec, failed_written_bytes, failed_start_usec;
	const char *started_by;	/* the program that was it before; hostile */
	/* Of one that failed, hostile texts: what it could not do last, and the
	 * last file that it opened for reading. */
	const char *failed_call, *failed_error, *failed_object, *last_read;
	uint64_t failed_is_cause, failed_end_usec;
};

/*
 * One GPU of the node, or an instance of one, over the step's time.  is_used
 * and what is "own" are of the step's processes; all else is of all users.
 */
struct sw_view_gpu {
	const char *source;	/* "gpu" (NVIDIA), "gpu_amd" */
	const char *node;
	const char *name;	/* "GPU 0", "GPU 0 MIG 1"; or NULL */
	char model[256], uuid[96];	/* "" */
	bool is_mig;
	bool is_used;		/* a process of the step was on it ... */
	uint64_t used_since_usec;	/* ... from then on; missing: never */
	uint64_t index;		/* its subject */
	double busy_ratio;	/* of the time; NAN */
	double memory_busy_ratio, own_busy_ratio;
	uint64_t memory_total_bytes;
	uint64_t memory_used_bytes, own_memory_bytes;	/* peaks of samples */
	uint64_t processes;	/* most at a time */
	double mean_watts;
	uint64_t energy_mj, celsius_max;
	double slowed_ratio;	/* by heat or a brake, of the time; NAN */
	double power_capped_ratio;
	uint64_t ecc_corrected, ecc_uncorrected;	/* while it ran */
	uint64_t xids, last_xid, rows_remapped, pages_retired;
	uint64_t is_remap_pending, has_remap_failed;	/* 0, 1 */
	uint64_t status;	/* 0, or why it could not be used */
	uint64_t pcie_sent_bytes, pcie_received_bytes;
	uint64_t nvlink_sent_bytes, nvlink_received_bytes;
	struct sw_curve busy;	/* empty in sums over nodes */
};

/* One task (MPI rank) of a Slurm step, on this node. */
struct sw_view_task {
	uint64_t rank, local_task, pid;
	uint64_t start_usec, end_usec;
	const char *cgroup_kind;	/* "task", "shared", "none"; NULL */
	uint64_t wait_status;		/* as wait(2) */
	uint64_t memory_peak_bytes, memory_oom_kills, memory_max_events;
	uint64_t cpu_usec, user_usec, system_usec;
	bool has_own_cpu;	/* that of its processes, not of its cgroup */
	const char *failures_source;	/* which failed calls were seen */
	const char *final_source;	/* NULL: it has not ended */
	struct sw_view_counters counters;
};

struct sw_acct_row;

/* What Slurm calls the job and the step; missing for "stepwell run". */
struct sw_view_slurm {
	bool is_slurm;
	bool is_unawaited;	/* Slurm ended the step with the script */
	bool is_told_by_step;	/* of a script: what befell its launchers */
	/* Of a script: steps of its job on all nodes, and their CPU time. */
	uint64_t launched_steps, launched_cpu_usec;
	bool is_restart_of_script;	/* of a sum: batch says it */
	const char *sluid;	/* NULL: not known */
	uint64_t limit_realtime_usec;	/* when the time limit ends the job */
	/* Slurm's own, of this step (or of what the view is of) and of its
	 * whole job; NULL: not read, or not final. */
	const struct sw_acct_row *record, *job_record;
	uint64_t job_node_count, step_node_count, node_index;
	uint64_t task_count, node_task_count;
	uint64_t job_task_count; /* that the job requested */
	uint64_t is_armed;	/* 1: counters were attached before exec */
};

struct sw_view_event {
	uint64_t time_usec;
	const char *kind, *program, *detail;	/* may be NULL but for kind */
	uint64_t pid, value;
};

/* Threads of one process that waited for the same while the step stood still;
 * texts may be NULL, and are hostile but for kind. */
struct sw_view_hang {
	uint64_t time_usec, still_usec;	/* how long it had by then */
	uint64_t took_usec;	/* the look at all of them */
	const char *program, *kind, *call, *function, *object;
	uint64_t pid, tid, threads;
	uint64_t sleep_usec;	/* as it was asked for */
	const char *other;	/* at the other end, or holding the lock */
	uint64_t other_pid;	/* of a lock between threads: that thread */
	uint64_t is_connecting;	/* its peer had not answered the connection */
	uint64_t timeslices;	/* that it had in the timeslices_usec before */
	uint64_t timeslices_usec;
	/* Of the thread: "pthread_mutex_lock < lock < main". */
	const char *stack;
	const char *stack_left_out;	/* why it was not read; NULL */
};

/*
 * A process that waited for a pipe, when this was looked at, and the one at the
 * other end, with the CPU time of both and how long ago they had started; texts
 * may be NULL, and are hostile.
 */
struct sw_view_pipe {
	uint64_t time_usec;
	const char *program, *other;
	uint64_t pid, cpu_usec, age_usec;
	uint64_t other_pid, other_cpu_usec, other_age_usec;
	uint64_t other_run_queue_wait_usec;	/* of its threads */
	uint64_t is_writing;	/* 1: the pipe was full, 0: it was empty */
	uint64_t others;	/* processes at the other end */
};

struct sw_view_recording {
	const char *backend, *backend_reason, *programs_source,
		*programs_reason;
	const char *failures_source;	/* which failed calls were seen */
	const char *failures_reason;	/* why not all of them */
	const char *final_source;
	uint64_t period_usec, samples, lost_samples;
	uint64_t recorder_cpu_usec, recorder_hiwater_bytes;
	uint64_t gap_usec;		/* sum of the "gap" events */
	uint64_t limited_usec;		/* of that, by the CPU limit */
	uint64_t unparsed_processes;	/* processes, at most at a time */
	bool is_cgroup_lost;	/* it was gone before the end */
	bool has_left_cgroup;	/* a part ran outside of it */
	bool is_finished;		/* the file's end frame is there */
};

/*
 * The threads of its busiest process, or its processes of one thread, that had
 * a tenth of the CPU time of the busiest of them or more, when they were seen
 * last; count 0: not known, or they did not do most of its work.
 */
struct sw_view_workers {
	/*
	 * Several worked side by side, and one of them alone to the end of the
	 * run; count 0: it was not so.
	 */
	struct sw_view_straggler {
		uint64_t count;		/* with the straggler */
		uint64_t own_usec;	/* its CPU time */
		uint64_t mean_usec;	/* of all of them */
		uint64_t alone_usec;	/* time, at the end of the run */
		double alone_cpus;	/* wanted then */
		bool are_processes;
	} straggler;
	uint64_t count;
	uint64_t cpu_usec, busiest_usec;	/* of all, of one */
	uint64_t usec;		/* since the step began */
	bool are_processes;
	bool take_turns;	/* at a lock, one at a time */
	double at_locks;	/* threads of the step that waited for a lock,
				 * on average over the run; NAN */
};

/*
 * What a step can have at most: somewhat more than any recorder writes (512
 * programs and a rest, four threads of a sample that stands still, eight pipes
 * of 16 looks), so that a small file of others cannot keep a reader busy.
 */
enum {
	SW_VIEW_PROGRAMS_MAX = 1024,
	SW_VIEW_EVENTS_MAX = 16384,
	SW_VIEW_HANGS_MAX = 16384,
	SW_VIEW_HANGS_AT_ONCE_MAX = 64,
	SW_VIEW_PIPES_MAX = 1024,
	SW_VIEW_TASKS_MAX = 16384,
	SW_VIEW_STEPS_MAX = 16384,
	SW_VIEW_CLAIMED_STEPS_MAX = 2048,	/* without a digest */
};

struct sw_view {
	const struct sw_reader *reader;	/* owner of every text */
	/* job and node */
	const char *name, *program, *node, *step_id, *user, *cluster, *kernel;
	struct sw_job_key job;
	uint64_t node_cpus, node_memory_bytes, page_bytes;
	struct sw_view_slurm slurm;
	/* the step */
	uint64_t step_key;		/* of its rows in the file */
	bool shares_request;		/* with the steps inside it */
	const struct sw_view_past *past;	/* NULL: no history */
	uint64_t start_usec, end_usec, elapsed_usec;	/* CLOCK_BOOTTIME */
	uint64_t start_realtime_usec;
	uint64_t requested_time_usec;
	uint64_t input_bytes;	/* as the user says */
	const char *input_reason;	/* why that was not read; NULL */
	const char *limits_note;	/* what was assumed of them; NULL */
	bool is_input_of_script;	/* of a sum: batch says it */
	enum sw_state state;
	bool is_state_of_script;	/* of a sum: batch says it */
	uint64_t exit_code, signal;
	uint64_t interrupt_signal;	/* SIGINT, SIGQUIT; INTERRUPTED only */
	uint64_t end_oom_kills;	/* in the step whose end the state is */
	struct sw_view_cpu cpu;
	struct sw_view_memory memory;
	struct sw_view_io io;
	struct sw_view_pressure pressure;
	struct sw_view_counters counters;	/* of all tasks */
	struct sw_view_chosen chosen[SW_CHOSEN_MAX];
	size_t chosen_count;
	struct sw_view_network network;
	struct sw_view_limits limits;
	struct sw_view_workers workers;	/* none for sums */
	struct sw_view_node nearby;	/* the node with all its users */
	struct sw_view_recording recording;
	struct sw_curve cores;		/* CPUs in use */
	struct sw_curve cpu_waits;	/* threads that wait for a CPU */
	struct sw_curve memory_bytes;	/* non-reclaimable memory */
	struct sw_curve io_rate;	/* bytes per second, system calls */
	struct sw_curve device_rate;	/* of block devices; none for sums */
	struct sw_curve io_stall;	/* share of time stalled, 0 to 1 */
	struct sw_phase *phases;	/* by time; none for sums */
	size_t phase_count;
	/* CLOCK_BOOTTIME: steps and jobs of its own had its work; empty for
	 * sums */
	struct sw_spans elsewhere;
	struct sw_view_program *programs;	/* by CPU time, largest first */
	size_t program_count;
	struct sw_view_event *events;	/* by time */
	size_t event_count;
	struct sw_view_hang *hangs;	/* by time; none for sums */
	size_t hang_count;
	struct sw_view_pipe *pipes;	/* by time; none for sums */
	size_t pipe_count;
	uint64_t pipe_waited_usec;	/* a thread waited for a pipe; 0 */
	struct sw_view_task *tasks;	/* of this node, by rank */
	size_t task_count;
	struct sw_view_gpu *gpus;	/* of the node, used or not */
	size_t gpu_count;
	uint64_t allocated_gpus; /* by the scheduler; missing: none, or not
				  * known */
	uint64_t given_gpu_bits;	/* which of the node's first 64; 0 */
	bool is_given_to_script;	/* of a sum: batch says it */
	struct sw_placement placement;	/* empty for sums */
};

/*
 * The keys of a profile's steps, each once, in the order of their first rows;
 * the caller frees them.  0, or -1 with *error (no step in the file, no
 * memory).
 */
int sw_view_steps(const struct sw_reader *reader, uint64_t **keys,
		  size_t *count, struct sw_error *error);

/*
 * Compute the view of one of the reader's steps.  The reader must outlive the
 * view.  Returns 0, or -1 with *error (no memory).  Free with sw_view_fini(),
 * which takes a zeroed view too.
 */
int sw_view_init(struct sw_view *view, const struct sw_reader *reader,
		 uint64_t step_key, struct sw_error *error);
void sw_view_fini(struct sw_view *view);

/* Whether a row of the step has a value in "table.column": a rule's need. */
bool sw_view_has(const struct sw_view *view, const char *table,
		 const char *column);

/*
 * CPUs that each task used over time: cpus[task * columns + column], tasks as
 * in the view, columns equal parts of [start_usec, end_usec].  NAN where it was
 * not seen.  0, or -1 with errno ENOMEM.
 */
int sw_view_tasks_over(const struct sw_view *view, uint64_t start_usec,
		       uint64_t end_usec, size_t columns, double *cpus);

/* On how many GPUs a process of it was; NAN where that could not be seen. */
double sw_view_used_gpus(const struct sw_view *view);

/* Real time (usec since the Epoch) of a CLOCK_BOOTTIME of this profile. */
uint64_t sw_view_realtime_usec(const struct sw_view *view, uint64_t usec);

/*
 * What one such run is to be given at least: the low end of its need, of what
 * is above it all that page cache does not explain, and mapped files whose use
 * cannot be told.  SW_MISSING where the need is not known.
 */
uint64_t sw_view_memory_base(const struct sw_view_memory *memory);

/* At its limit, and less than half of that was needed: the rest is page cache. */
bool sw_view_is_page_cache(const struct sw_view_memory *memory);

/* So many pages in bytes; NAN where their number is missing. */
double sw_view_pages_bytes(const struct sw_view *view, uint64_t pages);

/* What the job's own cgroup saw on the node; for the sum of all its steps. */
void sw_view_use_job_memory(struct sw_view *total);

/*
 * Whether its user is at a prompt, or has nothing in it: the steps interactive
 * and extern, of whose waits nothing follows.
 */
bool sw_view_is_of_user(const struct sw_view *view);

/* Also where it is not known how long it was. */
bool sw_view_is_shorter(const struct sw_view *view, double seconds);

#endif
