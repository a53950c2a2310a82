/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data about one step on its node, in numbers with units: the layer between the
 * file and the findings.  Pure: computed from an open reader, without I/O.
 * SW_MISSING and NULL mean "unknown".
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
#include "common/exit_counts.h"
#include "common/job_key.h"
#include "common/units.h"
#include "profiles/reader.h"

/*
 * Events this close to each other have one cause.  Processes take some 10 ms to
 * die and to be noticed; 1 s, for busy nodes, was chosen by hand.
 */
#define SW_AT_ONCE_USEC SW_USEC_PER_SEC

/* So many intervals at the end may be from while the step was being ended: the
 * last sample, and the one of the end itself. */
#define SW_END_INTERVALS 2

/* Messages exchanged in a run; less is lookups of names.  Chosen by hand. */
#define SW_MESSAGES_BYTES SW_MIB

/* End of a step. */
enum sw_state {
	SW_STATE_UNKNOWN,	/* recorder died before the end */
	SW_STATE_COMPLETED,	/* exit code 0 */
	SW_STATE_FAILED,	/* another exit code */
	SW_STATE_KILLED,	/* by a signal */
	SW_STATE_INTERRUPTED,	/* by its user (Ctrl-C), exit or signal */
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
	bool is_wait_complete;		/* covers all threads */
	/*
	 * DESIGN truth 9: demand is CPU time and waits for a CPU, caused by a
	 * neighbor, a quota or a binding.  Peak as above; NAN if waits are
	 * unknown, or incomplete although they held the step back.
	 */
	double demand_peak_cores;
	bool is_constrained;		/* held back: its use says little */
};

/*
 * Memory need as an interval [need_bytes, need_upper_bytes], DESIGN truth 1:
 * from what cannot be reclaimed to the kernel's peak, with page cache.
 */
struct sw_view_memory {
	const char *source;		/* "cgroup.v2", "cgroup.v1",
					 * "process.tree", "rusage" */
	const char *need_source;	/* counter used for need_bytes */
	const char *node;	/* node it belongs to, if several; or NULL */
	uint64_t need_bytes;
	uint64_t step_need_bytes;	/* in a sum: of the largest step */
	uint64_t need_upper_bytes;	/* missing: the peak is no bound */
	uint64_t floor_bytes;		/* never advise less */
	uint64_t mapped_bytes;		/* mapped files, maximum */
	bool need_is_lower_bound;	/* OOM killed, or held at the limit */
	bool has_missed_files;	/* mapped files evicted, then refaulted */
	uint64_t peak_bytes;		/* memory.peak, or maximum of summed
					 * RSS */
	uint64_t cache_bytes;		/* maximum page cache, without shmem */
	uint64_t limit_bytes;		/* least memory.max, with ancestors' */
	bool is_limit_above;		/* the limit is an ancestor's */
	uint64_t requested_bytes;	/* declared */
	uint64_t available_bytes;	/* limit of machine and ancestors */
	uint64_t swap_peak_bytes;
	uint64_t zswap_peak_bytes;	/* compressed size in memory */
	uint64_t huge_page_bytes;	/* maximum; not in other numbers */
	uint64_t kernel_peak_bytes, socket_peak_bytes;	/* parts of the need */
	uint64_t oom_kills, oom_events, limit_hits;
	uint64_t refaulted_file_pages, refaulted_anon_pages;
};

/* A file system that threads waited for.  Untrusted texts of the reader. */
struct sw_view_wait {
	const char *name;	/* "/scratch", or its type: "nfs", "unknown" */
	const char *detail;	/* "nfs4 server:/scratch"; NULL: unknown */
	uint64_t waited_usec;	/* wall time with a thread waiting */
	uint64_t waited_thread_usec;	/* summed over threads */
	uint64_t waited_idle_usec;	/* no thread of the step ran */
	/* Files seen to be written and later read on a remote file system; if
	 * 0, the other two are missing. */
	uint64_t scratch_files, scratch_bytes;
	uint64_t scratch_usec;		/* of waited_thread_usec */
};

