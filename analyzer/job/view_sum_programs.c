/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merge the programs of several steps by name. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/job/view_sum_internal.h"

static int compare_programs(const void *a, const void *b)
{
	const struct sw_view_program *one = a, *two = b;

	return strcmp(sw_text(one->name), sw_text(two->name));
}

static void add(struct sw_view_program *to, const struct sw_view_program *from)
{
	sw_fields_add(to, sw_program_fields, from);
	sw_exit_counts_merge(&to->exits, &from->exits);
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
			add(&total->programs[kept - 1], &total->programs[i]);
		else
			total->programs[kept++] = total->programs[i];
	}
	total->program_count = kept;
	sw_view_sort_programs(total);
	return 0;
}
