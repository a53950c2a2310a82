/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explain most of a group's waste.  Only use measurements, and say so if the
 * summaries do not show the reason.
 */
#include <math.h>
#include <stdio.h>

#include "analyzer/settings/settings.h"
#include "analyzer/sweep/page/words.h"
#include "common/text.h"
#include "common/units.h"

/* Likewise for other waits.  A quota: share of CPU time. */
#define MEMORY_RATIO 0.10
#define THROTTLED_RATIO 0.10
/* GPUs that sometimes wait for data are not idle. */
#define GPU_IDLE_RATIO 0.50
/* Smallest share of the time that is mentioned. */
#define NAMED_RATIO 0.05
/* Share of CPU time in recorded steps needed to exclude a cause. */
#define RECORDED_RATIO 0.80
/* Below these, advice would not change much; a margin is needed. */
#define LITTLE_LOST_RATIO 0.02
#define LITTLE_IDLE_RATIO 0.15
#define LITTLE_UNUSED_RATIO 0.25

const char *const sw_sweep_cause_ids[SW_SWEEP_CAUSES] = {
	[SW_SWEEP_IO] = "io.stalled",
	[SW_SWEEP_MEMORY_PRESSURE] = "memory.thrashing",
	[SW_SWEEP_THROTTLED] = "cpu.throttled",
	[SW_SWEEP_GPUS] = "gpu.idle",
	[SW_SWEEP_MEMORY] = "memory.over_allocated",
};

static double part(const uint64_t *n, enum sw_tally_number number,
		   const uint64_t *total, enum sw_tally_number of)
{
	return total[of] ? (double)n[number] / (double)total[of] : 0;
}

struct end {
	enum sw_tally_number number;
	const char *words;
};

static void add_ends(char *why, const uint64_t *n)
{
	static const struct end ends[] = {
		{ SW_TALLY_OUT_OF_MEMORY, "ran out of memory" },
		{ SW_TALLY_TIME_LIMIT, "reached the time limit" },
		{ SW_TALLY_DEADLINE, "missed the deadline" },
		{ SW_TALLY_NODE_FAIL, "lost a node" },
		{ SW_TALLY_FAILED, "failed otherwise" },
	};
	const char *between = "";
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (!n[ends[i].number])
			continue;
		sw_text_add(why, SW_SWEEP_WORDS_SIZE, "%s%s %s", between,
			    sw_count_text(n[ends[i].number]).s,
			    ends[i].words);
		between = ", ";
	}
}

uint64_t sw_sweep_count_lost(const uint64_t n[SW_TALLY_NUMBERS])
{
	return n[SW_TALLY_OUT_OF_MEMORY] + n[SW_TALLY_TIME_LIMIT] +
	       n[SW_TALLY_DEADLINE] + n[SW_TALLY_NODE_FAIL] +
	       n[SW_TALLY_FAILED];
}

static void say_failures(struct sw_sweep_row *row)
{
	const uint64_t *n = row->tally->n;

	row->cause = SW_SWEEP_FAILURES;
	sw_text_add(row->why, sizeof(row->why),
		    "%s of %s jobs did not "
		    "complete, and their work is lost: ",
		    sw_count_text(sw_sweep_count_lost(n)).s,
		    sw_count_text(n[SW_TALLY_JOBS]).s);
	add_ends(row->why, n);
	sw_text_add(row->why, sizeof(row->why), ".");
}

/* Share of the observed time, if that is representative; NAN. */
static double limited(const uint64_t *n, enum sw_tally_number number)
{
	double observed = sw_tally_ratio(n, SW_TALLY_OBSERVED_USEC,
					 SW_TALLY_STEP_USEC);

	return observed >= RECORDED_RATIO ?
		       sw_tally_ratio(n, number, SW_TALLY_OBSERVED_USEC) : NAN;
}

/* The kernel's pressure lacks network file systems. */
double sw_sweep_io_ratio(const uint64_t n[SW_TALLY_NUMBERS])
{
	return fmax(sw_tally_ratio(n, SW_TALLY_IO_FULL_USEC,
				   SW_TALLY_PRESSURE_USEC),
		    limited(n, SW_TALLY_LIMITED_IO_USEC));
}

enum sw_sweep_cause sw_sweep_wait(const uint64_t n[SW_TALLY_NUMBERS],
				  double *share)
{
	double io = sw_sweep_io_ratio(n);
	double memory = sw_tally_ratio(n, SW_TALLY_MEMORY_FULL_USEC,
				       SW_TALLY_PRESSURE_USEC);
	double throttled = sw_tally_ratio(n, SW_TALLY_THROTTLED_USEC,
					  SW_TALLY_STEP_CORE_USEC);

	*share = throttled;
	if (throttled >= THROTTLED_RATIO)
		return SW_SWEEP_THROTTLED;
	*share = memory;
	if (memory >= MEMORY_RATIO && !(memory < io))
		return SW_SWEEP_MEMORY_PRESSURE;
	*share = io;
	return io >= SW_SWEEP_IO_RATIO ? SW_SWEEP_IO : SW_SWEEP_UNKNOWN;
}

