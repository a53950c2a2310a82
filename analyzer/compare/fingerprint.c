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
	program->exited_ok = SW_MISSING;
}

static struct sw_fingerprint_exit *
find_exit(struct sw_fingerprint_program *program, bool is_signal,
	  unsigned number)
{
	size_t i;

	for (i = 0; i < program->exit_count; i++) {
		if (program->exits[i].is_signal == is_signal &&
		    program->exits[i].number == number)
			return &program->exits[i];
	}
	return NULL;
}

void sw_fingerprint_add_exit(struct sw_fingerprint_program *program,
			     bool is_signal, uint64_t number, uint64_t count)
{
	unsigned known = number < SW_EXIT_NUMBER_UNKNOWN
				 ? (unsigned)number
				 : SW_EXIT_NUMBER_UNKNOWN;
	struct sw_fingerprint_exit *end;

	if (count == 0 || sw_is_missing(count))
		return;
	end = find_exit(program, is_signal, known);
	/* The last two places are for the ends whose number is unknown. */
	if (!end && program->exit_count >= SW_FINGERPRINT_EXITS - 2)
		end = find_exit(program, is_signal,
				known = SW_EXIT_NUMBER_UNKNOWN);
	if (!end) {
		end = &program->exits[program->exit_count++];
		*end = (struct sw_fingerprint_exit){ is_signal, known, 0 };
	}
	end->count = sw_add_u64(end->count, count);
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
			      const struct sw_fingerprint_exit *end)
{
	size_t i;

	if (end->is_signal)
		return false;
	if (end->number != SW_EXIT_NUMBER_UNKNOWN)
		return sw_status_is_answer(program->name, end->number);
	for (i = 0; i < program->exit_count; i++) {
		if (!program->exits[i].is_signal &&
		    sw_status_is_answer(program->name,
					program->exits[i].number))
			return true;
	}
	return false;
}

uint64_t sw_fingerprint_failures(const struct sw_fingerprint_program *program)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < program->exit_count; i++) {
		if (!sw_fingerprint_is_answer(program, &program->exits[i]))
			count = sw_add_u64(count, program->exits[i].count);
	}
	return count;
}

uint64_t sw_fingerprint_exits(const struct sw_fingerprint_program *program,
			      bool is_signal, unsigned number)
{
	size_t i;

	for (i = 0; i < program->exit_count; i++) {
		if (program->exits[i].is_signal == is_signal &&
		    program->exits[i].number == number)
			return program->exits[i].count;
	}
	return 0;
}
