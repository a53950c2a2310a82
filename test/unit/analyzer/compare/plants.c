/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ways in which a run of the kit's pipeline differs from the others. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/missing.h"
#include "test/unit/analyzer/compare/group_kit.h"

typedef struct kit_group group_t;
typedef struct sw_fingerprint run_t;
typedef struct sw_fingerprint_program program_t;

static uint64_t times(uint64_t amount, double factor)
{
	return (uint64_t)((double)amount * factor);
}

/* Change an amount of a program, and with it the step's. */
static void scale(run_t *run, program_t *program, enum sw_program_amount amount,
		  double factor)
{
	static const enum sw_step_amount whole[SW_PROGRAM_AMOUNTS] = {
		[SW_PROGRAM_CPU_USEC] = SW_STEP_CPU_USEC,
		[SW_PROGRAM_READ_BYTES] = SW_STEP_READ_BYTES,
		[SW_PROGRAM_WRITTEN_BYTES] = SW_STEP_WRITTEN_BYTES,
		[SW_PROGRAM_LONGEST_USEC] = SW_STEP_ELAPSED_USEC,
	};
	uint64_t *part = &program->amount[amount];
	uint64_t *sum = &run->amount[whole[amount]];

	*sum = times(1, fmax(0, (double)*sum + (double)*part * (factor - 1)));
	*part = times(*part, factor);
}

static void scale_all(run_t *run, program_t *program, double factor)
{
	scale(run, program, SW_PROGRAM_CPU_USEC, factor);
	scale(run, program, SW_PROGRAM_READ_BYTES, factor);
	scale(run, program, SW_PROGRAM_WRITTEN_BYTES, factor);
	scale(run, program, SW_PROGRAM_LONGEST_USEC, factor);
}

static void slow_down(run_t *run, double factor)
{
	size_t i;

	run->amount[SW_STEP_ELAPSED_USEC] =
		times(run->amount[SW_STEP_ELAPSED_USEC], factor);
	for (i = 0; i < run->program_count; i++) {
		uint64_t *longest =
			&run->programs[i].amount[SW_PROGRAM_LONGEST_USEC];

		*longest = times(*longest, factor);
	}
}

static void fail(program_t *program, bool is_signal, unsigned number,
		 unsigned count)
{
	program->exited_ok =
		program->exited_ok > count ? program->exited_ok - count : 0;
	sw_fingerprint_add_exit(program, is_signal, number, count);
}

static void remove_program(run_t *run, const char *name)
{
	program_t *program = kit_program(run, name);
	size_t at = (size_t)(program - run->programs);

	scale_all(run, program, 0);
	memmove(program, program + 1,
		(run->program_count - at - 1) * sizeof(*program));
	run->program_count--;
}

static program_t *stage(const group_t *group, run_t *run, size_t i)
{
	return kit_program(run, group->stages[i].name);
}

/* The stage that wrote most. */
static size_t main_stage(const group_t *group)
{
	size_t most = 0, i;

	for (i = 1; i < group->stage_count; i++) {
		if (group->stages[i].written > group->stages[most].written)
			most = i;
	}
	return most;
}

/* The stage that used most CPU time. */
static size_t middle_stage(const group_t *group)
{
	size_t most = 0, i;

	for (i = 1; i < group->stage_count; i++) {
		if (group->stages[i].cpu > group->stages[most].cpu)
			most = i;
	}
	return most;
}

static void input_missing(group_t *group, run_t *run)
{
	size_t i;

	for (i = 0; i < group->stage_count; i++)
		scale_all(run, stage(group, run, i), 0.001);
	fail(stage(group, run, 0), false, 1, 1);
}

static void worker_fails(group_t *group, run_t *run)
{
	(void)group;
	fail(kit_program(run, "worker"), false, 1, 1);
	fail(kit_program(run, "xargs"), false, 123, 1);
}

static void workers_fail(group_t *group, run_t *run)
{
	(void)group;
	fail(kit_program(run, "worker"), false, 3, 8);
	scale_all(run, kit_program(run, "worker"), 52.0 / 60);
}

static void worker_crashes(group_t *group, run_t *run)
{
	(void)group;
	fail(kit_program(run, "worker"), true, 11, 1);
	fail(kit_program(run, "xargs"), false, 125, 1);
}

static void half_output(group_t *group, run_t *run)
{
	scale(run, stage(group, run, main_stage(group)),
	      SW_PROGRAM_WRITTEN_BYTES, 0.5);
}

static void no_output(group_t *group, run_t *run)
{
	scale(run, stage(group, run, main_stage(group)),
	      SW_PROGRAM_WRITTEN_BYTES, 0);
}

