/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_steady LINES STATUS: writes LINES lines to its standard output, one each
 * 10 ms and each by one write(2), and exits with STATUS.
 *
 * Truth: the lines themselves, all of one length.  Each holds its number from
 * 1, CLOCK_BOOTTIME and the CPU time so far, both in microseconds and taken
 * just before it is written.  What was written until then is the lines above.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "truth.h"
#include "work.h"

static const uint64_t PERIOD_USEC = 10000;

static uint64_t lines, status;

static const struct truth_option positionals[] = {
	{ .name = "LINES", .help = "how many",
	  .kind = TRUTH_U64, .value = &lines },
	{ .name = "STATUS", .help = "what to exit with",
	  .kind = TRUTH_U64, .value = &status },
	{ .name = NULL },
};

static const struct truth_option options[] = {
	{ .name = NULL },
};

static const struct truth_spec spec = {
	.summary = "Writes a line each 10 ms.",
	.positionals = positionals,
	.required_count = 2,
	.options = options,
};

int main(int argc, char **argv)
{
	char line[64];
	uint64_t i;
	int length;

	(void)argc;
	truth_begin(argv, &spec);
	for (i = 1; i <= lines; i++) {
		length = snprintf(line, sizeof(line),
				  "%08" PRIu64 " %016" PRIu64 " %012" PRIu64
				  "\n", i, work_clock_usec(CLOCK_BOOTTIME),
				  work_clock_usec(CLOCK_PROCESS_CPUTIME_ID));
		if (write(STDOUT_FILENO, line, (size_t)length) != length)
			truth_die("standard output");
		work_sleep_usec(PERIOD_USEC);
	}
	return (int)status;
}
