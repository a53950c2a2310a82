/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Load BPF in a thread of its own, part by part: it takes tens of milliseconds,
 * and clients of the recorder must not wait for that.
 */
#ifndef SW_RECORDER_BPF_UP_H
#define SW_RECORDER_BPF_UP_H

#include <stdbool.h>

#include "common/error.h"

struct exec_bpf;

/* In order of loading */
enum sw_bpf_part {
	SW_BPF_RECORDS,		/* exec.bpf.c and failures.bpf.c */
	SW_BPF_LOOKS,		/* snapshot.bpf.c and waits.bpf.c */
	SW_BPF_PARTS
};

/*
 * Load all parts up to this one, after a delay; a part that was begun is not
 * begun again.  Loads synchronously if no thread can be created.
 */
void sw_bpf_begin(enum sw_bpf_part last, unsigned int nap_msec);

/* Return whether the part is loaded, as far as this kernel allows. */
bool sw_bpf_is_done(enum sw_bpf_part part);

/* Return whether a part is being loaded or waits for that. */
bool sw_bpf_is_coming_up(void);

/* Load the part if needed and wait for it. */
void sw_bpf_await(enum sw_bpf_part part);

/* Return a descriptor that becomes readable when a part is done, or -1. */
int sw_bpf_fd(void);

/* Return the records once SW_BPF_RECORDS is done, or NULL with *error. */
struct exec_bpf *sw_bpf_records(struct sw_error *error);

#endif
