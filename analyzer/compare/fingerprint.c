/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a fingerprint. */
#include "analyzer/compare/fingerprint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/view/answers.h"
#include "common/missing.h"

void sw_fingerprint_init(struct sw_fingerprint *print)
{
	struct sw_fingerprint_environment *around = &print->environment;
	size_t i;

	memset(print, 0, sizeof(*print));
	print->exit_code = print->input_bytes = SW_MISSING;
	sw_set_missing(print->amount, SW_STEP_AMOUNTS);
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		print->limited[i] = NAN;
	around->cpus_milli = around->neighbors_permille = SW_MISSING;
	around->bound_cpus = around->bound_numa = SW_MISSING;
}

void sw_fingerprint_program_init(struct sw_fingerprint_program *program,
				 const char *name)
{
	memset(program, 0, sizeof(*program));
	snprintf(program->name, sizeof(program->name), "%s", name);
	sw_set_missing(program->amount, SW_PROGRAM_AMOUNTS);
	program->started_usec = program->failed_usec = SW_MISSING;
	program->exited_ok = SW_MISSING;
}

static unsigned kind_of(bool is_signal, uint64_t number)
{
	if (number >= (is_signal ? SW_EXIT_KINDS - SW_EXIT_SIGNAL
				 : SW_EXIT_SIGNAL))
		number = SW_EXIT_NUMBER_UNKNOWN;
	return (unsigned)number + (is_signal ? SW_EXIT_SIGNAL : 0);
}

void sw_fingerprint_add_exit(struct sw_fingerprint_program *program,
			     bool is_signal, uint64_t number, uint64_t count)
{
	struct sw_exit_counts *exits = &program->exits;
	unsigned kind = kind_of(is_signal, number);

	if (count == 0 || sw_is_missing(count))
		return;
	/* The last two places are for the ends whose number is unknown. */
	if (exits->count >= SW_EXIT_KINDS_MAX - 2 &&
	    !sw_exit_counts_of(exits, kind))
		kind = kind_of(is_signal, SW_EXIT_NUMBER_UNKNOWN);
	sw_exit_counts_add(exits, kind, count);
}

const struct sw_fingerprint_program *
sw_fingerprint_find(const struct sw_fingerprint *print, const char *name)
{
	size_t i;

	for (i = 0; i < print->program_count; i++) {
		if (!strcmp(print->programs[i].name, name))
			return &print->programs[i];
	}
	return NULL;
}

bool sw_fingerprint_lacks(const struct sw_fingerprint *print, const char *name)
{
	return print->is_complete && print->program_count > 0 &&
	       print->more_programs == 0 && !sw_fingerprint_find(print, name);
}

bool sw_fingerprint_is_answer(const struct sw_fingerprint_program *program,
			      unsigned kind)
{
	const struct sw_exit_counts *exits = &program->exits;
	size_t i;

	if (kind >= SW_EXIT_SIGNAL)
		return false;
	if (kind != SW_EXIT_NUMBER_UNKNOWN)
		return sw_status_is_answer(program->name, kind);
	for (i = 0; i < exits->count; i++) {
		if (exits->kind[i] < SW_EXIT_SIGNAL &&
		    sw_status_is_answer(program->name, exits->kind[i]))
			return true;
	}
	return false;
}

uint64_t sw_fingerprint_failures(const struct sw_fingerprint_program *program)
{
	const struct sw_exit_counts *exits = &program->exits;
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < exits->count; i++) {
		if (!sw_fingerprint_is_answer(program, exits->kind[i]))
			count = sw_add_u64(count, exits->processes[i]);
	}
	return count;
}

uint64_t sw_fingerprint_exits(const struct sw_fingerprint_program *program,
			      bool is_signal, unsigned number)
{
	return sw_exit_counts_of(&program->exits, kind_of(is_signal, number));
}
