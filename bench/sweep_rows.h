/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs of a night on a cluster that does not exist, each from its number
 * alone: 200 users, five job names each, 64 nodes, one batch step a job.
 */
#ifndef BENCH_SWEEP_ROWS_H
#define BENCH_SWEEP_ROWS_H

#include <stdint.h>

enum {
	SWEEP_USERS = 200,
	SWEEP_NAMES = 5, /* of each user */
	SWEEP_NODES = 64,
	SWEEP_UID_FIRST = 10000,
	SWEEP_NIGHT_SECONDS = 86400,
};

/* The night begins at this second: 2026-11-22, UTC. */
#define SWEEP_MIDNIGHT UINT64_C(1795305600)

struct sweep_row {
	uint64_t job_id, uid;
	unsigned user, name, node;
	uint64_t submit_seconds, start_seconds, end_seconds;
	uint64_t cpus, memory_mib, need_bytes, used_usec;
	uint64_t io_full_usec, read_bytes, written_bytes;
	unsigned exit_code;
	const char *state; /* as Slurm has it */
	char job_name[64];
};

/* Job i of count; they end one after the other, all in the night. */
void sweep_row_make(struct sweep_row *row, uint64_t i, uint64_t count);

#endif
