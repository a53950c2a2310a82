/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Count processes by exit status and signal. */
#include "common/exit_counts.h"

#include "common/missing.h"

static unsigned find(const struct sw_exit_counts *counts, unsigned kind)
{
	unsigned i;

	for (i = 0; i < counts->count && counts->kind[i] != kind; i++)
		;
	return i;
}

unsigned sw_exit_counts_add(struct sw_exit_counts *counts, unsigned kind,
			    uint64_t processes)
{
	unsigned i = kind < SW_EXIT_KINDS ? find(counts, kind)
					  : SW_EXIT_KINDS_MAX;

	if (i == SW_EXIT_KINDS_MAX) {
		counts->other = sw_sum_u64(counts->other, processes);
		return i;
	}
	if (i == counts->count) {
		counts->kind[i] = (uint16_t)kind;
		counts->processes[i] = 0;
		counts->count++;
	}
	counts->processes[i] = sw_sum_u64(counts->processes[i], processes);
	return i;
}

void sw_exit_counts_raise(struct sw_exit_counts *counts, unsigned kind,
			  uint64_t processes)
{
	uint64_t before = kind < SW_EXIT_KINDS ? sw_exit_counts_of(counts, kind)
					       : counts->other;

	if (processes > before)
		sw_exit_counts_add(counts, kind, processes - before);
}

void sw_exit_counts_merge(struct sw_exit_counts *counts,
			  const struct sw_exit_counts *more)
{
	unsigned i;

	for (i = 0; i < more->count; i++)
		sw_exit_counts_add(counts, more->kind[i], more->processes[i]);
	counts->other = sw_sum_u64(counts->other, more->other);
}

uint64_t sw_exit_counts_of(const struct sw_exit_counts *counts, unsigned kind)
{
	unsigned i = find(counts, kind);

	return i < counts->count ? counts->processes[i] : 0;
}
