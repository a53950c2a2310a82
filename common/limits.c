/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classify what limited a step in an interval.
 *
 * A moment in which no thread of the step ran is attributed to what its threads
 * waited for; of several waits the first in enum sw_limit counts, since the
 * others wait for it in turn.  A moment in which a thread ran counts as CPU,
 * except for the part lost by other threads: to I/O, a quota, or neighbors.
 */
#include "common/limits.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/missing.h"
#include "common/one_cpu.h"

/*
 * Numbers without another source were chosen by hand and held against "make
 * ward" and check_limits.
 */

/* With this share of the CPUs in use, I/O cannot hold anything back. */
static const double ALL_BUSY = 0.95;

/* Tolerance for sampling noise: how much more idle time is expected of threads
 * that take turns than of one that always runs. */
static const double TURNS_NOISE = 0.1;

/* With more threads per CPU than this, they also wait for each other. */
static const double CROWDED = 1.1;

/* The remainder of CPUs that the threads could fill is attributed to
 * neighbors. */
static const double MOSTLY = 0.9;

/* This much use of a CPU shows that the step uses one more. */
static const double ANOTHER_CPU = 0.1;

/* One of the threads that take turns always runs. */
static const double ALWAYS = 0.9;

/* Share of the other threads taking turns that must be seen waiting for a lock;
 * a sample misses one now and then. */
static const double OTHERS = 0.5;

/*
 * Kernel CPU time to evict and read back a page of 4 KiB: below the measured
 * value (1.7 us, mapped file, Linux 6.18), so that no CPU time of the program
 * itself counts as memory.
 */
static const double REFAULT_SEC = 0.5e-6;

/* Samples of a part of the time stand for all of it, down to a quarter. */
static const double SEEN_PART = 3;

static const struct {
	const char *name;
	enum sw_limited_by resource;
	const char *wait;	/* the recorder's name; NULL: none */
} limits[SW_LIMITS] = {
	[SW_LIMIT_IO] = { "io", SW_LIMITED_BY_IO, "io" },
	[SW_LIMIT_MEMORY] = { "memory", SW_LIMITED_BY_MEMORY, "memory" },
	[SW_LIMIT_LINK] = { "network", SW_LIMITED_BY_NETWORK, NULL },
	[SW_LIMIT_SOCKET] = { "peer", SW_LIMITED_BY_WAITING, "network" },
	[SW_LIMIT_LOCK] = { "lock", SW_LIMITED_BY_LOCK, "lock" },
	[SW_LIMIT_PIPE] = { "pipe", SW_LIMITED_BY_WAITING, "pipe" },
	[SW_LIMIT_TERMINAL] = { "terminal", SW_LIMITED_BY_WAITING, "terminal" },
	[SW_LIMIT_STOPPED] = { "stopped", SW_LIMITED_BY_WAITING, "stopped" },
	[SW_LIMIT_OTHER] = { "other", SW_LIMITED_BY_WAITING, "other" },
	[SW_LIMIT_POLL] = { "poll", SW_LIMITED_BY_WAITING, "poll" },
	[SW_LIMIT_SLEEP] = { "sleep", SW_LIMITED_BY_WAITING, "sleep" },
	[SW_LIMIT_SIGNAL] = { "signal", SW_LIMITED_BY_WAITING, "signal" },
	[SW_LIMIT_CHILD] = { "child", SW_LIMITED_BY_WAITING, "child" },
	[SW_LIMIT_UNSEEN] = { "unseen", SW_LIMITED_BY_WAITING, NULL },
	[SW_LIMIT_CPU] = { "cpu", SW_LIMITED_BY_CPU, NULL },
	[SW_LIMIT_QUOTA] = { "cpu_quota", SW_LIMITED_BY_CPU, NULL },
	[SW_LIMIT_NEIGHBORS] = { "neighbors", SW_LIMITED_BY_NODE, NULL },
	[SW_LIMIT_GPU] = { "gpu", SW_LIMITED_BY_GPU, NULL },
	[SW_LIMIT_TURNS] = { "lock_turns", SW_LIMITED_BY_LOCK, NULL },
};

enum sw_limited_by sw_limit_resource(enum sw_limit limit)
{
	return limits[limit].resource;
}

const char *sw_limited_by_name(enum sw_limited_by resource)
{
#define AS_NAME(NAME, name) [SW_LIMITED_BY_##NAME] = name,
	static const char *const names[] = {
		SW_LIMITED_BY_EACH(AS_NAME)
		[SW_LIMITED_BY_NONE] = "none",
	};

	return names[resource];
}

void sw_limits_by_resource(const uint64_t usec[SW_LIMITS],
			   uint64_t sums[SW_LIMITED_BY_RESOURCES])
{
	int i;

	memset(sums, 0, SW_LIMITED_BY_RESOURCES * sizeof(sums[0]));
	for (i = 0; i < SW_LIMITS; i++) {
		if (sw_is_missing(usec[i])) {
			sw_set_missing(sums, SW_LIMITED_BY_RESOURCES);
			return;
		}
		sums[limits[i].resource] += usec[i];
	}
}


