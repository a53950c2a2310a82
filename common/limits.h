/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What limited a step, as an account of its time: of each moment the one
 * resource without which it could not go on.  Pure: from what was seen of an
 * interval to shares of it.
 */
#ifndef SW_COMMON_LIMITS_H
#define SW_COMMON_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Of waits at the same time the first one counts: who waits for a lock, a pipe
 * or a child waits for another process or thread, which waits in turn.
 */
enum sw_limit {
	SW_LIMIT_IO,		/* a file system, or a block device */
	SW_LIMIT_MEMORY,	/* the kernel made room, or read back */
	SW_LIMIT_LINK,		/* a peer, while the step filled the link */
	SW_LIMIT_SOCKET,	/* a peer */
	SW_LIMIT_TERMINAL,	/* somebody to type */
	SW_LIMIT_STOPPED,	/* by a signal, a debugger, the freezer */
	SW_LIMIT_OTHER,
	SW_LIMIT_POLL,		/* one of several things */
	SW_LIMIT_SLEEP,		/* a time */
	SW_LIMIT_LOCK,
	SW_LIMIT_PIPE,
	SW_LIMIT_SIGNAL,	/* most often that a process has ended */
	SW_LIMIT_CHILD,		/* the end of a process */
	SW_LIMIT_UNSEEN,	/* it did not run; why was not seen */
	SW_LIMIT_WAITS,		/* so many: what is above */
	SW_LIMIT_CPU = SW_LIMIT_WAITS,	/* it ran */
	SW_LIMIT_QUOTA,		/* its CPU quota was used up */
	SW_LIMIT_NEIGHBORS,	/* others ran on its CPUs */
	SW_LIMIT_GPU,
	SW_LIMIT_TURNS,		/* one thread ran, others waited for its lock */
	SW_LIMITS
};

/* The resources that limits count to, by the names of JSON and of columns. */
#define SW_LIMITED_BY_EACH(X) \
	X(CPU, "cpu") \
	X(IO, "io") \
	X(MEMORY, "memory") \
	X(NETWORK, "network") \
	X(LOCK, "lock") \
	X(GPU, "gpu") \
	X(NODE, "node")		/* others on its CPUs */ \
	X(WAITING, "waiting")

#define SW_LIMITED_BY_ENUM(NAME, name) SW_LIMITED_BY_##NAME,
enum sw_limited_by {
	SW_LIMITED_BY_EACH(SW_LIMITED_BY_ENUM)
	SW_LIMITED_BY_RESOURCES,
	SW_LIMITED_BY_NONE = SW_LIMITED_BY_RESOURCES	/* by no single one */
};

/* What was seen of an interval; NAN: not known. */
struct sw_sight {
	double cores;		/* CPUs in use */
	double cpu_waits;	/* threads that could run and did not */
	double cpus;		/* that it may use */
	bool knows_bound;	/* which of them its threads may, too */
	double throttled;	/* periods of its quota in which it ran out,
				 * as a share */
	double gpu;		/* share of the time that its busiest GPU was
				 * busy */
	double io_full, memory_full;	/* PSI: shares of the time */
	double reread;		/* share of what was read from disks that had
				 * been in memory, and was evicted */
	double refaults;	/* pages per second that were read back */
	bool has_waits;		/* the rest is known */
	/* Share of the time in which nothing of the step ran, and a thread
	 * waited for it. */
	double idle[SW_LIMIT_WAITS];
	double io_threads;	/* that waited for I/O, on average */
	double lock_threads;	/* that waited for a lock */
	double in_turn;		/* threads that take turns; 0: not known */
};

/* A link is full where so much of its speed is used, either way. */
#define SW_LINK_FULL_RATIO 0.8

/* Who waits for a peer over a full link waits for the link. */
void sw_limits_blame_link(double idle[SW_LIMIT_WAITS]);

/* The shares of the interval; their sum is 1, or 0 where nothing is known. */
void sw_limits_share(const struct sw_sight *sight, double share[SW_LIMITS]);

/*
 * Of sums: why a child or a signal was waited for, or nothing ran, when no look
 * told: for the same things as when one did, unless these are too few to
 * speak for them.
 */
void sw_limits_spread(double usec[SW_LIMITS]);

/* The resource that a limit counts to, and what that is called; "none". */
enum sw_limited_by sw_limit_resource(enum sw_limit limit);
const char *sw_limited_by_name(enum sw_limited_by resource);

/* Sums by limit as sums by resource; missing, all of them, if one is. */
void sw_limits_by_resource(const uint64_t usec[SW_LIMITS],
			   uint64_t sums[SW_LIMITED_BY_RESOURCES]);

/* "cpu", "cpu_quota", "peer", "sleep": what it is called in JSON. */
const char *sw_limit_name(enum sw_limit limit);

/* The limit by the recorder's name of a wait; SW_LIMIT_OTHER: not known. */
enum sw_limit sw_limit_of_wait(const char *kind);

#endif
