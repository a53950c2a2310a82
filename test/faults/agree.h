/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compare a profile of w_steady with what w_steady wrote.  There are no
 * tolerances unless the truth leaves some: a row's time is taken right after
 * its values are read, and a line's right before it is written, so that the
 * lines bound the values of a row from both sides.
 */
#ifndef SW_TEST_FAULTS_AGREE_H
#define SW_TEST_FAULTS_AGREE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "profiles/reader.h"

enum { STEADY_LINES_MAX = 4096, WHY_SIZE = 1024 };

/* Output of w_steady. */
struct truth {
	size_t line_count;
	size_t line_bytes;
	uint64_t time_usec[STEADY_LINES_MAX];
	uint64_t cpu_usec[STEADY_LINES_MAX];
};

/* Parse the output; -1 with why[] if a line is malformed. */
int truth_read_lines(struct truth *truth, const char *path, char *why);

/*
 * Check that every row of the profile agrees with the truth; pid is the
 * command's, 0 if unknown.  -1 with why[] if a row does not.
 */
int agrees(const struct sw_reader *reader, const struct truth *truth,
	   pid_t pid, uint64_t period_usec, char *why);

/* Return the time of the last sample; SW_MISSING if there is none. */
uint64_t last_sample_usec(const struct sw_reader *reader);

#endif
