/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: stepwell-stack.
 *
 * A crafted file that exploits a bug in libdw must not give its user a process
 * outside the job: the filter forbids executing, connecting and writing
 * anywhere.  Written by hand, because libseccomp would be another library, and
 * stacks are read on two processors only (set_registers() of stack_main.c).  An
 * unknown call fails instead of killing the process, so that an untested C
 * library costs at most a stack.
 */
#include "recorder/stacks/stack_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* The runtime of a sanitizer needs further calls. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#undef ARCHITECTURE
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#undef ARCHITECTURE
#endif
#endif

#ifdef ARCHITECTURE

#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define LOAD(member) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))

/* With the number loaded: allow, or continue with the next. */
#define CALL(name) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), ALLOW

/* Likewise if none of these bits is set in the argument. */
#define CALL_WITHOUT(name, argument, bits) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), \
	LOAD(args[argument]), \
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), \
	REFUSE, ALLOW

void sw_stack_filter(void)
{
	static struct sock_filter steps[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
		REFUSE,
		LOAD(nr),
		CALL(read), CALL(pread64), CALL(write), CALL(close),
		CALL(lseek), CALL(fstat), CALL(newfstatat),
		CALL(munmap), CALL(mremap), CALL(madvise), CALL(brk),
		CALL(futex), CALL(getrandom), CALL(clock_gettime),
		CALL(rt_sigreturn), CALL(exit), CALL(exit_group),
		CALL_WITHOUT(openat, 2, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC),
		CALL_WITHOUT(mmap, 2, PROT_EXEC),
		CALL_WITHOUT(mprotect, 2, PROT_EXEC),
		REFUSE,
	};
	struct sock_fprog program = {
		.len = sizeof(steps) / sizeof(steps[0]), .filter = steps };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#else

void sw_stack_filter(void)
{
}

#endif
