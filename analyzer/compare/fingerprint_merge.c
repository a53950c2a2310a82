/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Add the programs of steps and nodes up by name. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/compare/fingerprint.h"
#include "common/missing.h"

enum { BOTH = 2 * SW_FINGERPRINT_PROGRAMS };

struct programs {
	struct sw_fingerprint_program items[BOTH];
	size_t count;
};

/* Left out somewhere: no sum of it is known. */
static void forget(struct sw_fingerprint_program *program)
{
	size_t i;

	for (i = 0; i < SW_PROGRAM_AMOUNTS; i++)
		program->amount[i] = SW_MISSING;
	program->exited_ok = SW_MISSING;
}

static void add_program(struct sw_fingerprint_program *to,
			const struct sw_fingerprint_program *from)
{
	size_t i;

	for (i = 0; i < SW_PROGRAM_LONGEST_USEC; i++)
		to->amount[i] = sw_add_u64(to->amount[i], from->amount[i]);
	to->amount[i] = sw_max_u64(to->amount[i], from->amount[i]);
	to->exited_ok = sw_add_u64(to->exited_ok, from->exited_ok);
	if (sw_is_missing(to->amount[SW_PROGRAM_COUNT]))
		forget(to);
	for (i = 0; i < from->exits.count; i++)
		sw_fingerprint_add_exit(to,
					from->exits.kind[i] >= SW_EXIT_SIGNAL,
					from->exits.kind[i] % SW_EXIT_SIGNAL,
					from->exits.processes[i]);
}

static struct sw_fingerprint_program *find(struct programs *programs,
					   const char *name)
{
	size_t i;

	for (i = 0; i < programs->count; i++) {
		if (!strcmp(programs->items[i].name, name))
			return &programs->items[i];
	}
	return NULL;
}

static struct sw_program_worth
worth_of(const struct sw_fingerprint_program *program)
{
	return (struct sw_program_worth){
		program->exits.count > 0,
		program->amount[SW_PROGRAM_CPU_USEC],
		program->name,
	};
}

static int by_worth(const void *a, const void *b)
{
	const struct sw_program_worth one = worth_of(a), two = worth_of(b);

	return sw_program_worth_compare(&one, &two);
}

static void put_back(struct sw_fingerprint *print, struct programs *programs)
{
	size_t kept = programs->count;

	qsort(programs->items, programs->count, sizeof(programs->items[0]),
	      by_worth);
	if (kept > SW_FINGERPRINT_PROGRAMS)
		kept = SW_FINGERPRINT_PROGRAMS;
	memcpy(print->programs, programs->items,
	       kept * sizeof(programs->items[0]));
	print->program_count = kept;
	print->more_programs = sw_add_u64(print->more_programs,
					  programs->count - kept);
}

void sw_fingerprint_add_programs(struct sw_fingerprint *print,
				 const struct sw_fingerprint *more)
{
	struct programs all = { .count = print->program_count };
	struct sw_fingerprint_program *known;
	size_t i;

	memcpy(all.items, print->programs,
	       all.count * sizeof(all.items[0]));
	for (i = 0; more->more_programs && i < all.count; i++) {
		if (!sw_fingerprint_find(more, all.items[i].name))
			forget(&all.items[i]);
	}
	for (i = 0; i < more->program_count; i++) {
		known = find(&all, more->programs[i].name);
		if (known) {
			add_program(known, &more->programs[i]);
			continue;
		}
		known = &all.items[all.count++];
		*known = more->programs[i];
		if (print->more_programs)
			forget(known);
	}
	print->is_complete &= more->is_complete;
	print->more_programs =
		sw_add_u64(print->more_programs, more->more_programs);
	put_back(print, &all);
}
