/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of the CPU time of ranks is polling: MPI that waits uses a whole
 * CPU without a system call, so that nothing else tells it from work.  Needs
 * bpf_find_vma (5.17).
 */
#ifndef SW_RECORDER_POLLS_H
#define SW_RECORDER_POLLS_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/error.h"

struct bpf_map;

/* A process is looked at each time it has used so much CPU time. */
enum { SW_POLLS_NSEC = 50000000 };

/*
 * Each switch to or from a watched thread costs it about 0.8 us, for good: the
 * kernel exchanges the events of two processes at once only as long as both
 * have what they inherited (bench/bench_polls).  A process that waits more
 * often in a second, and so does not poll, is not watched.  It has not done so
 * for a while before it is.
 */
enum { SW_POLLS_SWITCHES_MAX = 2000, SW_POLLS_CALM_NSEC = 500000000 };

/* 0, or -1 with *error: nobody can be watched. */
int sw_polls_open(const struct bpf_map *processes, struct sw_error *error);

/*
 * From now on the process's threads and children are looked at; what is seen
 * is counted in struct sw_record_sums.  The descriptor ends it when closed;
 * -1: it cannot be watched.
 */
int sw_polls_watch(pid_t pid);

#endif
