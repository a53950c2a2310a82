/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What BPF's records of forks, execs and exits say of the programs of steps. */
#ifndef SW_RECORDER_BPF_RECORDS_H
#define SW_RECORDER_BPF_RECORDS_H

#include <stddef.h>

/* One record, of whichever step; as libbpf's rings call it. */
int sw_bpf_record_take(void *unused, void *data, size_t size);

#endif
