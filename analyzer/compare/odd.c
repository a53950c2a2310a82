/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one of several runs is alone with. */
#include "analyzer/compare/odd.h"

#include <string.h>

#include "common/missing.h"

/* Shares of a phase that is there, and of one that may still be there. */
static const double PHASE_SHARE = 0.1, PHASE_LEAST_SHARE = 0.03;

struct search {
	const struct sw_fingerprint *const *runs;
	size_t count, index;
	sw_odd_f found;
	void *context;
};

static const struct sw_fingerprint *run_of(const struct search *search)
{
	return search->runs[search->index];
}

/* The first one that is not the run itself. */
static const struct sw_fingerprint *other_of(const struct search *search)
{
	return search->runs[search->index == 0];
}

static int report(const struct search *search, struct sw_difference *odd)
{
	odd->runs = search->count - 1;
	return search->found(search->context, odd);
}

/* Other runs in which the program ran. */
static size_t count_with(const struct search *search, const char *name)
{
	size_t with = 0, i;

	for (i = 0; i < search->count; i++)
		with += i != search->index &&
			sw_fingerprint_find(search->runs[i], name) != NULL;
	return with;
}

/* As many as a past must have; beside a single run it is that one. */
static size_t least_with(const struct search *search)
{
	return search->count == 2 ? 1 : SW_EXPECTED_LEAST;
}

static bool is_alone_with(const struct search *search, const char *name)
{
	size_t i;

	for (i = 0; i < search->count; i++) {
		if (i != search->index &&
		    !sw_fingerprint_lacks(search->runs[i], name))
			return false;
	}
	return true;
}

static bool is_signal(unsigned kind)
{
	return kind >= SW_EXIT_SIGNAL;
}

static unsigned number_of(unsigned kind)
{
	return kind % SW_EXIT_SIGNAL;
}

/* An end whose number is unknown may be any of its sort. */
static bool may_be_same(unsigned one, unsigned two)
{
	return is_signal(one) == is_signal(two) &&
	       (one == two || number_of(one) == SW_EXIT_NUMBER_UNKNOWN ||
		number_of(two) == SW_EXIT_NUMBER_UNKNOWN);
}

/* Could the program have had this end in another run? */
static bool may_have_ended(const struct sw_fingerprint *run, const char *name,
			   unsigned kind)
{
	const struct sw_fingerprint_program *program =
		sw_fingerprint_find(run, name);
	size_t i;

	if (!program)
		return !sw_fingerprint_lacks(run, name);
	if (!run->is_complete)
		return true;
	for (i = 0; i < program->exits.count; i++) {
		if (may_be_same(program->exits.kind[i], kind))
			return true;
	}
	return false;
}

/* When it first failed; unless it had other ends: how long it took at most. */
static uint64_t failed_usec(const struct sw_fingerprint_program *program)
{
	return program->exits.count == 1 && !sw_is_missing(program->failed_usec)
		       ? program->failed_usec
		       : program->amount[SW_PROGRAM_LONGEST_USEC];
}

static int try_exit(const struct search *search,
		    const struct sw_fingerprint_program *program, unsigned kind)
{
	struct sw_difference odd = sw_difference_none;
	size_t i;

	if (sw_fingerprint_is_answer(program, kind))
		return 0;
	for (i = 0; i < search->count; i++) {
		if (i != search->index &&
		    may_have_ended(search->runs[i], program->name, kind))
			return 0;
	}
	if (count_with(search, program->name) < least_with(search))
		return 0;
	odd.kind = SW_DIFFERS_EXIT;
	odd.program = program->name;
	odd.is_signal = is_signal(kind);
	odd.number = number_of(kind);
	odd.value = sw_real_u64(sw_exit_counts_of(&program->exits, kind));
	odd.of = sw_real_u64(program->amount[SW_PROGRAM_COUNT]);
	odd.usual = 0;
	/* A process that waited for the failed one fails after it. */
	odd.weight = -sw_real_u64(failed_usec(program));
	return report(search, &odd);
}