/* Return false if no wait explains the idle CPUs. */
static bool say_waits(struct sw_sweep_row *row)
{
	double share;

	row->cause = sw_sweep_wait(row->tally->n, &share);
	if (row->cause == SW_SWEEP_THROTTLED)
		sw_text_add(row->why, sizeof(row->why), "A CPU quota stopped "
			    "it for %.0f %% of its CPU time.", share * 100);
	else if (row->cause == SW_SWEEP_MEMORY_PRESSURE)
		sw_text_add(row->why, sizeof(row->why), "Its steps stood still "
			    "for %.0f %% of their time because memory was "
			    "short.", share * 100);
	if (row->cause == SW_SWEEP_IO) {
		sw_text_add(row->why, sizeof(row->why), "Its steps stood still "
			    "for %.0f %% of their time, waiting for I/O",
			    share * 100);
		if (row->mount)
			sw_text_add(row->why, sizeof(row->why), " on %s",
				    row->mount->label);
		sw_text_add(row->why, sizeof(row->why), ": more CPUs or memory "
			    "would not help.");
	}
	return row->cause != SW_SWEEP_UNKNOWN;
}

/* Largest share below the limit, of the resources in the list. */
static double next_share(const uint64_t *n, const struct end *limits,
			 size_t count, double below, size_t *found)
{
	double most = 0, share;
	size_t i;

	for (i = 0; i < count; i++) {
		share = limited(n, limits[i].number);
		if (share > most && share < below) {
			most = share;
			*found = i;
		}
	}
	return most;
}

/* Name the limits of its steps, largest first. */
static void say_limits(struct sw_sweep_row *row)
{
	static const struct end limits[] = {
		{ SW_TALLY_LIMITED_CPU_USEC, "the CPU" },
		{ SW_TALLY_LIMITED_WAITING_USEC,
		  "waits for peers and other processes" },
		{ SW_TALLY_LIMITED_LOCK_USEC, "locks" },
		{ SW_TALLY_LIMITED_IO_USEC, "I/O" },
		{ SW_TALLY_LIMITED_GPU_USEC, "GPUs" },
		{ SW_TALLY_LIMITED_NETWORK_USEC, "the network" },
		{ SW_TALLY_LIMITED_MEMORY_USEC, "short memory" },
		{ SW_TALLY_LIMITED_NODE_USEC, "others on its CPUs" },
	};
	static const size_t count = sizeof(limits) / sizeof(limits[0]);
	const char *between = ".  The time of its steps went to ";
	double share = INFINITY;
	size_t found = 0;

	while ((share = next_share(row->tally->n, limits, count, share,
				   &found)) >= NAMED_RATIO) {
		sw_text_add(row->why, sizeof(row->why), "%s%s (%.0f %%)",
			    between, limits[found].words, share * 100);
		between = ", ";
	}
	sw_text_add(row->why, sizeof(row->why), ": see the report of a job "
		    "(stepwell report %llu).", (unsigned long long)
		    row->tally->n[SW_TALLY_LATEST_JOB_ID]);
}

static void say_gpus(struct sw_sweep_row *row)
{
	const uint64_t *n = row->tally->n;

	row->cause = SW_SWEEP_GPUS;
	sw_text_add(row->why, sizeof(row->why), "The GPUs that its jobs had "
		    "were busy for %.0f %% of the time.",
		    100 * sw_tally_ratio(n, SW_TALLY_GPU_BUSY_SECONDS,
					 SW_TALLY_GPU_KNOWN_SECONDS));
}

static void say_cpus(struct sw_sweep_row *row)
{
	const uint64_t *n = row->tally->n;
	double used = sw_tally_ratio(n, SW_TALLY_USED_USEC,
				     SW_TALLY_CORE_KNOWN_USEC);
	double recorded = sw_tally_ratio(n, SW_TALLY_RECORDED, SW_TALLY_JOBS);

	sw_text_add(row->why, sizeof(row->why), "%.0f %% of the CPU time that "
		    "its jobs had was used", used * 100);
	if (!(recorded >= RECORDED_RATIO)) {
		sw_text_add(row->why, sizeof(row->why), "; why is not known, "
			    "as %s.", n[SW_TALLY_RECORDED] ?
			    "few of them were recorded" :
			    "none of them was recorded");
		return;
	}
	if (isnan(limited(n, SW_TALLY_LIMITED_CPU_USEC)) &&
	    !(sw_tally_ratio(n, SW_TALLY_PRESSURE_USEC, SW_TALLY_STEP_USEC) >=
	      RECORDED_RATIO)) {
		sw_text_add(row->why, sizeof(row->why), "; why is not known, "
			    "as their nodes' kernels have no pressure.");
		return;
	}
	row->cause = SW_SWEEP_CPUS;
	if (!isnan(limited(n, SW_TALLY_LIMITED_CPU_USEC))) {
		say_limits(row);
		return;
	}
	sw_text_add(row->why, sizeof(row->why), ".  Waits for disks, short "
		    "memory and quotas do not explain it; waits for network "
		    "storage, locks and peers are only in the report of a "
		    "job (stepwell report %llu).",
		    (unsigned long long)n[SW_TALLY_LATEST_JOB_ID]);
}