static void left_out(group_t *group, run_t *run)
{
	remove_program(run, group->stages[middle_stage(group)].name);
}

static void twice_read(group_t *group, run_t *run)
{
	program_t *program = stage(group, run, middle_stage(group));

	scale(run, program, SW_PROGRAM_READ_BYTES, 2);
	scale(run, program, SW_PROGRAM_LONGEST_USEC, 1.3);
}

static void cpu_less(group_t *group, run_t *run)
{
	(void)group;
	run->environment.cpus_milli = 3000;
	run->environment.bound_cpus = 3;
	slow_down(run, 4.0 / 3);
}

static void scale_cpu(run_t *run, double factor)
{
	size_t i;

	for (i = 0; i < run->program_count; i++)
		scale(run, &run->programs[i], SW_PROGRAM_CPU_USEC, factor);
}

static void other_kind(group_t *group, run_t *run)
{
	(void)group;
	snprintf(run->environment.kind, sizeof(run->environment.kind), "atom");
	slow_down(run, 2);
	scale_cpu(run, 2);
}

static void slow_mount(group_t *group, run_t *run)
{
	uint64_t *waited = &run->amount[SW_STEP_MOUNT_USEC];
	double elapsed = (double)run->amount[SW_STEP_ELAPSED_USEC];

	(void)group;
	slow_down(run, 1 + 7 * (double)*waited / elapsed);
	*waited *= 8;
	run->limited[SW_LIMITED_BY_IO] =
		(double)*waited / (double)run->amount[SW_STEP_ELAPSED_USEC];
	run->limited[SW_LIMITED_BY_CPU] = 1 - run->limited[SW_LIMITED_BY_IO];
}

static void more_memory(group_t *group, run_t *run)
{
	(void)group;
	run->amount[SW_STEP_NEED_BYTES] *= 2;
}

static void early_end(group_t *group, run_t *run)
{
	size_t i;

	for (i = 0; i < run->program_count; i++)
		scale_all(run, &run->programs[i], 0.2);
	run->amount[SW_STEP_ELAPSED_USEC] =
		times(run->amount[SW_STEP_ELAPSED_USEC], 0.25);
	run->amount[SW_STEP_MOUNT_USEC] /= 5;
	(void)group;
}

static void other_status(group_t *group, run_t *run)
{
	fail(stage(group, run, group->stage_count - 1), false, 2, 1);
}

static void grep_error(group_t *group, run_t *run)
{
	(void)group;
	fail(kit_program(run, "grep"), false, 2, 1);
}

static void killed(group_t *group, run_t *run)
{
	program_t *program = stage(group, run, middle_stage(group));

	fail(program, true, 9, 1);
	scale_all(run, program, 0.6);
}

static void additional(group_t *group, run_t *run)
{
	program_t *program = &run->programs[run->program_count++];

	(void)group;
	sw_fingerprint_program_init(program, "rsync");
	program->amount[SW_PROGRAM_COUNT] = program->exited_ok = 1;
	program->amount[SW_PROGRAM_CPU_USEC] = 2000000;
	program->amount[SW_PROGRAM_READ_BYTES] = 1000000;
	program->amount[SW_PROGRAM_WRITTEN_BYTES] = 1000000;
	program->amount[SW_PROGRAM_LONGEST_USEC] = 3000000;
}

static void fewer_workers(group_t *group, run_t *run)
{
	program_t *program = kit_program(run, "worker");

	(void)group;
	scale_all(run, program, 0.75);
	program->amount[SW_PROGRAM_COUNT] = program->exited_ok = 45;
}

static void more_workers(group_t *group, run_t *run)
{
	program_t *program = kit_program(run, "worker");

	(void)group;
	program->amount[SW_PROGRAM_COUNT] = program->exited_ok = 180;
	scale(run, program, SW_PROGRAM_CPU_USEC, 3);
}

static void more_cpu(group_t *group, run_t *run)
{
	program_t *program = stage(group, run, middle_stage(group));

	scale(run, program, SW_PROGRAM_CPU_USEC, 2.5);
	scale(run, program, SW_PROGRAM_LONGEST_USEC, 2.5);
}

static void other_limit(group_t *group, run_t *run)
{
	(void)group;
	slow_down(run, 2);
	run->limited[SW_LIMITED_BY_NETWORK] = 0.5;
	run->limited[SW_LIMITED_BY_CPU] = 0.45;
	run->limited[SW_LIMITED_BY_IO] = 0.05;
}

static void neighbors(group_t *group, run_t *run)
{
	(void)group;
	slow_down(run, 1.8);
	run->environment.neighbors_permille = 700;
}

