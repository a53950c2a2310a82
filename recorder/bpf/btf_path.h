/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel says what its structures look like.  It is named to libbpf,
 * which otherwise looks for what this kernel does not have in all of its
 * modules: that takes time, and CAP_SYS_ADMIN.
 */
#ifndef SW_RECORDER_BTF_PATH_H
#define SW_RECORDER_BTF_PATH_H

#define SW_BTF_PATH "/sys/kernel/btf/vmlinux"

#endif
