/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage of a step's processes: everything if the step has no cgroup of its own,
 * and otherwise what cgroups do not provide.  From BPF's passes, or from /proc.
 */
#include <stddef.h>
#include <unistd.h>

#include "common/delta.h"
#include "common/need.h"
#include "common/units.h"
#include "config.h"
#include "recorder/bpf/account.h"
#include "recorder/processes/tree.h"
#include "recorder/programs/programs.h"
#include "recorder/sources/source.h"

enum {
	PROCESSES, SKIPPED, UNPARSED, THREADS, UTIME, STIME,
	RCHAR, WCHAR, SYSCR, SYSCW, READ_BYTES, WRITE_BYTES, CANCELLED,
	VOLUNTARY, NONVOLUNTARY, RUN_QUEUE_WAIT, OPENS, MINFLT, MAJFLT,
	RSS_ANON_SUM, RSS_FILE_SUM, RSS_SHMEM_MAX, RSS_ANON_LOW,
	RSS_FILE_LOW, RSS_SUM,
	HIWATER_MAX, HIWATER_ANON_MAX, BLOCKED, RUNNING, SWAP_SUM,
	HUGETLB_SUM,
	COLUMNS
};

#define COUNTER(name, unit, help) { name, unit, SW_KIND_COUNTER, help }
#define GAUGE(name, unit, help) { name, unit, SW_KIND_GAUGE, help }
#define PEAK(name, help) { name, "bytes", SW_KIND_PEAK, help }

static const struct sw_column columns[COLUMNS] = {
	[PROCESSES] = GAUGE("processes", "count", "Processes followed."),
	[SKIPPED] = GAUGE("skipped_processes", "count",
			   "Processes beyond the limit, and new ones whose "
			   "files cannot be read."),
	[UNPARSED] = GAUGE("unparsed_processes", "count",
			  "Processes whose files could not be parsed; the sums "
			  "do not include them."),
	[THREADS] = GAUGE("threads", "count", "Their threads."),
	[UTIME] = COUNTER("utime_usec", "usec",
			  "User CPU time of the tree, including exited "
			  "processes."),
	[STIME] = COUNTER("stime_usec", "usec",
			  "System CPU time of the tree, including exited "
			  "processes."),
	[RCHAR] = COUNTER("rchar", "bytes", "Bytes read by system calls."),
	[WCHAR] = COUNTER("wchar", "bytes", "Bytes written by system calls."),
	[SYSCR] = COUNTER("syscr", "count", "Read calls."),
	[SYSCW] = COUNTER("syscw", "count", "Write calls."),
	[READ_BYTES] = COUNTER("read_bytes", "bytes",
			       "Bytes read from block devices."),
	[WRITE_BYTES] = COUNTER("write_bytes", "bytes",
				"Bytes written to block devices."),
	[CANCELLED] = COUNTER("cancelled_write_bytes", "bytes",
			      "Bytes not written after all: truncated cache."),
	[VOLUNTARY] = COUNTER("voluntary_ctxt_switches", "count",
			      "Context switches by waiting, of the main "
			      "threads seen; with BPF, of all threads."),
	[NONVOLUNTARY] = COUNTER("nonvoluntary_ctxt_switches", "count",
				 "Preemptions, likewise."),
	[RUN_QUEUE_WAIT] = COUNTER("run_queue_wait_usec", "usec",
				   "Time waiting for a CPU, of all threads "
				   "seen; with BPF, of all threads."),
	[OPENS] = COUNTER("opens", "count", "Regular files opened, other than "
			  "to execute them; with BPF where the kernel lets it "
			  "see functions return."),
	[MINFLT] = COUNTER("minflt", "count", "Minor faults of the tree."),
	[MAJFLT] = COUNTER("majflt", "count", "Major faults of the tree."),
	[RSS_ANON_SUM] = GAUGE("rss_anon_sum", "bytes",
			       "Sum of RssAnon; pages shared since a fork "
			       "count once per process."),
	[RSS_FILE_SUM] = GAUGE("rss_file_sum", "bytes", "Sum of RssFile."),
	[RSS_SHMEM_MAX] = GAUGE("rss_shmem_max", "bytes",
				"Largest RssShmem of one process."),
	[RSS_ANON_LOW] = GAUGE("rss_anon_low", "bytes",
			       "The largest RssAnon of each family of "
			       "processes that share one image since a fork, "
			       "summed: a lower bound."),
	[RSS_FILE_LOW] = GAUGE("rss_file_low", "bytes",
			       "The largest RssFile of each such family: the "
			       "part beyond 32 MiB, summed, plus the largest "
			       "part within, because code is shared."),
	[RSS_SUM] = GAUGE("rss_sum", "bytes",
			  "Sum of resident memory: an upper bound."),
	[HIWATER_MAX] = PEAK("hiwater_max", "Largest VmHWM of one process."),
	[HIWATER_ANON_MAX] = PEAK("hiwater_anon_max",
				  "Largest VmHWM of one process minus its "
				  "largest RssFile seen: a lower bound."),
	[BLOCKED] = GAUGE("blocked", "count",
			  "Main threads in uninterruptible sleep; with BPF, "
			  "all threads."),
	[RUNNING] = GAUGE("running", "count", "Runnable main threads; with "
			  "BPF, all threads."),
	[SWAP_SUM] = GAUGE("swap_sum", "bytes", "Sum of VmSwap, without shared "
			   "memory."),
	[HUGETLB_SUM] = GAUGE("hugetlb_sum", "bytes", "Sum of HugetlbPages; "
			      "shared ones count once per process."),
};

