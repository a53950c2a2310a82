/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histories of an invented group in which one thing is wrong, by a seed. */
#ifndef SW_TEST_ORIGIN_PLANTS_H
#define SW_TEST_ORIGIN_PLANTS_H

#include "analyzer/failures/origin.h"

enum { PLANT_ATTEMPTS = 2048, PLANT_TEXT = 24 };

struct plant {
	const char *name;
	enum sw_origin_answer truth;  /* UNTOLD: nothing else is right */
	unsigned things, nodes, days; /* 0 days: an array */
	/* Things that always fail; the last of them is asked about. */
	unsigned bad_things;
	unsigned tries; /* of a thing that fails, at most */
	/* Share of failures on a bad node or kind, or since the change. */
	double node_rate, kind_rate, mount_rate, program_rate;
	double noise;	/* passing failures */
	bool is_sticky; /* a retry gets the node of the attempt before */
	bool has_no_nodes, has_no_things;
	bool is_asked_early;	   /* nothing is known that started later */
	enum sw_run_state request; /* how the failed run ends; 0: FAILED */
	double used;		   /* of the time limit by runs that succeed */
};

struct planted {
	struct sw_origin_attempt attempts[PLANT_ATTEMPTS];
	char texts[PLANT_ATTEMPTS][1 + SW_ORIGIN_PLACES][PLANT_TEXT];
	size_t count, own;
	uint64_t random;
};

extern const struct plant plants[];
extern const size_t plant_count;

/* Return false if nothing failed by what was planted. */
bool plant_draw(struct planted *planted, const struct plant *plant,
		uint64_t seed);

#endif