/* Number of processes that all other runs had; SW_MISSING: it varies. */
static uint64_t constant_count(const struct search *search, const char *name)
{
	uint64_t count = SW_MISSING, one;
	size_t i;

	for (i = 0; i < search->count; i++) {
		const struct sw_fingerprint_program *program;

		if (i == search->index)
			continue;
		program = sw_fingerprint_find(search->runs[i], name);
		one = program && search->runs[i]->is_complete
			      ? program->amount[SW_PROGRAM_COUNT]
			      : SW_MISSING;
		if (sw_is_missing(one) ||
		    (!sw_is_missing(count) && one != count))
			return SW_MISSING;
		count = one;
	}
	return count;
}

static int try_count(const struct search *search,
		     const struct sw_fingerprint_program *program)
{
	struct sw_difference odd = sw_difference_none;
	uint64_t count = program->amount[SW_PROGRAM_COUNT], usual;

	if (sw_is_missing(count) || !run_of(search)->is_complete)
		return 0;
	usual = constant_count(search, program->name);
	if (sw_is_missing(usual) || count == usual)
		return 0;
	odd.kind = count < usual ? SW_DIFFERS_FEWER : SW_DIFFERS_NUMEROUS;
	odd.program = program->name;
	odd.value = (double)count;
	odd.usual = (double)usual;
	return report(search, &odd);
}

static int try_program(const struct search *search,
		       const struct sw_fingerprint_program *program)
{
	struct sw_difference odd = sw_difference_none;
	size_t i;
	int rc = 0;

	if (is_alone_with(search, program->name)) {
		odd.kind = SW_DIFFERS_PRESENT;
		odd.program = program->name;
		odd.value = sw_real_u64(program->amount[SW_PROGRAM_COUNT]);
		return report(search, &odd);
	}
	for (i = 0; i < program->exits.count && rc == 0; i++)
		rc = try_exit(search, program, program->exits.kind[i]);
	return rc == 0 ? try_count(search, program) : rc;
}

static int try_absent(const struct search *search, const char *name)
{
	struct sw_difference odd = sw_difference_none;

	if (!sw_fingerprint_lacks(run_of(search), name) ||
	    count_with(search, name) + 1 < search->count)
		return 0;
	odd.kind = SW_DIFFERS_ABSENT;
	odd.program = name;
	odd.value = 0;
	odd.usual = sw_real_u64(constant_count(search, name));
	odd.weight = sw_real_u64(sw_fingerprint_find(other_of(search), name)
					 ->amount[SW_PROGRAM_CPU_USEC]);
	return report(search, &odd);
}

/* Phases with a share of at least this, equal neighbors being one. */
static size_t long_phases(const struct sw_fingerprint *run, double share,
			  enum sw_limited_by list[SW_FINGERPRINT_PHASES])
{
	size_t count = 0, i;

	for (i = 0; i < run->phase_count; i++) {
		if (run->phases[i].share >= share &&
		    (count == 0 || list[count - 1] != run->phases[i].resource))
			list[count++] = run->phases[i].resource;
	}
	return count;
}

static int try_phases(const struct search *search)
{
	enum sw_limited_by usual[SW_FINGERPRINT_PHASES],
		own[SW_FINGERPRINT_PHASES];
	struct sw_difference odd = sw_difference_none;
	size_t count, own_count, i, at = 0;

	count = long_phases(other_of(search), PHASE_SHARE, usual);
	for (i = 0; i < search->count; i++) {
		if (i != search->index &&
		    (long_phases(search->runs[i], PHASE_SHARE, own) != count ||
		     memcmp(own, usual, count * sizeof(*own)) != 0))
			return 0;
	}
	own_count = long_phases(run_of(search), PHASE_LEAST_SHARE, own);
	for (i = 0; i < own_count && at < count; i++)
		at += own[i] == usual[at];
	if (own_count == 0 || at == count)
		return 0;
	odd.kind = SW_DIFFERS_PHASE;
	odd.resource = usual[at];
	return report(search, &odd);
}

int sw_odd_each(const struct sw_fingerprint *const *runs, size_t count,
		size_t index, sw_odd_f found, void *context)
{
	struct search search = { runs, count, index, found, context };
	const struct sw_fingerprint *run = runs[index], *other;
	size_t i;
	int rc = 0;

	other = other_of(&search);
	for (i = 0; i < run->program_count && rc == 0; i++)
		rc = try_program(&search, &run->programs[i]);
	for (i = 0; i < other->program_count && rc == 0; i++)
		rc = try_absent(&search, other->programs[i].name);
	return rc == 0 ? try_phases(&search) : rc;
}