/* "/scratch", "NFS", "a local file system"; NULL if unknown. */
const char *sw_view_wait_words(const struct sw_view_wait *wait);

enum { SW_VIEW_WAITS = 16 };

struct sw_view_io {
	const char *source;		/* "cgroup.v2" devices, "proc" */
	uint64_t read_bytes, written_bytes;	/* block layer */
	uint64_t device_requests;
	uint64_t call_read_bytes, call_written_bytes;	/* system calls */
	uint64_t call_reads, call_writes;
	uint64_t opens;			/* of regular files */
	uint64_t stalled_usec;		/* pressure, some */
	/* Threads found waiting by sampling: in total, and by file system,
	 * longest first. */
	const char *waited_source;	/* "bpf", "proc" */
	uint64_t waited_usec, waited_thread_usec, waited_idle_usec;
	uint64_t local_free_bytes;	/* least free space on the node's disk;
					 * only with scratch files */
	size_t wait_count;
	struct sw_view_wait waits[SW_VIEW_WAITS];
};

struct sw_view_pressure {		/* PSI totals over the run */
	uint64_t cpu_some_usec, memory_some_usec, memory_full_usec;
	uint64_t io_some_usec, io_full_usec;
};

/* A program: the last row of its key in the table "programs". */
struct sw_view_program {
	const char *name;
	uint64_t started, ended, running;
	uint64_t unseen_ends;	/* of those last seen running */
	bool is_complete;
	uint64_t cpu_usec, user_usec, system_usec;
	bool is_cpu_of_ended;	/* excludes running processes */
	uint64_t peak_bytes, peak_anon_bytes;
	bool is_peak_sampled;	/* peaks are lower bounds */
	uint64_t read_bytes, written_bytes, call_read_bytes, call_written_bytes;
	uint64_t opens;			/* of regular files */
	/* CPU time sampled by system call, and the part of it in calls that
	 * open, name, list or remove files. */
	uint64_t sampled_usec, metadata_usec;
	/* Ended processes: CPU time in MPI libraries. */
	uint64_t mpi_processes, mpi_usec, mpi_least_usec;
	/* Process that repeated a call for longest; texts may be NULL and are
	 * untrusted. */
	uint64_t spin_usec, spin_call_usec;
	const char *spin_call, *spin_object;
	uint64_t io_wait_usec, run_queue_wait_usec;
	uint64_t elapsed_p50_usec, elapsed_p95_usec, elapsed_max_usec;
	uint64_t exited_ok, exited_nonzero, killed, oom_killed;
	bool is_victim_guessed;		/* oom_killed is inferred from times */
	uint64_t last_exit_status, last_signal;
	/*
	 * Part of exited_nonzero: forks that executed nothing, whose status
	 * answers their parent, and those of them with 126 or 127.
	 */
	uint64_t forked_nonzero, forked_not_found, first_not_found_usec;
	/* First failure or kill, except of such forks; shortest run time with
	 * exit status 0. */
	uint64_t first_failed_usec, ok_shortest_usec;
	uint64_t first_start_usec, last_end_usec;	/* CLOCK_BOOTTIME */
	uint64_t signal_kill, signal_segv, signal_abrt, signal_term,
		signal_other;
	/*
	 * Killed by a signal other than SIGTERM: number by sender's side, last
	 * sender (untrusted; NULL), largest use of one.
	 */
	uint64_t killed_by_job, killed_by_other, killed_cpu_usec, killed_bytes;
	const char *killer;
	/* Processes with nonzero exit status: largest use of one of them, and
	 * start of the last one. */
	uint64_t failed_cpu_usec, failed_written_bytes, failed_start_usec;
	const char *started_by;	/* program that first executed it; untrusted */
	/* Failed process, untrusted texts: the last call that failed, and the
	 * last file that it opened for reading. */
	const char *failed_call, *failed_error, *failed_object, *last_read;
	uint64_t failed_is_cause, failed_end_usec;
	/* From a table of its own, last here: without status 0 and forks; empty
	 * in profiles without that table. */
	struct sw_exit_counts exits;
};