static void say_memory(struct sw_sweep_row *row,
		       const struct sw_sweep_page *page)
{
	const uint64_t *n = row->tally->n;
	const struct sw_quantiles *needs =
		&row->tally->sketch[SW_TALLY_NEED_MIB];
	double needed = sw_tally_ratio(n, SW_TALLY_NEED_MIB_SECONDS,
				       SW_TALLY_MIB_KNOWN_SECONDS);

	row->cause = SW_SWEEP_MEMORY;
	sw_text_add(row->why, sizeof(row->why), "Its jobs needed %.0f %% of "
		    "the memory that they had", needed * 100);
	if (needs->count)
		sw_text_add(row->why, sizeof(row->why), "; 95 %% of them at "
			    "most %s on a node",
			    sw_size_text(sw_quantiles_at(needs, 95, 100) *
					 SW_MIB).s);
	if (n[SW_TALLY_SAMPLED_MIB_SECONDS] >
	    n[SW_TALLY_MIB_KNOWN_SECONDS] / 2)
		sw_text_add(row->why, sizeof(row->why), ", by %s's samples, "
			    "which miss peaks and do not tell how the tasks of "
			    "a node differ",
			    sw_settings_scheduler(page->settings));
	sw_text_add(row->why, sizeof(row->why), ".");
}

/* True if hardly any of the allocation was idle, unused or lost. */
static bool is_little(const uint64_t *n)
{
	return !(sw_tally_ratio(n, SW_TALLY_LOST_CORE_USEC,
				SW_TALLY_CORE_USEC) > LITTLE_LOST_RATIO ||
		 sw_tally_ratio(n, SW_TALLY_IDLE_USEC,
				SW_TALLY_CORE_KNOWN_USEC) > LITTLE_IDLE_RATIO ||
		 sw_tally_ratio(n, SW_TALLY_UNUSED_MIB_SECONDS,
				SW_TALLY_MIB_KNOWN_SECONDS) >
			 LITTLE_UNUSED_RATIO ||
		 sw_tally_ratio(n, SW_TALLY_GPU_IDLE_SECONDS,
				SW_TALLY_GPU_KNOWN_SECONDS) >
			 GPU_IDLE_RATIO);
}

/* Without numbers, e.g. for jobs of no second, claim nothing. */
static void say_little(struct sw_sweep_row *row)
{
	const uint64_t *n = row->tally->n;
	double used = sw_tally_ratio(n, SW_TALLY_USED_USEC,
				     SW_TALLY_CORE_KNOWN_USEC);
	double needed = sw_tally_ratio(n, SW_TALLY_NEED_MIB_SECONDS,
				       SW_TALLY_MIB_KNOWN_SECONDS);
	char cpu[64] = "", memory[64] = "";

	if (isnan(used) && isnan(needed)) {
		sw_text_add(row->why, sizeof(row->why), "How much of their "
			    "CPU time and memory its jobs used is not known.");
		return;
	}
	row->cause = SW_SWEEP_LITTLE;
	if (!isnan(used))
		snprintf(cpu, sizeof(cpu), "used %.0f %% of the CPU time",
			 used * 100);
	if (!isnan(needed))
		snprintf(memory, sizeof(memory), "needed %.0f %% of the memory",
			 needed * 100);
	sw_text_add(row->why, sizeof(row->why), "Its jobs %s%s%s that they "
		    "had: there is little to gain.", cpu,
		    *cpu && *memory ? " and " : "", memory);
}

void sw_sweep_explain(struct sw_sweep_row *row,
		      const struct sw_sweep_page *page,
		      const uint64_t total[SW_TALLY_NUMBERS])
{
	const uint64_t *n = row->tally->n;
	double lost = part(n, SW_TALLY_LOST_CORE_USEC, total,
			   SW_TALLY_CORE_USEC) +
		      part(n, SW_TALLY_LOST_MIB_SECONDS, total,
			   SW_TALLY_MIB_SECONDS);
	double idle = part(n, SW_TALLY_IDLE_USEC, total, SW_TALLY_CORE_USEC);
	double unused = part(n, SW_TALLY_UNUSED_MIB_SECONDS, total,
			     SW_TALLY_MIB_SECONDS);

	double gpus = part(n, SW_TALLY_GPU_IDLE_SECONDS, total,
			   SW_TALLY_GPU_SECONDS);
	bool are_gpus_idle = sw_tally_ratio(n, SW_TALLY_GPU_IDLE_SECONDS,
					    SW_TALLY_GPU_KNOWN_SECONDS) >
			     GPU_IDLE_RATIO;

	row->cause = SW_SWEEP_UNKNOWN;
	row->why[0] = '\0';
	if (is_little(n))
		say_little(row);
	else if (are_gpus_idle && gpus >= lost && gpus >= idle &&
		 gpus >= unused)
		say_gpus(row);
	else if (lost >= idle && lost >= unused)
		say_failures(row);
	else if (unused > idle)
		say_memory(row, page);
	else if (!say_waits(row))
		say_cpus(row);
}
