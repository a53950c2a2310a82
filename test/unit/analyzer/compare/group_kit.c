/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of runs of an invented pipeline, drawn by a seed. */
#include "test/unit/analyzer/compare/group_kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/missing.h"

#define GB  1e9
#define SEC 1e6

/* splitmix64 of S. Vigna, public domain. */
double kit_random(uint64_t *random)
{
	uint64_t z = *random += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

static double between(uint64_t *random, double least, double most)
{
	return least + (most - least) * kit_random(random);
}

static unsigned whole_between(uint64_t *random, unsigned least, unsigned most)
{
	return least + (unsigned)(kit_random(random) * (most - least + 1));
}

/* Normal by Box and Muller; an outlier now and then. */
static double noise(struct kit_group *group)
{
	double radius = sqrt(-2 * log(1 - kit_random(&group->random)));
	double angle = 6.283185307179586 * kit_random(&group->random);
	double wide = kit_random(&group->random) < 0.03 ? 2.5 : 1;

	return exp(group->noise * wide * radius * cos(angle));
}

struct sw_fingerprint_program *kit_program(struct sw_fingerprint *run,
					   const char *name)
{
	size_t i;

	for (i = 0; i < run->program_count; i++) {
		if (!strcmp(run->programs[i].name, name))
			return &run->programs[i];
	}
	return NULL;
}

static struct sw_fingerprint_program *
add_program(struct sw_fingerprint *run, const char *name, double count,
	    double cpu, double read, double written, double longest)
{
	struct sw_fingerprint_program *program =
		&run->programs[run->program_count++];

	sw_fingerprint_program_init(program, name);
	program->amount[SW_PROGRAM_COUNT] = (uint64_t)count;
	program->amount[SW_PROGRAM_CPU_USEC] = (uint64_t)(cpu * SEC);
	program->amount[SW_PROGRAM_READ_BYTES] = (uint64_t)read;
	program->amount[SW_PROGRAM_WRITTEN_BYTES] = (uint64_t)written;
	program->amount[SW_PROGRAM_LONGEST_USEC] = (uint64_t)(longest * SEC);
	program->exited_ok = (uint64_t)count;
	return program;
}

static void draw_stage(struct kit_group *group, size_t i)
{
	static const char *const names[KIT_STAGES_MAX] = {
		"trim", "align", "sort", "markdup", "call", "python3", "gzip",
	};
	struct kit_stage *stage = &group->stages[i];
	uint64_t *random = &group->random;

	snprintf(stage->name, sizeof(stage->name), "%s", names[i]);
	stage->cpu = exp(between(random, log(20), log(400)));
	stage->elapsed = stage->cpu / between(random, 1, group->cpus);
	stage->read = GB * between(random, 0.3, 1.5);
	stage->written = GB * exp(between(random, log(0.1), log(1)));
	stage->power = between(random, 0.9, 1.1);
}

static void draw_environment(struct kit_group *group,
			     struct sw_fingerprint *run, bool is_slow)
{
	struct sw_fingerprint_environment *around = &run->environment;

	snprintf(around->node, sizeof(around->node), "n%u",
		 whole_between(&group->random, 1, 40));
	snprintf(around->kind, sizeof(around->kind), "%s",
		 is_slow ? "xeon" : "epyc");
	snprintf(around->kernel, sizeof(around->kernel), "6.1.0-28-amd64");
	snprintf(around->mount, sizeof(around->mount), "/scratch");
	around->cpus_milli = (uint64_t)(group->cpus * 1000);
	around->bound_cpus = (uint64_t)group->cpus;
	around->bound_numa = 1;
	around->neighbors_permille = whole_between(&group->random, 0, 300);
}

/* Programs that any script has: some answer, some poll. */
static void add_helpers(struct kit_group *group, struct sw_fingerprint *run,
			double elapsed)
{
	uint64_t *random = &group->random;
	struct sw_fingerprint_program *grep;

	add_program(run, "bash", 1, 0.02, 4096, 512, elapsed);
	add_program(run, "mkdir", 2, 0.001, 0, 0, 0.001);
	add_program(run, "date", 3, 0.001, 0, 90, 0.001);
	add_program(run, "sleep",
		    whole_between(random, group->sleeps * 8 / 10,
				  group->sleeps * 12 / 10),
		    0.01, 0, 0, 5);
	grep = add_program(run, "grep", 2, 0.002, 5000, 40, 0.002);
	if (kit_random(random) < group->grep_share) {
		grep->exited_ok = 1;
		sw_fingerprint_add_exit(grep, false, 1, 1);
	}
}

static void sum_up(struct kit_group *group, struct sw_fingerprint *run,
		   double elapsed, double memory)
{
	double cpu = 0, read = 0, written = 0, io = 0;
	size_t i;

	for (i = 0; i < run->program_count; i++) {
		const uint64_t *amount = run->programs[i].amount;

		cpu += (double)amount[SW_PROGRAM_CPU_USEC];
		read += (double)amount[SW_PROGRAM_READ_BYTES];
		written += (double)amount[SW_PROGRAM_WRITTEN_BYTES];
	}
	io = elapsed * group->mount_share * noise(group) * noise(group) *
	     noise(group);
	run->amount[SW_STEP_ELAPSED_USEC] = (uint64_t)(elapsed * SEC);
	run->amount[SW_STEP_CPU_USEC] = (uint64_t)cpu;
	run->amount[SW_STEP_NEED_BYTES] = (uint64_t)memory;
	run->amount[SW_STEP_READ_BYTES] = (uint64_t)read;
	run->amount[SW_STEP_WRITTEN_BYTES] = (uint64_t)written;
	run->amount[SW_STEP_MOUNT_USEC] = (uint64_t)(io * SEC);
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		run->limited[i] = 0;
	run->limited[SW_LIMITED_BY_IO] = io / elapsed;
	run->limited[SW_LIMITED_BY_CPU] = 1 - io / elapsed;
	run->phases[0] = (struct sw_fingerprint_phase){ SW_LIMITED_BY_CPU,
							1 - io / elapsed };
	run->phases[1] =
		(struct sw_fingerprint_phase){ SW_LIMITED_BY_IO, io / elapsed };
	run->phase_count = 2;
}

static void draw_run(struct kit_group *group, struct sw_fingerprint *run,
		     bool is_slow)
{
	uint64_t *random = &group->random;
	double input = group->inputs == KIT_ALIKE
			       ? between(random, 1.9, 2.1)
			       : exp(between(random, log(0.6), log(6)));
	double slow = is_slow ? 1.3 : 1, elapsed = 0;
	size_t i;

	sw_fingerprint_init(run);
	run->state = SW_RUN_COMPLETED;
	run->exit_code = 0;
	run->is_complete = true;
	if (group->inputs == KIT_KNOWN)
		run->input_bytes = (uint64_t)(input * GB);
	for (i = 0; i < group->stage_count; i++) {
		const struct kit_stage *stage = &group->stages[i];
		double size = pow(input, stage->power) * noise(group);
		double longest = stage->elapsed * size * slow * noise(group);

		add_program(run, stage->name, 1,
			    stage->cpu * size * slow * noise(group),
			    stage->read * size, stage->written * size, longest);
		elapsed += longest;
	}
	if (group->workers) {
		double longest = 4 * input * slow * noise(group);

		add_program(run, "worker", group->workers,
			    3 * group->workers * input * slow * noise(group),
			    2e7 * input * noise(group),
			    1e7 * input * noise(group), longest);
		add_program(run, "xargs", 1, 0.05, 2000, 0,
			    longest * group->workers / group->cpus);
		elapsed += longest * group->workers / group->cpus;
	}
	elapsed += 3 * noise(group);
	add_helpers(group, run, elapsed);
	sum_up(group, run, elapsed,
	       group->memory * pow(input, 0.8) * noise(group));
	draw_environment(group, run, is_slow);
}

void kit_run_draw(struct kit_group *group, struct sw_fingerprint *run)
{
	draw_run(group, run,
		 group->has_two_kinds && kit_random(&group->random) < 0.5);
}

void kit_group_draw(struct kit_group *group, uint64_t seed,
		    enum kit_inputs inputs)
{
	uint64_t *random = &group->random;
	size_t i;

	memset(group, 0, sizeof(*group));
	group->random = seed;
	group->inputs = inputs;
	group->noise = between(random, 0.01, 0.06);
	group->cpus = 4;
	group->stage_count = whole_between(random, 3, KIT_STAGES_MAX);
	for (i = 0; i < group->stage_count; i++)
		draw_stage(group, i);
	group->memory = GB * between(random, 0.5, 8);
	group->mount_share = between(random, 0.02, 0.1);
	group->grep_share = kit_random(random);
	group->sleeps = whole_between(random, 5, 50);
	group->workers = 60;
	group->has_two_kinds = kit_random(random) < 0.3;
	group->past_count = whole_between(random, 12, 40);
	for (i = 0; i < group->past_count; i++) {
		/* No kind is rare among the past runs. */
		draw_run(group, &group->past[i], group->has_two_kinds && i % 2);
		group->list[i] = &group->past[i];
		/* Failed runs are no example. */
		if (kit_random(random) < 0.05)
			kit_plants[0].plant(group, &group->past[i]);
		group->past[i].has_failure =
			group->past[i].programs[0].exits.count > 0;
	}
}