const char *sw_limit_name(enum sw_limit limit)
{
	return limits[limit].name;
}

enum sw_limit sw_limit_of_wait(const char *kind)
{
	enum sw_limit limit;

	for (limit = 0; limit < SW_LIMIT_WAITS; limit++) {
		if (limits[limit].wait && !strcmp(kind, limits[limit].wait))
			return limit;
	}
	return SW_LIMIT_OTHER;
}

static double known(double value)
{
	return isnan(value) ? 0 : fmax(value, 0);
}

static double share_of(double value)
{
	return fmin(known(value), 1);
}

/*
 * Return the share in which nothing ran: as sampled, but at least what CPU time
 * and waits for a CPU leave, and at most what remains if the step always ran on
 * all its CPUs at once, because these bounds are exact.
 */
static double idle_of(const struct sw_sight *sight)
{
	double runnable = known(sight->cores) + known(sight->cpu_waits);
	double idle = fmax(0, 1 - runnable);
	int i;

	for (i = 0; sight->has_waits && i < SW_LIMIT_WAITS; i++)
		idle = fmax(idle, share_of(sight->idle[i]));
	return fmin(idle, fmax(0, 1 - known(sight->cores) / sight->cpus));
}

/* Attribute the idle share to the waits in their order. */
static void share_idle(const struct sw_sight *sight, double idle,
		       double share[SW_LIMITS])
{
	double left = idle, seen;
	int i;

	for (i = 0; i < SW_LIMIT_UNSEEN; i++) {
		share[i] = fmin(left, share_of(sight->idle[i]));
		left -= share[i];
	}
	seen = idle - left;
	/* Samples are sparse, but the idle share is exact: scale to it. */
	for (i = 0; seen > 0 && i < SW_LIMIT_UNSEEN; i++)
		share[i] *= idle / seen;
	share[SW_LIMIT_UNSEEN] = seen > 0 ? 0 : idle;
}

/*
 * Return the share lost by threads that waited for I/O while others ran.  A
 * thread that always runs next to one that always reads is distinguished from
 * two that take turns by how often nothing ran: (1 - p)^n of the time if n
 * threads run with probability p each.  Without the waits, these threads could
 * have used the idle CPUs at most.
 */
static double io_beside(const struct sw_sight *sight, double idle)
{
	double threads = sight->io_threads - share_of(sight->idle[SW_LIMIT_IO]);
	double run = known(sight->cores) + known(sight->cpu_waits);
	double all = run + fmax(threads, 0), expected;

	if (!(threads > 0) || all <= 0 ||
	    run >= ALL_BUSY * sight->cpus)
		return 0;
	expected = pow(1 - fmin(run / all, 1), all);
	if (expected > idle + TURNS_NOISE)
		return 0;
	return fmin(threads / all, (sight->cpus - run) / sight->cpus);
}

/*
 * A single thread runs and the others wait for its lock, even with more CPUs.
 * A thread that has the lock and waits for a CPU no longer waits for the lock.
 */
static bool takes_turns(const struct sw_sight *sight, double ran)
{
	double wanted = known(sight->cores) + known(sight->cpu_waits);

	return sight->has_waits && sight->in_turn >= 2 && sight->cpus >= 2 &&
	       wanted >= SW_ONE_CPU_LOW && sight->cores <= SW_ONE_CPU_HIGH &&
	       wanted < SW_TWO_CPUS_LOW && ran >= ALWAYS &&
	       sight->lock_threads >=
		       OTHERS * (sight->in_turn - fmax(wanted, 1));
}

/* The CPU time does not fit on one CPU less, whatever the affinity is. */
static bool may_use_all(const struct sw_sight *sight)
{
	return sight->knows_bound ||
	       sight->cores >= ceil(sight->cpus) - 1 + ANOTHER_CPU;
}

/*
 * Return the part of the time ran that neighbors took.  Threads that take turns
 * at a lock want a CPU when they get the lock, while the previous owner still
 * runs: neighbors can only have taken a CPU when none of these threads ran.
 */
static double neighbors_of(const struct sw_sight *sight, double ran,
			   bool is_in_turn)
{
	double run = known(sight->cores), wait = known(sight->cpu_waits);
	/* CPUs that it would have used, had it been alone */
	double could = fmin(run + wait, sight->cpus);
	double took = 0;

	/* If no thread waits for a CPU, nobody took one; and neighbors had no
	 * more of the step's CPUs than it left idle. */
	if (!(wait > 0))
		return 0;
	if (run + wait <= CROWDED * sight->cpus)
		took = ran * fmin(wait, fmax(sight->cpus - run, 0)) /
		       (run + wait);
	else if (may_use_all(sight) && run < MOSTLY * could)
		took = ran * (could - run) / could;
	else if (!may_use_all(sight) && run < MOSTLY)
		/* At least one CPU is available to them. */
		took = ran * (1 - run);
	return is_in_turn ? fmin(took, fmax(ran - run, 0)) : took;
}

