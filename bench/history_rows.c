/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates past runs of a fictitious site. */
#include "bench/history_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/history_print.h"

enum { GROUP_MAX = 10000, USERS = 200 };

static const double gib = 1073741824.0;

/* splitmix64: G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014. */
static uint64_t next(struct history_rows *rows)
{
	uint64_t value = rows->state += 0x9e3779b97f4a7c15u;

	value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
	value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
	return value ^ (value >> 31);
}

uint32_t history_rows_random(struct history_rows *rows, uint32_t limit)
{
	return (uint32_t)(next(rows) % limit);
}

/* Uniform between 0 and 1, both excluded. */
static double uniform(struct history_rows *rows)
{
	return ((double)(next(rows) >> 11) + 0.5) / 9007199254740992.0;
}

/* Log-normal around 1 (Box and Muller). */
static double spread(struct history_rows *rows, double sigma)
{
	return exp(sigma * sqrt(-2 * log(uniform(rows))) *
		   cos(6.283185307179586 * uniform(rows)));
}

static void make_group(struct history_rows *rows, struct history_group *group)
{
	static const char *const names[] = {
		"nf-NFCORE_RNASEQ_RNASEQ_ALIGN_STAR_STAR_ALIGN",
		"nf-NFCORE_SAREK_SAREK_GATK4_BASERECALIBRATOR",
		"snakejob.bwa_mem", "gromacs_prod", "lammps-npt", "train_unet",
		"cellranger_count", "blastp_nr", "fluent_mesh", "vasp_relax",
	};
	unsigned number = history_rows_random(rows, 100000);

	snprintf(group->user, sizeof(group->user), "u%u",
		 history_rows_random(rows, USERS));
	snprintf(group->label, sizeof(group->label), "%s_v%u",
		 names[history_rows_random(rows, sizeof(names) /
					   sizeof(names[0]))], number);
	snprintf(group->group, sizeof(group->group), "%s/%.72s", group->user,
		 group->label);
	group->size = (uint32_t)exp(uniform(rows) * log(GROUP_MAX + 1.0));
	if (group->size < 1)
		group->size = 1;
	group->need_bytes = gib * exp(uniform(rows) * log(200)) / 4;
	group->elapsed_seconds = 60 * exp(uniform(rows) * log(1000));
}

static int make_groups(struct history_rows *rows)
{
	struct history_group *grown;
	uint32_t sum = 0, room = 0;

	while (sum < rows->count) {
		if (rows->group_count == room) {
			room = room ? 2 * room : 256;
			grown = reallocarray(rows->groups, room,
					     sizeof(*grown));
			if (!grown)
				return -1;
			rows->groups = grown;
		}
		grown = &rows->groups[rows->group_count++];
		make_group(rows, grown);
		if (grown->size > rows->count - sum)
			grown->size = rows->count - sum;
		sum += grown->size;
	}
	return 0;
}

int history_rows_init(struct history_rows *rows, uint32_t count)
{
	uint32_t i, j, other, at = 0;

	*rows = (struct history_rows){ .count = count, .state = count };
	rows->group_of = calloc(count, sizeof(*rows->group_of));
	if (!rows->group_of || make_groups(rows) < 0) {
		history_rows_fini(rows);
		return -1;
	}
	for (i = 0; i < rows->group_count; i++) {
		for (j = 0; j < rows->groups[i].size; j++)
			rows->group_of[at++] = i;
	}
	for (i = count - 1; i > 0; i--) {
		j = history_rows_random(rows, i + 1);
		other = rows->group_of[i];
		rows->group_of[i] = rows->group_of[j];
		rows->group_of[j] = other;
	}
	return 0;
}

void history_rows_fini(struct history_rows *rows)
{
	free(rows->groups);
	free(rows->group_of);
	memset(rows, 0, sizeof(*rows));
}

static void make_run(struct history_rows *rows,
		     const struct history_group *group, uint32_t index,
		     struct sw_run *run)
{
	size_t i;

	*run = sw_run_unknown;
	run->state = history_rows_random(rows, 25) ? SW_RUN_COMPLETED :
						     SW_RUN_FAILED;
	run->elapsed_seconds = group->elapsed_seconds * spread(rows, 0.3);
	run->start_seconds = 1.7e9 + index * 20.0;
	run->end_seconds = run->start_seconds + run->elapsed_seconds;
	run->attempt = 1;
	run->requested_bytes = 2 * group->need_bytes;
	run->need_bytes = group->need_bytes * spread(rows, 0.2);
	run->need_upper_bytes = run->need_bytes * 1.1;
	run->requested_seconds = 4 * group->elapsed_seconds;
	run->requested_cores = 8;
	run->peak_cores = 8 * uniform(rows);
	run->used_core_seconds = run->peak_cores * run->elapsed_seconds / 2;
	run->nodes = run->tasks = 1;
	run->cpu_share = uniform(rows);
	run->io_share = run->network_share = 0;
	run->input_bytes = run->need_bytes * spread(rows, 0.1) / 3;
	/* sacct and traces do not provide it. */
	run->has_busy = index % 2 == 0;
	for (i = 0; run->has_busy && i < 4; i++)
		run->busy_seconds[i] = run->elapsed_seconds / 4;
}

void history_rows_get(struct history_rows *rows, uint32_t index,
		      struct history_row *row)
{
	const struct history_group *group =
		&rows->groups[rows->group_of[index]];

	snprintf(row->job, sizeof(row->job), "%u", 1000000 + index);
	snprintf(row->lineage, sizeof(row->lineage), "c1:%s", row->job);
	row->run = (struct sw_history_run){
		.cluster = "c1", .job = row->job, .step = "",
		.user = group->user, .name = group->label,
		.partition = "batch", .programs = "python3+samtools",
		.group = group->group, .label = group->label,
		.lineage = row->lineage, .source = SW_HISTORY_PROFILE,
	};
	make_run(rows, group, index, &row->run.run);
	row->run.fingerprint = row->print;
	row->run.fingerprint_size =
		history_print_make(row->print, &row->run.run, index);
}
