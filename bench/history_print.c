/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates fingerprints of past runs. */
#include "bench/history_print.h"

#include <math.h>
#include <stdio.h>

#include "analyzer/compare/fingerprint.h"

enum { PROGRAMS = 12, PERIOD = 7 };

#define USEC_PER_SEC 1e6

/* Varies a little from run to run; no amount is round. */
static uint64_t varied(double amount, uint32_t index, size_t salt)
{
	return (uint64_t)(amount *
			  (1 + (double)((index + salt) % PERIOD) / 100));
}

static void put_program(struct sw_fingerprint *print, uint32_t index,
			double seconds, double bytes)
{
	static const char *const names[PROGRAMS] = {
		"python3", "samtools", "bwa", "sort", "gzip", "bash", "awk",
		"grep", "cat", "mkdir", "java", "fastqc",
	};
	size_t i = print->program_count;
	struct sw_fingerprint_program *program = &print->programs[i];
	double part = 1 / (double)(1 << i);

	sw_fingerprint_program_init(program, names[i]);
	program->amount[SW_PROGRAM_COUNT] = program->exited_ok = 1 + i * i;
	program->amount[SW_PROGRAM_CPU_USEC] =
		varied(part * seconds * USEC_PER_SEC, index, i);
	program->amount[SW_PROGRAM_READ_BYTES] =
		varied(part * bytes, index, i + 1);
	program->amount[SW_PROGRAM_WRITTEN_BYTES] =
		varied(part * bytes / 3, index, i + 2);
	program->amount[SW_PROGRAM_LONGEST_USEC] =
		varied(part * seconds * USEC_PER_SEC, index, i + 3);
	program->started_usec =
		varied((1 - part) * seconds * USEC_PER_SEC, index, i + 4);
	print->program_count++;
}

static void put_environment(struct sw_fingerprint_environment *around,
			    uint32_t index)
{
	snprintf(around->node, sizeof(around->node), "node%04u", index % 1000);
	snprintf(around->kind, sizeof(around->kind),
		 "AMD EPYC 7763 64-Core Processor");
	snprintf(around->kernel, sizeof(around->kernel),
		 "4.18.0-553.el8_10.x86_64");
	snprintf(around->mount, sizeof(around->mount), "/scratch");
	around->cpus_milli = 8000;
	around->bound_cpus = 8;
	around->bound_numa = 1;
	around->neighbors_permille = index % 500;
}

size_t history_print_make(uint8_t *bytes, const struct sw_run *run,
			  uint32_t index)
{
	struct sw_fingerprint print;
	size_t i;

	sw_fingerprint_init(&print);
	print.state = run->state;
	print.exit_code = run->state == SW_RUN_COMPLETED ? 0 : 1;
	print.is_complete = true;
	print.input_bytes = (uint64_t)run->input_bytes;
	for (i = 0; i < SW_STEP_AMOUNTS; i++)
		print.amount[i] = varied(run->elapsed_seconds * USEC_PER_SEC,
					 index, i);
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		print.limited[i] = i == SW_LIMITED_BY_CPU ? run->cpu_share : 0;
	print.phases[0].resource = SW_LIMITED_BY_CPU;
	print.phases[0].share = 1;
	print.phase_count = 1;
	put_environment(&print.environment, index);
	for (i = 0; i < PROGRAMS; i++)
		put_program(&print, index, run->elapsed_seconds,
			    run->input_bytes);
	return sw_fingerprint_encode(&print, bytes);
}
