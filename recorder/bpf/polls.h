/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measure the part of ranks' CPU time that is polling: waiting MPI uses a whole
 * CPU without system calls, which otherwise looks like computing.  Needs
 * bpf_find_vma (5.17).
 */
#ifndef SW_RECORDER_POLLS_H
#define SW_RECORDER_POLLS_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/error.h"

struct bpf_map;

/* CPU time of a process between samples */
enum { SW_POLLS_NSEC = 50000000 };

/*
 * Each switch to or from a watched thread costs it about 0.8 us, permanently:
 * the kernel swaps the event contexts of two processes only as long as both
 * have just what they inherited (bench/bench_polls).  So a process is watched
 * only if it has switched less often than this per second for a while; one that
 * waits more often does not poll.
 */
enum { SW_POLLS_SWITCHES_MAX = 2000, SW_POLLS_CALM_NSEC = 500000000 };

/* Return 0, or -1 with *error if polling cannot be observed. */
int sw_polls_open(const struct bpf_map *processes, struct sw_error *error);

/*
 * Sample the process's threads and children from now on; results are counted in
 * struct sw_record_sums.  Return a descriptor, to be closed to stop sampling,
 * or -1.
 */
int sw_polls_watch(pid_t pid);

#endif
