/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Update the programs of steps from BPF's records of forks, execs and exits. */
#ifndef SW_RECORDER_BPF_RECORDS_H
#define SW_RECORDER_BPF_RECORDS_H

#include <stddef.h>

/* Process a record of any step; a callback for libbpf's ring buffers. */
int sw_bpf_record_take(void *unused, void *data, size_t size);

#endif
