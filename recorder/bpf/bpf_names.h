/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of a file and of its parent directories; for *.bpf.c only. */
#ifndef SW_RECORDER_BPF_NAMES_H
#define SW_RECORDER_BPF_NAMES_H

#include "recorder/bpf/bpf_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "recorder/bpf/failures_record.h"

static __always_inline void read_names(struct sw_file_names *names,
				       struct dentry *entry)
{
	int i;

	names->device = BPF_CORE_READ(entry, d_sb, s_dev);
	bpf_probe_read_kernel_str(names->name, SW_NAME_SIZE,
				  BPF_CORE_READ(entry, d_name.name));
	/* The root is its own parent. */
	for (i = 0; i < SW_FOLDERS; i++) {
		entry = BPF_CORE_READ(entry, d_parent);
		bpf_probe_read_kernel_str(names->folder[i], SW_FOLDER_SIZE,
					  BPF_CORE_READ(entry, d_name.name));
	}
}

#endif
