/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of several steps: those of one name become one. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/job/view_sum_internal.h"

/* How a number of two lots of processes becomes that of both. */
enum how { ADD, MAX, SAME };

static const struct {
	size_t offset;
	enum how how;
} fields[] = {
#define FIELD(member, how) { offsetof(struct sw_view_program, member), how }
	FIELD(started, ADD),
	FIELD(ended, ADD),
	FIELD(running, ADD),
	FIELD(unseen_ends, ADD),
	FIELD(cpu_usec, ADD),
	FIELD(user_usec, ADD),
	FIELD(system_usec, ADD),
	FIELD(peak_bytes, MAX),
	FIELD(peak_anon_bytes, MAX),
	FIELD(read_bytes, ADD),
	FIELD(written_bytes, ADD),
	FIELD(call_read_bytes, ADD),
	FIELD(call_written_bytes, ADD),
	FIELD(io_wait_usec, ADD),
	FIELD(run_queue_wait_usec, ADD),
	/* Of quantiles only those that agree say anything of both. */
	FIELD(elapsed_p50_usec, SAME),
	FIELD(elapsed_p95_usec, SAME),
	FIELD(elapsed_max_usec, MAX),
	FIELD(exited_ok, ADD),
	FIELD(exited_nonzero, ADD),
	FIELD(killed, ADD),
	FIELD(oom_killed, ADD),
	FIELD(last_exit_status, SAME),
	FIELD(last_signal, SAME),
	FIELD(last_end_usec, MAX),
	FIELD(signal_kill, ADD),
	FIELD(signal_segv, ADD),
	FIELD(signal_abrt, ADD),
	FIELD(signal_term, ADD),
	FIELD(signal_other, ADD),
#undef FIELD
};

static uint64_t *number_of(struct sw_view_program *program, size_t i)
{
	return (uint64_t *)(void *)((char *)program + fields[i].offset);
}

static void add_program(struct sw_view_program *sum,
			struct sw_view_program program)
{
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		uint64_t *to = number_of(sum, i),
			 value = *number_of(&program, i);

		if (fields[i].how == MAX)
			*to = sw_max_u64(*to, value);
		else if (fields[i].how == SAME)
			*to = *to == value ? value : SW_MISSING;
		else if (sw_is_missing(*to) || sw_is_missing(value))
			*to = sw_max_u64(*to, value);
		else
			*to = sw_add_u64(*to, value);
	}
	sum->is_complete &= program.is_complete;
	sum->is_peak_sampled |= program.is_peak_sampled;
}

static int compare_programs(const void *a, const void *b)
{
	const struct sw_view_program *one = a, *two = b;

	return strcmp(one->name ? one->name : "", two->name ? two->name : "");
}

int sw_view_sum_programs(struct sw_view *total,
			 const struct sw_view *const *view, size_t count)
{
	size_t i, j, used = 0, kept = 0;

	for (i = 0; i < count; i++)
		used += view[i]->program_count;
	if (!used)
		return 0;
	total->programs = calloc(used, sizeof(*total->programs));
	if (!total->programs)
		return -1;
	for (i = 0, used = 0; i < count; i++) {
		for (j = 0; j < view[i]->program_count; j++)
			total->programs[used++] = view[i]->programs[j];
	}
	qsort(total->programs, used, sizeof(*total->programs),
	      compare_programs);
	for (i = 0; i < used; i++) {
		if (kept && !compare_programs(&total->programs[kept - 1],
					      &total->programs[i]))
			add_program(&total->programs[kept - 1],
				    total->programs[i]);
		else
			total->programs[kept++] = total->programs[i];
	}
	total->program_count = kept;
	sw_view_sort_programs(total);
	return 0;
}