/*
 * A GPU of the node, or an instance of one, over the step's time.  is_used and
 * "own" values are of the step's processes; all others are of all users.
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
	double busy_ratio;	/* share of time; NAN */
	double memory_busy_ratio, own_busy_ratio;
	uint64_t memory_total_bytes;
	uint64_t memory_used_bytes, own_memory_bytes;	/* peaks of samples */
	uint64_t processes;	/* maximum at a time */
	double mean_watts;
	uint64_t energy_mj, celsius_max;
	double slowed_ratio;	/* by heat or brake, share of time; NAN */
	double power_capped_ratio;
	uint64_t ecc_corrected, ecc_uncorrected;	/* during the step */
	uint64_t xids, last_xid, rows_remapped, pages_retired;
	uint64_t is_remap_pending, has_remap_failed;	/* 0, 1 */
	uint64_t status;	/* NVML error, or 0 */
	uint64_t pcie_sent_bytes, pcie_received_bytes;
	uint64_t nvlink_sent_bytes, nvlink_received_bytes;
	struct sw_curve busy;	/* empty in sums over nodes */
};

/* A task (MPI rank) of a Slurm step on this node. */
struct sw_view_task {
	uint64_t rank, local_task, pid;
	uint64_t start_usec, end_usec;
	const char *cgroup_kind;	/* "task", "shared", "none"; NULL */
	uint64_t wait_status;		/* as in wait(2) */
	uint64_t memory_peak_bytes, memory_oom_kills, memory_max_events;
	uint64_t cpu_usec, user_usec, system_usec;
	bool has_own_cpu;	/* of its processes, not its cgroup */
	const char *failures_source;	/* failed calls that were recorded */
	const char *final_source;	/* NULL: has not ended */
	struct sw_view_counters counters;
};

struct sw_job_record;

/* Slurm's data of the job and step; missing for "stepwell run". */
struct sw_view_slurm {
	bool is_slurm;
	bool is_unawaited;	/* Slurm ended the step with the script */
	bool is_told_by_step;	/* of a script: its steps report failures */
	/* For a script: steps of its job on all nodes, and their CPU time. */
	uint64_t launched_steps, launched_cpu_usec;
	bool is_restart_of_script;	/* in a sum: from batch */
	const char *sluid;	/* NULL: unknown */
	uint64_t limit_realtime_usec;	/* end of the time limit */
	/* Slurm's records of this step (or what the view covers) and of its
	 * job; NULL: not read, or not final. */
	const struct sw_job_record *record, *job_record;
	uint64_t job_node_count, step_node_count, node_index;
	uint64_t task_count, node_task_count;
	uint64_t job_task_count; /* requested by the job */
	uint64_t is_armed;	/* 1: counters attached before exec */
};

struct sw_view_event {
	uint64_t time_usec;
	const char *kind, *program, *detail;	/* only kind is never NULL */
	uint64_t pid, value;
};

/* Threads of a process with the same wait while the step stood still; texts
 * may be NULL, and are untrusted except for kind. */
struct sw_view_hang {
	uint64_t time_usec, still_usec;	/* length of the standstill so far */
	uint64_t took_usec;	/* duration of the whole sample */
	const char *program, *kind, *call, *function, *object;
	uint64_t pid, tid, threads;
	uint64_t sleep_usec;	/* as requested */
	const char *other;	/* other end, or lock holder */
	uint64_t other_pid;	/* for a lock between threads, a tid */
	uint64_t is_connecting;	/* the peer has not accepted yet */
	uint64_t timeslices;	/* in the last timeslices_usec */
	uint64_t timeslices_usec;
	/* Stack of the thread: "pthread_mutex_lock < lock < main". */
	const char *stack;
	const char *stack_left_out;	/* why it was not read; NULL */
};

/*
 * A process found waiting for a pipe and the process at the other end, with CPU
 * time and age of both; texts may be NULL, and are untrusted.
 */
struct sw_view_pipe {
	uint64_t time_usec;
	const char *program, *other;
	uint64_t pid, cpu_usec, age_usec;
	uint64_t other_pid, other_cpu_usec, other_age_usec;
	uint64_t other_run_queue_wait_usec;	/* of the other's threads */
	uint64_t is_writing;	/* 1: pipe full, 0: pipe empty */
	uint64_t others;	/* processes at the other end */
};

