/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass over the processes that BPF's records tell of, of all steps of the
 * recorder, in place of reading each one's files in /proc.  The backend:
 *   "bpf"       from each process to its threads: 6.2 and later
 *   "bpf.iter"  past all threads of the node: 5.8 and later
 */
#ifndef SW_RECORDER_SNAPSHOT_H
#define SW_RECORDER_SNAPSHOT_H

#include "common/error.h"
#include "recorder/bpf/followed.h"

struct bpf_map;

/*
 * processes is the map of exec.bpf.c.  only is NULL or the one backend to use,
 * for tests.  0, or -1 with *error where no backend is to be had.
 */
int sw_snapshot_open(const struct bpf_map *processes, const char *only,
		     struct sw_error *error);
void sw_snapshot_close(void);

/* The backend; NULL: not open. */
const char *sw_snapshot_backend(void);

/* Look at all that are in the table; their accounts say the rest.  0 or -1. */
int sw_snapshot_take(struct sw_followed_table *table);

#endif
