/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holds a profile of w_steady against what w_steady wrote.  There are no
 * tolerances where the truth leaves none: a row's time is taken right after
 * its values are read, and a line's right before it is written, so that the
 * lines bound what a row may say from both sides.
 */
#ifndef SW_TEST_FAULTS_AGREE_H
#define SW_TEST_FAULTS_AGREE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "profiles/reader.h"

enum { STEADY_LINES_MAX = 4096, WHY_SIZE = 1024 };

/* What w_steady wrote. */
struct truth {
	size_t line_count;
	size_t line_bytes;
	uint64_t time_usec[STEADY_LINES_MAX];
	uint64_t cpu_usec[STEADY_LINES_MAX];
};

/* Parse the output; -1 with why[] where a line is not as it must be. */
int truth_read_lines(struct truth *truth, const char *path, char *why);

/*
 * Every row of the profile agrees with the truth; pid is the command's, 0
 * where it is not known.  -1 with why[] where one does not.
 */
int agrees(const struct sw_reader *reader, const struct truth *truth,
	   pid_t pid, uint64_t period_usec, char *why);

/* The time of the last sample; SW_MISSING where there is none. */
uint64_t last_sample_usec(const struct sw_reader *reader);

#endif
