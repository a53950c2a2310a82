/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the numbers of a run. */
#include "analyzer/compare/fingerprint_run.h"

#include <math.h>

#include "common/missing.h"
#include "common/units.h"

enum { MILLI = 1000 };

static uint64_t whole(double value, double unit)
{
	return isnan(value) ? SW_MISSING : sw_whole_real(value * unit);
}

void sw_fingerprint_of_run(struct sw_fingerprint *print,
			   const struct sw_run *run)
{
	sw_fingerprint_init(print);
	print->state = run->state;
	if (!isnan(run->exit_code))
		print->exit_code = sw_whole_real(run->exit_code);
	print->need_is_lower_bound = run->is_lower_bound;
	print->input_bytes = whole(run->input_bytes, 1);
	print->amount[SW_STEP_ELAPSED_USEC] =
		whole(run->elapsed_seconds, SW_USEC_PER_SEC);
	print->amount[SW_STEP_CPU_USEC] =
		whole(run->used_core_seconds, SW_USEC_PER_SEC);
	print->amount[SW_STEP_NEED_BYTES] = whole(run->need_bytes, 1);
	print->environment.cpus_milli = whole(run->requested_cores, MILLI);
}