struct sw_view_recording {
	const char *backend, *backend_reason, *programs_source,
		*programs_reason;
	const char *failures_source;	/* failed calls that were recorded */
	const char *failures_reason;	/* why not all were */
	const char *final_source;
	uint64_t period_usec, samples, lost_samples;
	uint64_t recorder_cpu_usec, recorder_hiwater_bytes;
	uint64_t gap_usec;		/* sum of the "gap" events */
	uint64_t limited_usec;		/* part due to the CPU limit */
	uint64_t unparsed_processes;	/* maximum at a time */
	bool is_cgroup_lost;	/* removed before the end */
	bool has_left_cgroup;	/* processes moved out of it */
	bool is_finished;		/* the file has an end frame */
};

/*
 * Threads of the busiest process, or its single-threaded processes, with at
 * least a tenth of the CPU time of the busiest one, when last seen.  count 0:
 * unknown, or they did not do most of the work.
 */
struct sw_view_workers {
	/*
	 * Several ran side by side, and one alone until the end of the run;
	 * count 0: not so.
	 */
	struct sw_view_straggler {
		uint64_t count;		/* including the straggler */
		uint64_t own_usec;	/* its CPU time */
		uint64_t mean_usec;	/* over all of them */
		uint64_t alone_usec;	/* time at the end of the run */
		double alone_cpus;	/* wanted during alone_usec */
		bool are_processes;
	} straggler;
	uint64_t count;
	uint64_t cpu_usec, busiest_usec;	/* of all, of the busiest */
	uint64_t usec;		/* since the step's start */
	bool are_processes;
	bool take_turns;	/* at a lock, one at a time */
	double at_locks;	/* threads of the step that waited for a lock,
				 * on average over the run; NAN */
};

/*
 * Maximum sizes, somewhat above what any recorder writes (512 programs and a
 * rest, four threads per sample of a standstill, eight pipes in 16 samples), so
 * that a small forged file cannot keep a reader busy.
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
	const struct sw_reader *reader;	/* owns all texts */
	/* job and node */
	const char *name, *program, *node, *step_id, *user, *cluster, *kernel;
	struct sw_job_key job;
	uint64_t node_cpus, node_memory_bytes, page_bytes;
	struct sw_view_slurm slurm;
	/* the step */
	uint64_t step_key;		/* in rows of the file */
	bool shares_request;		/* with steps inside of it */
	const struct sw_view_past *past;	/* NULL: no history */
	uint64_t start_usec, end_usec, elapsed_usec;	/* CLOCK_BOOTTIME */
	uint64_t start_realtime_usec;
	uint64_t requested_time_usec;
	uint64_t input_bytes;	/* STEPWELL_INPUT_BYTES */
	const char *input_reason;	/* why it is unknown; NULL */
	const char *limits_note;	/* assumption about limits; NULL */
	bool is_input_of_script;	/* in a sum: from batch */
	enum sw_state state;
	bool is_state_of_script;	/* in a sum: from batch */
	uint64_t exit_code, signal;
	uint64_t interrupt_signal;	/* SIGINT, SIGQUIT; if INTERRUPTED */
	uint64_t end_oom_kills;	/* in the step that state is from */
	struct sw_view_cpu cpu;
	struct sw_view_memory memory;
	struct sw_view_io io;
	struct sw_view_pressure pressure;
	struct sw_view_counters counters;	/* of all tasks */
	struct sw_view_chosen chosen[SW_CHOSEN_MAX];
	size_t chosen_count;
	struct sw_view_network network;
	struct sw_view_limits limits;
	struct sw_view_workers workers;	/* none in sums */
	struct sw_view_node nearby;	/* the node with all users */
	struct sw_view_recording recording;
	struct sw_curve cores;		/* CPUs in use */
	struct sw_curve cpu_waits;	/* threads waiting for a CPU */
	struct sw_curve memory_bytes;	/* non-reclaimable memory */
	struct sw_curve io_rate;	/* bytes per second, system calls */
	struct sw_curve device_rate;	/* of block devices; none in sums */
	struct sw_curve io_stall;	/* share of time stalled, 0 to 1 */
	struct sw_phase *phases;	/* by time; none in sums */
	size_t phase_count;
	/* CLOCK_BOOTTIME: its work was done by other steps or jobs; empty in
	 * sums */
	struct sw_spans elsewhere;
	struct sw_view_program *programs;	/* by CPU time, largest first */
	size_t program_count;
	struct sw_view_event *events;	/* by time */
	size_t event_count;
	struct sw_view_hang *hangs;	/* by time; none in sums */
	size_t hang_count;
	struct sw_view_pipe *pipes;	/* by time; none in sums */
	size_t pipe_count;
	uint64_t pipe_waited_usec;	/* threads waited for pipes; or 0 */
	struct sw_view_task *tasks;	/* on this node, by rank */
	size_t task_count;
	struct sw_view_gpu *gpus;	/* of the node, used or not */
	size_t gpu_count;
	uint64_t allocated_gpus; /* by the scheduler; missing: none, or
				  * unknown */
	uint64_t given_gpu_bits;	/* mask of the node's first 64; or 0 */
	bool is_given_to_script;	/* in a sum: from batch */
	struct sw_placement placement;	/* empty in sums */
};

