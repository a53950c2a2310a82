/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of system calls in which threads wait. */
#include <stddef.h>
#include <sys/syscall.h>

#include "recorder/waits/wait_reason.h"

#define CALL(name) { SYS_##name, #name }

static const struct {
	int number;
	const char *name;
} calls[] = {
	CALL(read), CALL(write), CALL(readv), CALL(writev), CALL(pread64),
	CALL(pwrite64), CALL(preadv), CALL(pwritev), CALL(preadv2),
	CALL(pwritev2), CALL(fsync), CALL(fdatasync), CALL(sync_file_range),
	CALL(fstat), CALL(ftruncate), CALL(fallocate), CALL(getdents64),
	CALL(close), CALL(copy_file_range), CALL(sendfile), CALL(splice),
	CALL(lseek), CALL(fchmod), CALL(fchown), CALL(fgetxattr),
	CALL(fsetxattr), CALL(syncfs), CALL(readahead), CALL(ioctl),
	CALL(sync), CALL(openat), CALL(newfstatat), CALL(faccessat),
	CALL(mkdirat), CALL(unlinkat), CALL(renameat2), CALL(linkat),
	CALL(symlinkat), CALL(readlinkat), CALL(fchmodat), CALL(fchownat),
	CALL(utimensat), CALL(truncate), CALL(statfs), CALL(fstatfs),
	CALL(execve), CALL(execveat), CALL(chdir), CALL(mmap), CALL(munmap),
	CALL(msync), CALL(madvise), CALL(getxattr), CALL(setxattr),
	CALL(io_getevents), CALL(io_submit), CALL(fadvise64), CALL(fcntl),
	CALL(flock), CALL(mount), CALL(umount2), CALL(exit), CALL(exit_group),
	CALL(futex), CALL(semop), CALL(semtimedop), CALL(msgrcv), CALL(msgsnd),
	CALL(mq_timedreceive), CALL(mq_timedsend), CALL(nanosleep),
	CALL(clock_nanosleep), CALL(rt_sigsuspend), CALL(rt_sigtimedwait),
	CALL(wait4), CALL(waitid), CALL(ppoll), CALL(pselect6),
	CALL(epoll_pwait), CALL(accept), CALL(accept4), CALL(connect),
	CALL(sendto), CALL(recvfrom), CALL(sendmsg), CALL(recvmsg),
	CALL(recvmmsg), CALL(sendmmsg),
#ifdef SYS_statx
	CALL(statx),
#endif
#ifdef SYS_openat2
	CALL(openat2), CALL(close_range), CALL(faccessat2),
#endif
#ifdef SYS_io_uring_enter
	CALL(io_uring_enter),
#endif
#ifdef SYS_open
	CALL(open), CALL(stat), CALL(lstat), CALL(access), CALL(creat),
	CALL(mkdir), CALL(rmdir), CALL(unlink), CALL(rename), CALL(link),
	CALL(symlink), CALL(readlink), CALL(chmod), CALL(chown),
	CALL(getdents), CALL(pause), CALL(poll), CALL(select),
	CALL(epoll_wait),
#endif
};

/* Calls that some architectures lack */
static bool is_old_metadata(int number)
{
#ifdef SYS_open
	switch (number) {
	case SYS_open: case SYS_stat: case SYS_lstat: case SYS_access:
	case SYS_creat: case SYS_mkdir: case SYS_rmdir: case SYS_unlink:
	case SYS_rename: case SYS_link: case SYS_symlink: case SYS_readlink:
	case SYS_chmod: case SYS_chown: case SYS_getdents:
		return true;
	}
#endif
#ifdef SYS_openat2
	if (number == SYS_openat2)
		return true;
#endif
#ifdef SYS_faccessat2
	if (number == SYS_faccessat2)
		return true;
#endif
	return false;
}

enum sw_wait_access sw_wait_call_access(int number)
{
	switch (number) {
	case SYS_read: case SYS_readv: case SYS_pread64: case SYS_preadv:
	case SYS_preadv2: case SYS_copy_file_range: case SYS_splice:
		return SW_ACCESS_READ;
	case SYS_write: case SYS_writev: case SYS_pwrite64: case SYS_pwritev:
	case SYS_pwritev2: case SYS_fsync: case SYS_fdatasync:
	case SYS_sync_file_range: case SYS_fallocate: case SYS_sendfile:
		return SW_ACCESS_WRITE;
	case SYS_openat: case SYS_newfstatat: case SYS_faccessat:
	case SYS_getdents64: case SYS_mkdirat: case SYS_unlinkat:
	case SYS_renameat2: case SYS_linkat: case SYS_symlinkat:
	case SYS_readlinkat: case SYS_fchmodat: case SYS_fchownat:
	case SYS_statx: case SYS_utimensat: case SYS_statfs:
		return SW_ACCESS_METADATA;
	default:
		return is_old_metadata(number) ? SW_ACCESS_METADATA :
						 SW_ACCESS_NONE;
	}
}

const char *sw_wait_access_name(enum sw_wait_access access)
{
	static const char *const names[SW_ACCESSES] = {
		[SW_ACCESS_READ] = "read", [SW_ACCESS_WRITE] = "write",
		[SW_ACCESS_METADATA] = "metadata",
	};

	return names[access];
}

const char *sw_wait_call_name(int number)
{
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (calls[i].number == number)
			return calls[i].name;
	}
	return NULL;
}
