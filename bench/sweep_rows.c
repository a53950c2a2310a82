/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates jobs from their numbers. */
#include "bench/sweep_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHUFFLED = 4096, MIB = 1 << 20 };

/* splitmix64: G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014. */
static uint64_t next(uint64_t *state)
{
	uint64_t value = *state += 0x9e3779b97f4a7c15u;

	value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
	value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
	return value ^ (value >> 31);
}

/* Uniform between 0 and 1, both excluded. */
static double uniform(uint64_t *state)
{
	return ((double)(next(state) >> 11) + 0.5) / 9007199254740992.0;
}

/* Log-normal around 1 (Box and Muller). */
static double spread(uint64_t *state, double sigma)
{
	return exp(sigma * sqrt(-2 * log(uniform(state))) *
		   cos(6.283185307179586 * uniform(state)));
}

/* 930 of 1,000 jobs complete. */
static void end(struct sweep_row *row, uint64_t chance)
{
	row->state = "COMPLETED";
	row->exit_code = 0;
	if (chance < 10) {
		row->state = "OUT_OF_MEMORY";
	} else if (chance < 50) {
		row->state = "FAILED";
		row->exit_code = 1 + (unsigned)(chance % 3);
	} else if (chance < 70) {
		row->state = "TIMEOUT";
	}
}

/* Set the properties that the runs of a job name share. */
static void put_group(struct sweep_row *row, double *elapsed, double *need)
{
	uint64_t state = row->uid * SWEEP_NAMES + row->name;

	row->cpus = 1u << next(&state) % 6;
	row->memory_mib = 1024u << next(&state) % 6;
	*elapsed = 60 * exp(uniform(&state) * 5);
	*need = (double)row->memory_mib * MIB * (0.1 + 0.8 * uniform(&state));
}

/* Jobs do not end in the order of their numbers. */
static uint64_t shuffled(uint64_t i)
{
	return (i & ~(uint64_t)(SHUFFLED - 1)) |
	       ((i * 1597 + 77) & (SHUFFLED - 1));
}

void sweep_row_make(struct sweep_row *row, uint64_t i, uint64_t count)
{
	static const char *const names[SWEEP_NAMES] = {
		"align", "assemble", "gromacs_prod", "train_unet", "fluent",
	};
	uint64_t state = i;
	double elapsed, need;

	memset(row, 0, sizeof(*row));
	row->user = (unsigned)(next(&state) % SWEEP_USERS);
	row->name = (unsigned)(next(&state) % SWEEP_NAMES);
	row->node = (unsigned)(next(&state) % SWEEP_NODES);
	row->uid = SWEEP_UID_FIRST + row->user;
	row->job_id = 1000000 + shuffled(i);
	put_group(row, &elapsed, &need);
	end(row, next(&state) % 1000);
	elapsed *= spread(&state, 0.3);
	row->end_seconds = SWEEP_MIDNIGHT + i * SWEEP_NIGHT_SECONDS / count;
	row->start_seconds = row->end_seconds - 1 - (uint64_t)elapsed;
	row->submit_seconds = row->start_seconds - 1 - next(&state) % 600;
	row->need_bytes = (uint64_t)(need * spread(&state, 0.05));
	row->used_usec = (uint64_t)((elapsed + 1) * 1e6 * (double)row->cpus *
				    (0.2 + 0.8 * uniform(&state)));
	row->io_full_usec = (uint64_t)(elapsed * 1e6 * uniform(&state) / 10);
	row->read_bytes = (uint64_t)(need * uniform(&state));
	row->written_bytes = row->read_bytes / 3;
	snprintf(row->job_name, sizeof(row->job_name), "%s_%u",
		 names[row->name], row->user);
}
