/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resources used by the processes of a tree in total. */
#include "recorder/processes/totals.h"

#include "common/delta.h"
#include "recorder/processes/reaped.h"

/* Value before anything has been read. */
const struct sw_totals sw_totals_missing = {
	.user_usec = SW_MISSING,
	.system_usec = SW_MISSING,
	.minflt = SW_MISSING,
	.majflt = SW_MISSING,
	.io = {
		SW_MISSING, SW_MISSING, SW_MISSING, SW_MISSING, SW_MISSING,
		SW_MISSING, SW_MISSING,
	},
	.voluntary_switches = SW_MISSING,
	.nonvoluntary_switches = SW_MISSING,
	.run_queue_wait_usec = SW_MISSING,
};

static uint64_t since(uint64_t value, uint64_t start)
{
	return sw_is_missing(value) || sw_is_missing(start) ?
		       SW_MISSING : sw_excess_u64(value, start);
}

void sw_totals_reap(struct sw_totals *sum, const struct sw_reaped *reaped,
		    const struct sw_reaped *start)
{
	size_t i;

	sum->user_usec = since(reaped->user_usec, start->user_usec);
	sum->system_usec = since(reaped->system_usec, start->system_usec);
	sum->minflt = since(reaped->minflt, start->minflt);
	sum->majflt = since(reaped->majflt, start->majflt);
	for (i = 0; i < SW_IO_COUNT; i++)
		sum->io[i] = since(reaped->io[i], start->io[i]);
}

void sw_totals_add(struct sw_totals *sum, const struct sw_process *process)
{
	size_t i;

	sum->user_usec = sw_sum_u64(sum->user_usec, process->user_usec +
			      process->waited_user_usec);
	sum->system_usec = sw_sum_u64(sum->system_usec, process->system_usec +
				process->waited_system_usec);
	sum->minflt = sw_sum_u64(sum->minflt, process->minflt);
	sum->majflt = sw_sum_u64(sum->majflt, process->majflt);
	for (i = 0; i < SW_IO_COUNT; i++)
		sum->io[i] = sw_sum_u64(sum->io[i], process->io[i]);
	sum->voluntary_switches = sw_sum_u64(sum->voluntary_switches,
				       process->voluntary_switches);
	sum->nonvoluntary_switches = sw_sum_u64(sum->nonvoluntary_switches,
					  process->nonvoluntary_switches);
}

static void raise(uint64_t *total, uint64_t value)
{
	*total = sw_max_u64(*total, value);
}

void sw_totals_raise(struct sw_totals *totals, const struct sw_totals *sum)
{
	size_t i;

	raise(&totals->user_usec, sum->user_usec);
	raise(&totals->system_usec, sum->system_usec);
	raise(&totals->minflt, sum->minflt);
	raise(&totals->majflt, sum->majflt);
	for (i = 0; i < SW_IO_COUNT; i++)
		raise(&totals->io[i], sum->io[i]);
	raise(&totals->voluntary_switches, sum->voluntary_switches);
	raise(&totals->nonvoluntary_switches, sum->nonvoluntary_switches);
}