/*
 * List the keys of a profile's steps, each once, in the order of their first
 * rows; the caller frees them.  Return 0, or -1 with *error (no step in the
 * file, out of memory).
 */
int sw_view_steps(const struct sw_reader *reader, uint64_t **keys,
		  size_t *count, struct sw_error *error);

/*
 * Compute the view of one of the reader's steps.  The reader must outlive the
 * view.  Return 0, or -1 with *error (out of memory).  Free with
 * sw_view_fini(), which also accepts a zeroed view.
 */
int sw_view_init(struct sw_view *view, const struct sw_reader *reader,
		 uint64_t step_key, struct sw_error *error);
void sw_view_fini(struct sw_view *view);

/* Columns of samples that views and rules read, by table; see sw_reader_want. */
enum { SW_VIEW_ONLY_COUNT = 6 };
extern const struct sw_reader_only sw_view_only[SW_VIEW_ONLY_COUNT];

/* Whether a row of the step has a value in "table.column": a rule's need. */
bool sw_view_has(const struct sw_view *view, const char *table,
		 const char *column);

/*
 * Fill CPUs used by each task over time: cpus[task * columns + column], with
 * tasks as in the view and columns equal parts of [start_usec, end_usec].  NAN
 * where the task was not sampled.  Return 0, or -1 with errno ENOMEM.
 */
int sw_view_tasks_over(const struct sw_view *view, uint64_t start_usec,
		       uint64_t end_usec, size_t columns, double *cpus);

/* Number of GPUs used by its processes; NAN if unknown. */
double sw_view_used_gpus(const struct sw_view *view);

/* Convert CLOCK_BOOTTIME of this profile to usec since the Epoch. */
uint64_t sw_view_realtime_usec(const struct sw_view *view, uint64_t usec);

/*
 * Return the least memory to give to such a run: the low end of its need, what
 * is above it except for page cache, and mapped files that may have been in
 * use.  SW_MISSING if the need is not known.
 */
uint64_t sw_view_memory_base(const struct sw_view_memory *memory);

/* At its limit, but over half of that was not needed: page cache. */
bool sw_view_is_page_cache(const struct sw_view_memory *memory);

/* Convert pages to bytes; NAN if their number is missing. */
double sw_view_pages_bytes(const struct sw_view *view, uint64_t pages);

/* Use the memory of the job's own cgroup in the sum of its steps. */
void sw_view_use_job_memory(struct sw_view *total);

/*
 * Return true for the steps interactive and extern: their user is at a prompt,
 * or runs nothing, so waits mean nothing.
 */
bool sw_view_is_of_user(const struct sw_view *view);

/* Also true if its duration is not known. */
bool sw_view_is_shorter(const struct sw_view *view, double seconds);

#endif
