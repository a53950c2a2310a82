/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Take one pass over the processes of all steps that BPF reports on, instead of
 * reading each one's files in /proc.  The backend:
 *   "bpf"       from each process to its threads: 6.2 and later
 *   "bpf.iter"  past all threads of the node: 5.8 and later
 */
#ifndef SW_RECORDER_SNAPSHOT_H
#define SW_RECORDER_SNAPSHOT_H

#include "common/error.h"
#include "recorder/bpf/followed.h"

struct bpf_map;

/*
 * Load the best backend.  processes is the map of exec.bpf.c.  only is NULL or
 * the name of the only backend to try, for tests.  Return 0, or -1 with *error
 * if no backend works.
 */
int sw_snapshot_open(const struct bpf_map *processes, const char *only,
		     struct sw_error *error);

/* Return the name of the backend, or NULL if not open. */
const char *sw_snapshot_backend(void);

/* Sample all processes of the table into their accounts.  Return 0 or -1. */
int sw_snapshot_take(struct sw_followed_table *table);

#endif
