/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel says what its structures look like.  It is named to libbpf,
 * which otherwise looks for what this kernel does not have in all of its
 * modules: that takes time, and CAP_SYS_ADMIN.
 */
#ifndef SW_RECORDER_BTF_PATH_H
#define SW_RECORDER_BTF_PATH_H

#include <stddef.h>
#include <unistd.h>

static inline const char *sw_btf_path(void)
{
	static const char path[] = "/sys/kernel/btf/vmlinux";

	return access(path, R_OK) == 0 ? path : NULL;
}

#endif
