/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classify what limited a step: attribute each moment of its time to the one
 * resource without which the step could not go on.  Pure: computes shares of an
 * interval from what was observed in it.
 */
#ifndef SW_COMMON_LIMITS_H
#define SW_COMMON_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * For simultaneous waits the first one in this order counts: a thread that
 * waits for a lock, a pipe or a child waits for another process or thread,
 * which itself waits.
 */
enum sw_limit {
	SW_LIMIT_IO,		/* a file system, or a block device */
	SW_LIMIT_MEMORY,	/* the kernel made room, or read back */
	SW_LIMIT_LINK,		/* a peer, while the step filled the link */
	SW_LIMIT_SOCKET,	/* a peer */
	SW_LIMIT_TERMINAL,	/* input from a user */
	SW_LIMIT_STOPPED,	/* by a signal, a debugger or the freezer */
	SW_LIMIT_OTHER,
	SW_LIMIT_POLL,		/* one of several events */
	SW_LIMIT_SLEEP,		/* a timer */
	SW_LIMIT_LOCK,
	SW_LIMIT_PIPE,
	SW_LIMIT_SIGNAL,	/* mostly the end of a process */
	SW_LIMIT_CHILD,		/* the end of a process */
	SW_LIMIT_UNSEEN,	/* did not run, cause not seen */
	SW_LIMIT_WAITS,		/* number of waits above */
	SW_LIMIT_CPU = SW_LIMIT_WAITS,	/* it ran */
	SW_LIMIT_QUOTA,		/* its CPU quota was used up */
	SW_LIMIT_NEIGHBORS,	/* others ran on its CPUs */
	SW_LIMIT_GPU,
	SW_LIMIT_TURNS,		/* one thread ran, others waited for its lock */
	SW_LIMITS
};

/* Resources that limits count to, by their names in JSON and in columns */
#define SW_LIMITED_BY_EACH(X) \
	X(CPU, "cpu") \
	X(IO, "io") \
	X(MEMORY, "memory") \
	X(NETWORK, "network") \
	X(LOCK, "lock") \
	X(GPU, "gpu") \
	X(NODE, "node")		/* other processes on its CPUs */ \
	X(WAITING, "waiting")

#define SW_LIMITED_BY_ENUM(NAME, name) SW_LIMITED_BY_##NAME,
enum sw_limited_by {
	SW_LIMITED_BY_EACH(SW_LIMITED_BY_ENUM)
	SW_LIMITED_BY_RESOURCES,
	SW_LIMITED_BY_NONE = SW_LIMITED_BY_RESOURCES	/* no single one */
};

/* Observations of an interval; NAN: unknown */
struct sw_sight {
	double cores;		/* CPUs in use */
	double cpu_waits;	/* runnable threads that were not running */
	double cpus;		/* available to the step */
	bool knows_bound;	/* its threads' affinity is known */
	double throttled;	/* share of its quota's periods that were
				 * throttled */
	double gpu;		/* share of the time that its busiest GPU was
				 * busy */
	double io_full, memory_full;	/* PSI: shares of the time */
	double reread;		/* share of the bytes read from disk that had
				 * been evicted from memory */
	double refaults;	/* refaults, pages per second */
	bool has_waits;		/* the members below are known */
	/* Share of the time in which no thread of the step ran and at least one
	 * waited for this. */
	double idle[SW_LIMIT_WAITS];
	double io_threads;	/* waiting for I/O, on average */
	double lock_threads;	/* waiting for a lock */
	double in_turn;		/* threads that take turns; 0: unknown */
};

/* A link counts as full from this share of its speed, in either direction. */
#define SW_LINK_FULL_RATIO 0.8

/* Count waits for a peer as waits for the full link. */
void sw_limits_blame_link(double idle[SW_LIMIT_WAITS]);

/* Compute the shares of the interval; their sum is 1, or 0 if nothing is
 * known. */
void sw_limits_share(const struct sw_sight *sight, double share[SW_LIMITS]);

/*
 * Distribute the times of waits for a child or a signal, and of idle time with
 * unseen cause, over the waits whose cause was seen, unless those are too few
 * to be representative.
 */
void sw_limits_spread(double usec[SW_LIMITS]);

/* Return the resource that a limit counts to, and its name ("none"). */
enum sw_limited_by sw_limit_resource(enum sw_limit limit);
const char *sw_limited_by_name(enum sw_limited_by resource);

/* Sum times by limit into times by resource; all are missing if one is. */
void sw_limits_by_resource(const uint64_t usec[SW_LIMITS],
			   uint64_t sums[SW_LIMITED_BY_RESOURCES]);

/* Return the name in JSON: "cpu", "cpu_quota", "peer", "sleep". */
const char *sw_limit_name(enum sw_limit limit);

/* Find the limit by the recorder's name of a wait; SW_LIMIT_OTHER: unknown. */
enum sw_limit sw_limit_of_wait(const char *kind);

#endif
