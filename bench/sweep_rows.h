/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs of a night on a fictitious cluster, each derived from its number alone:
 * 200 users, five job names each, 64 nodes, one batch step per job.
 */
#ifndef BENCH_SWEEP_ROWS_H
#define BENCH_SWEEP_ROWS_H

#include <stdint.h>

enum {
	SWEEP_USERS = 200,
	SWEEP_NAMES = 5, /* per user */
	SWEEP_NODES = 64,
	SWEEP_UID_FIRST = 10000,
	SWEEP_NIGHT_SECONDS = 86400,
};

/* The first second of the night: 2026-11-22, UTC. */
#define SWEEP_MIDNIGHT UINT64_C(1795305600)

struct sweep_row {
	uint64_t job_id, uid;
	unsigned user, name, node;
	uint64_t submit_seconds, start_seconds, end_seconds;
	uint64_t cpus, memory_mib, need_bytes, used_usec;
	uint64_t io_full_usec, read_bytes, written_bytes;
	unsigned exit_code;
	const char *state; /* Slurm's name */
	char job_name[64];
};

/* Make job i of count; they end one after the other, all in the night. */
void sweep_row_make(struct sweep_row *row, uint64_t i, uint64_t count);

#endif