/* Attribute parts of the CPU share to a quota or to neighbors. */
static void share_held_back(const struct sw_sight *sight, double ran,
			    double share[SW_LIMITS])
{
	bool is_in_turn = takes_turns(sight, ran);
	enum sw_limit rest = is_in_turn ? SW_LIMIT_TURNS : SW_LIMIT_CPU;

	share[SW_LIMIT_QUOTA] = ran * share_of(sight->throttled);
	ran -= share[SW_LIMIT_QUOTA];
	share[SW_LIMIT_NEIGHBORS] = neighbors_of(sight, ran, is_in_turn);
	share[rest] = ran - share[SW_LIMIT_NEIGHBORS];
}

static void move(double part, enum sw_limit from, enum sw_limit to,
		 double share[SW_LIMITS])
{
	share[from] -= part;
	share[to] += part;
}

/*
 * Apply pressure (PSI) where it is above the sampled share: samples may hit a
 * job that reads for most of each second only while it computes.
 */
static void share_pressure(double full, enum sw_limit to,
			   const enum sw_limit *from, size_t count,
			   double share[SW_LIMITS])
{
	double more = share_of(full) - share[to], part;
	size_t i;

	for (i = 0; more > 0 && i < count; i++) {
		part = fmin(more, share[from[i]]);
		move(part, from[i], to, share);
		more -= part;
	}
}

/*
 * Count reading back of evicted pages as memory even if it is not memory
 * pressure: most of the wait is in readahead, and the rest is kernel CPU time.
 * I/O pressure does not contain waits for file systems without a disk.
 */
static void share_reread(const struct sw_sight *sight,
			 double share[SW_LIMITS])
{
	double cores = known(sight->cores);
	double kernel = fmin(known(sight->refaults) * REFAULT_SEC, cores);

	move(share_of(sight->reread) *
		     fmin(share[SW_LIMIT_IO], share_of(sight->io_full)),
	     SW_LIMIT_IO, SW_LIMIT_MEMORY, share);
	if (cores > 0)
		move(share[SW_LIMIT_CPU] * kernel / cores, SW_LIMIT_CPU,
		     SW_LIMIT_MEMORY, share);
}

void sw_limits_blame_link(double idle[SW_LIMIT_WAITS])
{
	idle[SW_LIMIT_LINK] = fmax(idle[SW_LIMIT_SOCKET],
				   idle[SW_LIMIT_POLL]);
	idle[SW_LIMIT_SOCKET] = idle[SW_LIMIT_POLL] = 0;
}

void sw_limits_share(const struct sw_sight *sight, double share[SW_LIMITS])
{
	static const enum sw_limit untold[] = { SW_LIMIT_UNSEEN,
						SW_LIMIT_CHILD,
						SW_LIMIT_SIGNAL };
	static const enum sw_limit memory[] = { SW_LIMIT_IO, SW_LIMIT_OTHER,
						SW_LIMIT_UNSEEN, SW_LIMIT_CPU };
	double idle, beside = 0, gpu = share_of(sight->gpu);
	int i;

	memset(share, 0, SW_LIMITS * sizeof(share[0]));
	if (isnan(sight->cores))
		return;
	idle = idle_of(sight);
	share[SW_LIMIT_UNSEEN] = idle;
	if (sight->has_waits)
		share_idle(sight, idle, share);
	share_pressure(sight->io_full, SW_LIMIT_IO, untold, 3, share);
	if (sight->has_waits)
		beside = (1 - idle) * io_beside(sight, idle);
	share[SW_LIMIT_IO] += beside;
	share_held_back(sight, 1 - idle - beside, share);
	share_pressure(sight->memory_full, SW_LIMIT_MEMORY, memory, 4, share);
	share_reread(sight, share);
	for (i = 0; i < SW_LIMITS; i++)
		share[i] *= 1 - gpu;
	share[SW_LIMIT_GPU] = gpu;
}

void sw_limits_spread(double usec[SW_LIMITS])
{
	double told = 0, untold = usec[SW_LIMIT_SIGNAL] +
				  usec[SW_LIMIT_CHILD] + usec[SW_LIMIT_UNSEEN];
	int i;

	for (i = 0; i < SW_LIMIT_SIGNAL; i++)
		told += usec[i];
	if (told <= 0 || told * SEEN_PART < untold)
		return;
	for (i = 0; i < SW_LIMIT_SIGNAL; i++)
		usec[i] *= 1 + untold / told;
	usec[SW_LIMIT_SIGNAL] = usec[SW_LIMIT_CHILD] = 0;
	usec[SW_LIMIT_UNSEEN] = 0;
}
