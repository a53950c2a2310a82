/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find out what threads that are not running wait for: one pass by BPF over
 * those of all steps of the recorder.  The backend:
 *   "bpf"       from each process to its threads: 6.2 and later
 *   "bpf.iter"  past all threads of the node: 5.8 and later
 * Kernel functions are known from 5.13 on; before that, only the system call,
 * the file and the state are available.
 */
#ifndef SW_RECORDER_WAITS_H
#define SW_RECORDER_WAITS_H

#include "common/error.h"
#include "recorder/bpf/followed.h"
#include "recorder/waits/wait_tally.h"

struct bpf_map;

/*
 * Load the best backend; call after sw_snapshot_open().  processes is the map
 * of exec.bpf.c.  only is NULL or the name of the only backend to try, for
 * tests.  Return 0, or -1 with *error if no backend works.
 */
int sw_waits_open(const struct bpf_map *processes, const char *only,
		  struct sw_error *error);

/* Return the name of the backend, or NULL if not open. */
const char *sw_waits_backend(void);

/*
 * Sample the waiting threads of all processes in the table whose account has a
 * tally.  Return 0 or -1.
 */
int sw_waits_take(struct sw_followed_table *table, uint64_t now_usec,
		  void (*told)(struct sw_followed *followed, uint64_t io_usec));

/* Get the path that a thread looks up, as passed to the call; "": unknown. */
void sw_waits_path(pid_t tid, char *path, size_t size);

/*
 * Get the frame pointer and link register in user mode, whether or not the code
 * uses them as such; 0: unknown or not present.
 */
void sw_waits_frame(pid_t tid, uint64_t *frame_pointer, uint64_t *link);

#endif
