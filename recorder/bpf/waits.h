/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What threads that do not run wait for: one pass by BPF over those of all
 * steps of the recorder.  The backend:
 *   "bpf"       from each process to its threads: 6.2 and later
 *   "bpf.iter"  past all threads of the node: 5.8 and later
 * Functions of the kernel are known from 5.13 on; before that the system call,
 * the file and the state have to do.
 */
#ifndef SW_RECORDER_WAITS_H
#define SW_RECORDER_WAITS_H

#include "common/error.h"
#include "recorder/bpf/followed.h"
#include "recorder/waits/wait_tally.h"

struct bpf_map;

/*
 * After sw_snapshot_open().  processes is the map of exec.bpf.c.  only is NULL
 * or the one backend to use, for tests.  0, or -1 with *error where no backend
 * is to be had.
 */
int sw_waits_open(const struct bpf_map *processes, const char *only,
		  struct sw_error *error);
void sw_waits_close(void);

/* The backend; NULL: not open. */
const char *sw_waits_backend(void);

/*
 * Look at the threads of all processes in the table that have some which do
 * not run, and whose account has a tally.  0 or -1.
 */
int sw_waits_take(struct sw_followed_table *table, uint64_t now_usec,
		  void (*told)(struct sw_followed *followed, uint64_t io_usec));

/* The path that a thread looks up, as it was given; "": not known. */
void sw_waits_path(pid_t tid, char *path, size_t size);

/*
 * What its frame pointer and link register are in user mode, whether or not its
 * code uses them as such; 0: not known, or there is none.
 */
void sw_waits_frame(pid_t tid, uint64_t *frame_pointer, uint64_t *link);

#endif