static void narrow(group_t *group, run_t *run)
{
	(void)group;
	slow_down(run, 2.5);
	run->environment.bound_cpus = 1;
}

static void fails(group_t *group, run_t *run)
{
	program_t *last = stage(group, run, group->stage_count - 1);

	run->state = SW_RUN_FAILED;
	run->exit_code = 1;
	fail(last, false, 1, 1);
	fail(kit_program(run, "bash"), false, 1, 1);
}

#define NO SW_DIFFERS_KINDS
#define ONE(kind)                                                              \
	{                                                                      \
		kind, NO, NO, NO                                               \
	}
#define EXIT_OR_RATE                                                           \
	{                                                                      \
		SW_DIFFERS_EXIT, SW_DIFFERS_RATE, NO, NO                       \
	}
#define SLOWER                                                                 \
	{                                                                      \
		SW_DIFFERS_MORE, SW_DIFFERS_LIMIT, NO, NO                      \
	}

const struct kit_plant kit_plants[KIT_PLANTS] = {
	{ "input missing", input_missing, ONE(SW_DIFFERS_EXIT), "trim", NO },
	{ "1 of 60 workers fails", worker_fails, EXIT_OR_RATE, "worker", NO },
	{ "8 of 60 workers fail", workers_fail, EXIT_OR_RATE, "worker", NO },
	{ "1 of 60 workers crashes", worker_crashes, EXIT_OR_RATE, "worker",
	  NO },
	{ "half of the output", half_output, ONE(SW_DIFFERS_LESS), "main", NO },
	{ "no output", no_output, ONE(SW_DIFFERS_LESS), "main", NO },
	{ "a program left out", left_out, ONE(SW_DIFFERS_ABSENT), "middle",
	  NO },
	{ "twice the bytes read", twice_read, ONE(SW_DIFFERS_MORE), "middle",
	  NO },
	{ "a narrow binding", narrow, SLOWER, "", SW_DIFFERS_BINDING },
	{ "one CPU less", cpu_less, SLOWER, "", SW_DIFFERS_CPUS },
	{ "another kind of node", other_kind, SLOWER, "",
	  SW_DIFFERS_NODE_KIND },
	{ "the run fails", fails, ONE(SW_DIFFERS_EXIT), "last", NO },
	{ "a slower mount", slow_mount, SLOWER, "", NO },
	{ "more memory", more_memory, ONE(SW_DIFFERS_MORE), "", NO },
	{ "an earlier end", early_end, ONE(SW_DIFFERS_LESS), "", NO },
	{ "another exit status", other_status, ONE(SW_DIFFERS_EXIT), "last",
	  NO },
	{ "an answer becomes an error", grep_error, ONE(SW_DIFFERS_EXIT),
	  "grep", NO },
	{ "killed and ignored", killed, ONE(SW_DIFFERS_EXIT), "middle", NO },
	{ "an additional program", additional, ONE(SW_DIFFERS_PRESENT), "rsync",
	  NO },
	{ "fewer workers", fewer_workers, ONE(SW_DIFFERS_FEWER), "worker", NO },
	{ "more workers",
	  more_workers,
	  { SW_DIFFERS_NUMEROUS, SW_DIFFERS_MORE, NO, NO },
	  "worker",
	  NO },
	{ "more CPU time", more_cpu, ONE(SW_DIFFERS_MORE), "middle", NO },
	{ "another bottleneck", other_limit, SLOWER, "", NO },
	{ "neighbors", neighbors, SLOWER, "", SW_DIFFERS_NEIGHBORS },
};

static const char *program_of(const struct kit_group *group, const char *name)
{
	if (!strcmp(name, "main"))
		return group->stages[main_stage(group)].name;
	if (!strcmp(name, "middle"))
		return group->stages[middle_stage(group)].name;
	if (!strcmp(name, "last"))
		return group->stages[group->stage_count - 1].name;
	return name;
}

static bool has_beside(const struct sw_comparison *comparison,
		       enum sw_difference_kind kind)
{
	size_t i;

	for (i = 0; i < comparison->environment_count; i++) {
		if (comparison->environment[i].kind == kind)
			return true;
	}
	return kind == NO;
}

bool kit_is_named(const struct kit_group *group, const struct kit_plant *plant,
		  const struct sw_comparison *comparison)
{
	const struct sw_difference *first = comparison->differences;
	const char *name = program_of(group, plant->program);
	size_t i;

	if (comparison->count == 0 || !has_beside(comparison, plant->beside) ||
	    (*name && (!first->program || strcmp(first->program, name) != 0)))
		return false;
	for (i = 0; i < 4; i++) {
		if (plant->kinds[i] == first->kind)
			return true;
	}
	return false;
}