/* Families of processes that share one image since a fork */
struct families {
	uint64_t anon, code_max, file_beyond;
};

struct state {
	struct sw_programs *programs;
	uint64_t hiwater_max, hiwater_anon_max;
	uint64_t user_usec, system_usec;	/* never decreasing */
};

static const char *find_backend(const void *memory)
{
	const struct state *state = memory;
	const char *backend =
		state->programs ? sw_programs_sample_backend(state->programs)
				: NULL;

	return backend ? backend : "proc";
}

/* Return whether BPF's samples will come; they must not be mixed with /proc. */
static bool is_coming(const struct sw_target *target)
{
	return target->programs && sw_programs_is_coming(target->programs);
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	state->hiwater_max = state->hiwater_anon_max = SW_MISSING;
	state->user_usec = state->system_usec = SW_MISSING;
	state->programs = target->programs;
	if (!target->tree)
		return SW_READ_ABSENT;
	return is_coming(target) ? SW_READ_LATER : SW_READ_OK;
}

static bool is_same_image(const struct sw_process *a,
			  const struct sw_process *b)
{
	/* Unreadable addresses are equal: such processes might share pages. */
	return a->start_code == b->start_code &&
	       a->start_stack == b->start_stack;
}

/* Add the code part once for all, and the rest of the files for each family. */
static void add_files(struct families *families, uint64_t file)
{
	uint64_t beyond = sw_excess_u64(file, SW_NEED_CODE_BYTES);

	if (sw_is_missing(file))
		return;
	families->file_beyond = sw_sum_u64(families->file_beyond, beyond);
	families->code_max = sw_max_u64(families->code_max, file - beyond);
}

/*
 * Add the largest RssAnon and RssFile of the processes with the image of
 * processes[first], unless an earlier process has done so.
 */
static void add_family(const struct sw_tree *tree, size_t first,
		       struct families *families)
{
	const struct sw_process *head = sw_tree_process(tree, first);
	uint64_t anon = SW_MISSING, file = SW_MISSING;
	size_t i;

	for (i = 0; i < sw_tree_count(tree); i++) {
		const struct sw_process *one = sw_tree_process(tree, i);

		if (!is_same_image(head, one))
			continue;
		if (i < first)
			return;
		anon = sw_max_u64(anon, one->rss_anon_bytes);
		file = sw_max_u64(file, one->rss_file_bytes);
	}
	families->anon = sw_sum_u64(families->anon, anon);
	add_files(families, file);
}

static void add_memory(const struct sw_process *one, uint64_t *values)
{
	uint64_t rss = sw_add_u64(sw_add_u64(one->rss_anon_bytes,
					     one->rss_file_bytes),
				  one->rss_shmem_bytes);

	values[RSS_ANON_SUM] = sw_sum_u64(values[RSS_ANON_SUM],
					 one->rss_anon_bytes);
	values[RSS_FILE_SUM] = sw_sum_u64(values[RSS_FILE_SUM],
					 one->rss_file_bytes);
	values[RSS_SHMEM_MAX] = sw_max_u64(values[RSS_SHMEM_MAX],
					   one->rss_shmem_bytes);
	values[RSS_SUM] = sw_sum_u64(values[RSS_SUM], rss);
	values[SWAP_SUM] = sw_sum_u64(values[SWAP_SUM], one->swap_bytes);
	values[HUGETLB_SUM] = sw_sum_u64(values[HUGETLB_SUM],
					one->hugetlb_bytes);
}

static void raise_peaks(struct state *state, const struct sw_process *one)
{
	state->hiwater_max = sw_max_u64(state->hiwater_max,
					one->hiwater_bytes);
	if (!sw_is_missing(one->hiwater_bytes) &&
	    !sw_is_missing(one->file_max_bytes) &&
	    one->hiwater_bytes > one->file_max_bytes)
		state->hiwater_anon_max = sw_max_u64(state->hiwater_anon_max,
			one->hiwater_bytes - one->file_max_bytes);
}

static void put_totals(const struct sw_totals *totals, uint64_t *values)
{
	size_t i;

	values[UTIME] = totals->user_usec;
	values[STIME] = totals->system_usec;
	values[MINFLT] = totals->minflt;
	values[MAJFLT] = totals->majflt;
	for (i = 0; i < SW_IO_COUNT; i++)
		values[RCHAR + i] = totals->io[i];
	values[VOLUNTARY] = totals->voluntary_switches;
	values[NONVOLUNTARY] = totals->nonvoluntary_switches;
	values[RUN_QUEUE_WAIT] = totals->run_queue_wait_usec;
}

