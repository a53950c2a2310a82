/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of runs of an invented pipeline, drawn by a seed, and runs that differ
 * from them in one planted way.
 */
#ifndef TEST_UNIT_GROUP_KIT_H
#define TEST_UNIT_GROUP_KIT_H

#include "analyzer/compare/compare.h"

enum { KIT_PAST_MAX = 48, KIT_STAGES_MAX = 7 };

/* What is known of the sizes of inputs, and how they vary. */
enum kit_inputs { KIT_ALIKE, KIT_KNOWN, KIT_UNKNOWN, KIT_INPUTS };

struct kit_stage {
	char name[SW_FINGERPRINT_NAME];
	double cpu, read, written, elapsed; /* per GB of input */
	double power;			    /* of the input */
};

struct kit_group {
	uint64_t random;
	enum kit_inputs inputs;
	double noise; /* standard deviation of logarithms */
	struct kit_stage stages[KIT_STAGES_MAX];
	size_t stage_count;
	double cpus, memory, mount_share, grep_share;
	unsigned sleeps; /* about so many, of a polling loop */
	unsigned workers;
	bool has_two_kinds; /* of nodes, the second one slower */
	struct sw_fingerprint past[KIT_PAST_MAX];
	const struct sw_fingerprint *list[KIT_PAST_MAX];
	size_t past_count;
};

/* From 0 to 1. */
double kit_random(uint64_t *random);

void kit_group_draw(struct kit_group *group, uint64_t seed,
		    enum kit_inputs inputs);
void kit_run_draw(struct kit_group *group, struct sw_fingerprint *run);

/* A way to differ, and what must be named first. */
struct kit_plant {
	const char *name;
	void (*plant)(struct kit_group *group, struct sw_fingerprint *run);
	enum sw_difference_kind kinds[4]; /* any of them */
	/* "": any; "main" and "middle" are stages. */
	const char *program;
	/* With it in the environment; SW_DIFFERS_KINDS: nothing. */
	enum sw_difference_kind beside;
};

enum { KIT_PLANTS = 24 };
extern const struct kit_plant kit_plants[KIT_PLANTS];

/* Is this way the first that the comparison names? */
bool kit_is_named(const struct kit_group *group, const struct kit_plant *plant,
		  const struct sw_comparison *comparison);

/* The program of this name, to be changed. */
struct sw_fingerprint_program *kit_program(struct sw_fingerprint *run,
					   const char *name);

#endif
