/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trail of each group: some runs of each earlier night, so that nights can
 * be told apart.  (The merged nights have only the newest runs.)
 */
#ifndef SW_ANALYZER_SWEEP_NIGHT_TRAIL_H
#define SW_ANALYZER_SWEEP_NIGHT_TRAIL_H

#include "analyzer/sweep/night/night.h"

/* Of a night and group, drawn from its newest runs: 112 in two weeks. */
enum { SW_TRAIL_RUNS = 8 };

struct sw_trail_run {
	uint64_t night_seconds; /* midnight before */
	struct sw_sample_run run;
};

struct sw_trail {
	struct sw_keyed_entry entry; /* key of the tally */
	struct sw_trail_run *runs;
	size_t count;
	char key[];
};

/*
 * Add an earlier night's runs of the groups that are in this night, too; the
 * nights come in any order.  Return 0, or -1 (errno ENOMEM).
 */
int sw_trails_add(struct sw_keyed *trails, const struct sw_night *earlier,
		  const struct sw_night *night);

/* Sort all trails, oldest first. */
void sw_trails_settle(struct sw_keyed *trails);

/* Return NULL if there are no earlier runs. */
const struct sw_trail *sw_trail_find(const struct sw_keyed *trails,
				     const struct sw_tally *tally);

void sw_trails_fini(struct sw_keyed *trails);

#endif
