/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Return the path of the kernel's BTF.  Without it, libbpf searches all modules
 * for what the kernel does not have, which takes time and CAP_SYS_ADMIN.
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
