/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a step's tasks were allowed to run, on which parts of the node, and
 * where its memory was.
 */
#ifndef SW_ANALYZER_PLACEMENT_H
#define SW_ANALYZER_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cpus.h"
#include "common/error.h"
#include "profiles/reader.h"

/* A hardware thread of the node; SW_MISSING: not known, or none. */
struct sw_place_pu {
	uint64_t pu, core, l3, numa, package;
};

/* A part of the node that hardware threads belong to. */
enum sw_place_part { SW_PART_CORE, SW_PART_L3, SW_PART_NUMA, SW_PART_PACKAGE };

/*
 * A task, and how it was bound in the end.  The numbers are of the time since
 * then: a program is bound before it starts, by what starts it.
 */
struct sw_place_task {
	uint64_t subject;	/* of its rows */
	uint64_t rank;		/* SW_MISSING: it is the command */
	struct sw_cpus cpus;	/* empty: the list was too long to be kept */
	char cpus_text[256];
	uint64_t since_usec;	/* of the binding */
	uint64_t seen_usec;	/* from its first sample on to the last */
	uint64_t cpu_usec, run_queue_wait_usec, migrations;
	uint64_t threads;	/* at most */
	uint64_t last_cpu;
	uint64_t changes;	/* of the binding */
};

/* A NUMA node, and the step's memory there when it had most in all. */
struct sw_place_memory {
	uint64_t numa;
	uint64_t anon_bytes, file_bytes;
};

struct sw_placement {
	const char *source;	/* of the topology; NULL: there is none */
	const char *digest;
	const char *cpu_model;	/* NULL: not known */
	struct sw_place_pu *pus;	/* by number */
	size_t pu_count;
	struct sw_place_task *tasks;
	size_t task_count;
	bool has_step_cpus;
	struct sw_cpus step_cpus;	/* that the step's cgroup allows */
	/*
	 * The CPUs that its runnable threads might use, together, where they
	 * were more than these at most looks; 0: they were not, or not known.
	 */
	uint64_t crowded_cpus;
	bool knows_bound;	/* its runnable threads were looked at */
	struct sw_place_memory *memory;
	size_t memory_count;
};

/* Free with sw_placement_fini(), also after a failure.  0, or -1 (ENOMEM). */
int sw_placement_init(struct sw_placement *placement,
		      const struct sw_reader *reader, uint64_t step_key);
void sw_placement_fini(struct sw_placement *placement);

/* The part that a hardware thread is of; SW_MISSING where it is not known. */
uint64_t sw_place_of(const struct sw_placement *placement, uint64_t pu,
		     enum sw_place_part part);

/* The parts that CPUs are of: empty where it is not known of each. */
void sw_place_parts(const struct sw_placement *placement,
		    const struct sw_cpus *cpus, enum sw_place_part part,
		    struct sw_cpus *parts);

/* How many parts of a kind the node has; 0: not known. */
size_t sw_place_count(const struct sw_placement *placement,
		      enum sw_place_part part);

/*
 * The parts that CPUs are of, by hwloc's names: "Package L#0", "NUMANode P#0",
 * "L3Cache L#0-3", "Core L#0-31", "PU P#0-31".  The i-th into buf, or "" where
 * it is not known; SW_PLACE_NAMES of them.
 */
enum { SW_PLACE_NAMES = 5 };
char *sw_place_name(char *buf, size_t size,
		    const struct sw_placement *placement,
		    const struct sw_cpus *cpus, size_t i);

/* CPU seconds per second since it was bound so; NAN. */
double sw_place_rate(const struct sw_place_task *task);

#endif
