/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Placement of a step's tasks and memory on the parts of the node. */
#ifndef SW_ANALYZER_PLACEMENT_H
#define SW_ANALYZER_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cpus.h"
#include "common/error.h"
#include "profiles/reader.h"

/* A hardware thread of the node; SW_MISSING: unknown, or none. */
struct sw_place_pu {
	uint64_t pu, core, l3, numa, package;
};

/* Levels of the topology above a hardware thread. */
enum sw_place_part { SW_PART_CORE, SW_PART_L3, SW_PART_NUMA, SW_PART_PACKAGE };

/*
 * A task and its last binding.  Values count from that binding on: a program is
 * bound by its launcher before it starts.
 */
struct sw_place_task {
	uint64_t subject;	/* in rows of samples */
	uint64_t rank;		/* SW_MISSING for the command */
	struct sw_cpus cpus;	/* empty: list too long to be recorded */
	char cpus_text[256];
	uint64_t since_usec;	/* time of the binding */
	uint64_t seen_usec;	/* from its first sample to the last */
	uint64_t cpu_usec, run_queue_wait_usec, migrations;
	uint64_t threads;	/* maximum */
	uint64_t last_cpu;
	uint64_t changes;	/* changes of the binding */
};

/* A NUMA node, and the step's memory there at its overall maximum. */
struct sw_place_memory {
	uint64_t numa;
	uint64_t anon_bytes, file_bytes;
};

struct sw_placement {
	const char *source;	/* of the topology; NULL: none */
	const char *digest;
	const char *cpu_model;	/* NULL: unknown */
	struct sw_place_pu *pus;	/* sorted by number */
	size_t pu_count;
	struct sw_place_task *tasks;
	size_t task_count;
	bool has_step_cpus;
	struct sw_cpus step_cpus;	/* allowed by the step's cgroup */
	/*
	 * CPUs that its runnable threads could use, together, if at most
	 * samples there were more threads than CPUs; 0: no, or unknown.
	 */
	uint64_t crowded_cpus;
	bool knows_bound;	/* runnable threads were sampled */
	struct sw_place_memory *memory;
	size_t memory_count;
};

/* Return 0, or -1 (ENOMEM); free with sw_placement_fini() in both cases. */
int sw_placement_init(struct sw_placement *placement,
		      const struct sw_reader *reader, uint64_t step_key);
void sw_placement_fini(struct sw_placement *placement);

/* Parts that the CPUs belong to; empty if unknown for any of them. */
void sw_place_parts(const struct sw_placement *placement,
		    const struct sw_cpus *cpus, enum sw_place_part part,
		    struct sw_cpus *parts);

/* Number of parts of a kind on the node; 0 if unknown. */
size_t sw_place_count(const struct sw_placement *placement,
		      enum sw_place_part part);

/*
 * Parts that the CPUs belong to, by hwloc's names: "Package L#0", "NUMANode
 * P#0", "L3Cache L#0-3", "Core L#0-31", "PU P#0-31".  Write the i-th of
 * SW_PLACE_NAMES, or "" if unknown, to buf.
 */
enum { SW_PLACE_NAMES = 5 };
char *sw_place_name(char *buf, size_t size,
		    const struct sw_placement *placement,
		    const struct sw_cpus *cpus, size_t i);

/* CPU seconds per second since the binding; NAN if unknown. */
double sw_place_rate(const struct sw_place_task *task);

#endif
