/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bringing BPF up: a thread of its own does it, part by part, as it takes tens
 * of milliseconds in which whoever speaks to the recorder wants an answer.
 */
#ifndef SW_RECORDER_BPF_UP_H
#define SW_RECORDER_BPF_UP_H

#include <stdbool.h>

#include "common/error.h"

struct exec_bpf;

/* In this order. */
enum sw_bpf_part {
	SW_BPF_RECORDS,		/* exec.bpf.c and failures.bpf.c */
	SW_BPF_LOOKS,		/* snapshot.bpf.c and waits.bpf.c */
	SW_BPF_PARTS
};

/*
 * Bring up all parts up to this one, after so long a nap; one that was begun
 * is not begun again.  Done at once where there can be no thread.
 */
void sw_bpf_begin(enum sw_bpf_part last, unsigned int nap_msec);

/* Is it done, as well as can be had here? */
bool sw_bpf_is_done(enum sw_bpf_part part);

/* Is a part being brought up, or to be? */
bool sw_bpf_is_coming_up(void);

/* Wait until it is, begun or not. */
void sw_bpf_await(enum sw_bpf_part part);

/* Readable for each part that is done, until it is read; -1: never. */
int sw_bpf_fd(void);

/* Once SW_BPF_RECORDS is done.  NULL with *error: they cannot be had. */
struct exec_bpf *sw_bpf_records(struct sw_error *error);

#endif