static enum sw_read_status read_tree(struct state *state,
				     const struct sw_tree *tree,
				     uint64_t *values)
{
	struct families families = { SW_MISSING, SW_MISSING, SW_MISSING };
	size_t i;

	/* No process of the step was ever seen. */
	if (!sw_tree_count(tree) &&
	    sw_is_missing(sw_tree_totals(tree)->user_usec))
		return sw_tree_garbled(tree) ? SW_READ_GARBAGE :
					       SW_READ_ABSENT;
	put_totals(sw_tree_totals(tree), values);
	values[PROCESSES] = sw_tree_count(tree);
	values[SKIPPED] = sw_tree_left_out(tree);
	values[UNPARSED] = sw_tree_garbled(tree);
	values[THREADS] = values[BLOCKED] = values[RUNNING] = 0;
	for (i = 0; i < sw_tree_count(tree); i++) {
		const struct sw_process *one = sw_tree_process(tree, i);

		values[THREADS] += one->thread_count;
		values[BLOCKED] += one->state == 'D';
		values[RUNNING] += one->state == 'R';
		add_memory(one, values);
		raise_peaks(state, one);
		add_family(tree, i, &families);
	}
	values[RSS_ANON_LOW] = families.anon;
	values[RSS_FILE_LOW] = sw_add_u64(families.code_max,
					  families.file_beyond);
	values[HIWATER_MAX] = state->hiwater_max;
	values[HIWATER_ANON_MAX] = state->hiwater_anon_max;
	return SW_READ_OK;
}

/*
 * The runtime is exact; user and system time are counted in ticks, so use them
 * only as proportions.
 */
static void put_cpu(struct state *state, const struct sw_record_sums *sums,
		    uint64_t *values)
{
	uint64_t ticked = sums->user_nsec + sums->system_nsec;
	uint64_t system_nsec = 0;

	if (ticked)
		system_nsec = (uint64_t)((double)sums->runtime_nsec *
					 (double)sums->system_nsec /
					 (double)ticked);
	state->system_usec = sw_max_u64(state->system_usec,
					system_nsec / SW_NSEC_PER_USEC);
	/* A falling share of system time must not add to user time. */
	state->user_usec = sw_max_u64(state->user_usec, sw_excess_u64(
		sums->runtime_nsec / SW_NSEC_PER_USEC, state->system_usec));
	values[UTIME] = state->user_usec;
	values[STIME] = state->system_usec;
}

static void put_sums(const struct sw_record_sums *sums, uint64_t *values)
{
	values[RCHAR] = sums->rchar;
	values[WCHAR] = sums->wchar;
	values[SYSCR] = sums->syscr;
	values[SYSCW] = sums->syscw;
	values[READ_BYTES] = sums->read_bytes;
	values[WRITE_BYTES] = sums->write_bytes;
	values[CANCELLED] = sums->cancelled_bytes;
	values[VOLUNTARY] = sums->voluntary;
	values[NONVOLUNTARY] = sums->nonvoluntary;
	values[RUN_QUEUE_WAIT] = sums->run_delay_nsec / SW_NSEC_PER_USEC;
	values[MINFLT] = sums->minflt;
	values[MAJFLT] = sums->majflt;
}

static void read_account(struct state *state,
			 const struct sw_account *account, uint64_t *values)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct sw_account_part all;

	sw_account_sum(account, &all);
	put_cpu(state, &all.sums, values);
	put_sums(&all.sums, values);
	values[OPENS] = account->counts_opens ? all.sums.opens : SW_MISSING;
	values[PROCESSES] = all.processes;
	values[SKIPPED] = account->left_out;
	values[UNPARSED] = 0;
	values[THREADS] = all.threads;
	values[RUNNING] = all.running;
	values[BLOCKED] = all.blocked;
	values[RSS_ANON_SUM] = all.anon * page;
	values[RSS_FILE_SUM] = all.file * page;
	values[RSS_SHMEM_MAX] = all.shmem_max * page;
	values[RSS_ANON_LOW] = all.anon_low * page;
	values[RSS_FILE_LOW] = (all.code_max + all.file_beyond) * page;
	values[RSS_SUM] = all.rss * page;
	values[SWAP_SUM] = all.swap * page;
	values[HIWATER_MAX] = all.hiwater_max * page;
	values[HIWATER_ANON_MAX] = all.hiwater_anon_max * page;
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	struct state *state = memory;
	const struct sw_account *account =
		target->programs ? sw_programs_sample(target->programs) : NULL;

	if (!account && is_coming(target))
		return SW_READ_LATER;
	if (!account)
		return read_tree(state, target->tree, values);
	read_account(state, account, values);
	return SW_READ_OK;
}

const struct sw_source sw_src_proc = {
	.name = "proc",
	.backend = "proc",
	.find_backend = find_backend,
	.scope = SW_SCOPE_STEP,
	.cadence = SW_EVERY_PERIOD,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.read = read_source,
	.absence = "the command's processes were not followed",
};
