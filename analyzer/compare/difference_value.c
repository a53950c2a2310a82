/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The number of a run that a difference is of. */
#include <math.h>

#include "analyzer/compare/compare_internal.h"
#include "common/missing.h"

static double run_failed(const struct sw_fingerprint *run)
{
	if (run->state == SW_RUN_UNKNOWN || run->state == SW_RUN_CANCELLED)
		return NAN;
	return !sw_fingerprint_teaches(run);
}

static double program_lacks(const struct sw_fingerprint *run, const char *name)
{
	if (sw_fingerprint_find(run, name))
		return 0;
	return sw_fingerprint_lacks(run, name) ? 1 : NAN;
}

static double program_failed(const struct sw_fingerprint *run,
			     const char *name)
{
	const struct sw_fingerprint_program *program =
		sw_fingerprint_find(run, name);

	if (!program)
		return NAN;
	if (sw_fingerprint_failures(program) > 0)
		return 1;
	return run->is_complete ? 0 : NAN;
}

/* Failed runs tell nothing of amounts. */
static double amount_of(const struct sw_fingerprint *run,
			const struct sw_difference *difference)
{
	const struct sw_fingerprint_program *program;

	if (!sw_fingerprint_teaches(run))
		return NAN;
	if (difference->program) {
		program = sw_fingerprint_find(run, difference->program);
		return program ? sw_real_u64(
					 program->amount[difference->amount])
			       : NAN;
	}
	return sw_step_amount_of(run,
				 (enum sw_step_amount)difference->amount);
}

double sw_difference_value(const struct sw_fingerprint *run,
			   const struct sw_difference *difference)
{
	if (difference->kind == SW_DIFFERS_STATE)
		return run_failed(run);
	if (difference->kind == SW_DIFFERS_ABSENT)
		return program_lacks(run, difference->program);
	if (difference->kind == SW_DIFFERS_RATE)
		return program_failed(run, difference->program);
	return amount_of(run, difference);
}
