/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shift by which the runs of a course got worse since a night. */
#ifndef SW_ANALYZER_SWEEP_WORSE_SHIFT_H
#define SW_ANALYZER_SWEEP_WORSE_SHIFT_H

#include "analyzer/sweep/worse/course.h"

enum { SW_SHIFT_NAMED = 3 };

struct sw_shift {
	/* Largest consequence first; count 0: nothing got worse. */
	struct sw_difference worse[SW_SHIFT_NAMED];
	size_t count;
	size_t first; /* index of the first run since then */
	/* Probability under chance, corrected for what was compared here. */
	double p;
	struct sw_difference
		environment[SW_DIFFERS_KINDS - SW_DIFFERS_CPUS];
	size_t environment_count;
	bool is_of_mount; /* it waits longer for its mount */
};

/*
 * Find what got worse, and since which night; is_evaluated: there were enough
 * runs for it.  Texts are those of the course.  Return 0, or -1 (errno ENOMEM).
 */
int sw_shift_find(struct sw_shift *shift, const struct sw_course *course,
		  bool *is_evaluated);

#endif
