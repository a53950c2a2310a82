/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classify why a thread is not running. */
#include "recorder/waits/wait_reason.h"

#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Numbers missing in linux/magic.h, from the sources of these file systems */
enum {
	MAGIC_LUSTRE = 0x0BD00BD0,
	MAGIC_GPFS = 0x47504653,
	MAGIC_BEEGFS = 0x19830326,
	MAGIC_CEPH = 0x00C36400,
};
#define MAGIC_CIFS 0xFF534D42u
#define MAGIC_SMB2 0xFE534D42u

static const struct {
	uint32_t magic;
	enum sw_wait_fs fs;
} magics[] = {
	{ NFS_SUPER_MAGIC, SW_FS_NFS },
	{ FUSE_SUPER_MAGIC, SW_FS_FUSE },
	{ MAGIC_LUSTRE, SW_FS_LUSTRE },
	{ MAGIC_GPFS, SW_FS_GPFS },
	{ MAGIC_BEEGFS, SW_FS_BEEGFS },
	{ MAGIC_CEPH, SW_FS_CEPH },
	{ MAGIC_CIFS, SW_FS_CIFS },
	{ MAGIC_SMB2, SW_FS_CIFS },
	{ SMB_SUPER_MAGIC, SW_FS_CIFS },
};

static const struct {
	const char *type;	/* as in mountinfo, up to a dot */
	enum sw_wait_fs fs;
} types[] = {
	{ "nfs", SW_FS_NFS }, { "nfs4", SW_FS_NFS },
	{ "fuse", SW_FS_FUSE }, { "fuseblk", SW_FS_FUSE },
	{ "lustre", SW_FS_LUSTRE },
	{ "gpfs", SW_FS_GPFS }, { "beegfs", SW_FS_BEEGFS },
	{ "ceph", SW_FS_CEPH }, { "cifs", SW_FS_CIFS },
	{ "smb3", SW_FS_CIFS },
};

static const char *const kind_names[SW_WAIT_KINDS] = {
	[SW_WAIT_NONE] = "none", [SW_WAIT_IO] = "io",
	[SW_WAIT_NETWORK] = "network", [SW_WAIT_PIPE] = "pipe",
	[SW_WAIT_LOCK] = "lock", [SW_WAIT_SLEEP] = "sleep",
	[SW_WAIT_SIGNAL] = "signal", [SW_WAIT_CHILD] = "child",
	[SW_WAIT_POLL] = "poll",
	[SW_WAIT_TERMINAL] = "terminal", [SW_WAIT_MEMORY] = "memory",
	[SW_WAIT_STOPPED] = "stopped", [SW_WAIT_OTHER] = "other",
};

static const char *const fs_names[SW_FS_COUNT] = {
	[SW_FS_NONE] = "", [SW_FS_UNKNOWN] = "unknown",
	[SW_FS_LOCAL] = "local", [SW_FS_NFS] = "nfs", [SW_FS_FUSE] = "fuse",
	[SW_FS_LUSTRE] = "lustre", [SW_FS_GPFS] = "gpfs",
	[SW_FS_BEEGFS] = "beegfs", [SW_FS_CEPH] = "ceph",
	[SW_FS_CIFS] = "cifs",
};

/* The file system has to be determined from the file. */
#define BY_FILE SW_FS_COUNT

/*
 * Kernel functions in which threads wait, of Linux 4.18 to 6.18, and their
 * meaning.  The innermost listed one decides.
 */
static const struct {
	const char *name;
	enum sw_wait_kind kind;
	int fs;			/* enum sw_wait_fs, or BY_FILE */
} functions[] = {
	/* FUSE: fs/fuse/dev.c */
	{ "request_wait_answer", SW_WAIT_IO, SW_FS_FUSE },
	{ "__fuse_request_send", SW_WAIT_IO, SW_FS_FUSE },
	{ "fuse_wait_on_page_writeback", SW_WAIT_IO, SW_FS_FUSE },
	{ "fuse_set_nowrite", SW_WAIT_IO, SW_FS_FUSE },
	{ "fuse_get_req", SW_WAIT_IO, SW_FS_FUSE },
	/* NFS and its RPC: fs/nfs, net/sunrpc */
	{ "rpc_wait_bit_killable", SW_WAIT_IO, SW_FS_NFS },
	{ "nfs_file_direct_read", SW_WAIT_IO, SW_FS_NFS },
	{ "nfs_file_direct_write", SW_WAIT_IO, SW_FS_NFS },
	{ "nfs_direct_wait", SW_WAIT_IO, SW_FS_NFS },
	{ "nfs_wait_bit_killable", SW_WAIT_IO, SW_FS_NFS },
	{ "nfs_wait_on_request", SW_WAIT_IO, SW_FS_NFS },
	{ "nfs_iocounter_wait", SW_WAIT_IO, SW_FS_NFS },
	{ "nfs4_delay", SW_WAIT_IO, SW_FS_NFS },
	{ "nfs_read_folio", SW_WAIT_IO, SW_FS_NFS },
	{ "nfs_readahead", SW_WAIT_IO, SW_FS_NFS },
	{ "nfs_file_read", SW_WAIT_IO, SW_FS_NFS },
	{ "nfs_file_write", SW_WAIT_IO, SW_FS_NFS },
	{ "nfs_file_fsync", SW_WAIT_IO, SW_FS_NFS },
	{ "nfs_wb_all", SW_WAIT_IO, SW_FS_NFS },
	{ "__rpc_execute", SW_WAIT_IO, SW_FS_NFS },
	/* Lustre: cl_io.c, client.c of its sources */
	{ "cl_sync_io_wait", SW_WAIT_IO, SW_FS_LUSTRE },
	{ "ptlrpc_set_wait", SW_WAIT_IO, SW_FS_LUSTRE },
	{ "ptlrpc_queue_wait", SW_WAIT_IO, SW_FS_LUSTRE },
	{ "osc_enter_cache", SW_WAIT_IO, SW_FS_LUSTRE },
	{ "ldlm_completion_ast", SW_WAIT_IO, SW_FS_LUSTRE },
	{ "ll_file_read_iter", SW_WAIT_IO, SW_FS_LUSTRE },
	{ "ll_file_write_iter", SW_WAIT_IO, SW_FS_LUSTRE },
	/* SMB and Ceph clients */
	{ "wait_for_response", SW_WAIT_IO, SW_FS_CIFS },
	{ "wait_for_free_credits", SW_WAIT_IO, SW_FS_CIFS },
	{ "ceph_mdsc_wait_request", SW_WAIT_IO, SW_FS_CEPH },
	{ "ceph_osdc_wait_request", SW_WAIT_IO, SW_FS_CEPH },
	{ "wait_caps", SW_WAIT_IO, SW_FS_CEPH },
	/* Page cache, of any file system */
	{ "folio_wait_bit_common", SW_WAIT_IO, BY_FILE },
	{ "folio_wait_bit", SW_WAIT_IO, BY_FILE },
	{ "folio_wait_writeback", SW_WAIT_IO, BY_FILE },
	{ "__folio_lock", SW_WAIT_IO, BY_FILE },
	{ "__folio_lock_killable", SW_WAIT_IO, BY_FILE },
	{ "__lock_page", SW_WAIT_IO, BY_FILE },
	{ "__lock_page_killable", SW_WAIT_IO, BY_FILE },
	{ "wait_on_page_bit", SW_WAIT_IO, BY_FILE },
	{ "wait_on_page_bit_common", SW_WAIT_IO, BY_FILE },
	{ "wait_on_page_writeback", SW_WAIT_IO, BY_FILE },
	{ "balance_dirty_pages", SW_WAIT_IO, BY_FILE },
	{ "filemap_fault", SW_WAIT_IO, BY_FILE },
	{ "wb_wait_for_completion", SW_WAIT_IO, BY_FILE },
	/* Block devices and the file systems on them */
	{ "submit_bio_wait", SW_WAIT_IO, SW_FS_LOCAL },
	{ "__iomap_dio_rw", SW_WAIT_IO, SW_FS_LOCAL },
	{ "iomap_dio_rw", SW_WAIT_IO, SW_FS_LOCAL },
	{ "iomap_dio_complete", SW_WAIT_IO, SW_FS_LOCAL },
	{ "do_blockdev_direct_IO", SW_WAIT_IO, SW_FS_LOCAL },
	{ "__blockdev_direct_IO", SW_WAIT_IO, SW_FS_LOCAL },
	{ "blkdev_direct_IO", SW_WAIT_IO, SW_FS_LOCAL },
	{ "__blkdev_direct_IO_simple", SW_WAIT_IO, SW_FS_LOCAL },
	{ "blk_mq_get_tag", SW_WAIT_IO, SW_FS_LOCAL },
	{ "rq_qos_wait", SW_WAIT_IO, SW_FS_LOCAL },
	{ "wbt_wait", SW_WAIT_IO, SW_FS_LOCAL },
	{ "__wait_on_buffer", SW_WAIT_IO, SW_FS_LOCAL },
	{ "jbd2_log_wait_commit", SW_WAIT_IO, SW_FS_LOCAL },
	{ "wait_transaction_locked", SW_WAIT_IO, SW_FS_LOCAL },
	{ "xlog_wait", SW_WAIT_IO, SW_FS_LOCAL },
	{ "xlog_force_lsn", SW_WAIT_IO, SW_FS_LOCAL },
	{ "xfs_buf_iowait", SW_WAIT_IO, SW_FS_LOCAL },
	{ "btrfs_wait_ordered_range", SW_WAIT_IO, SW_FS_LOCAL },
	{ "read_events", SW_WAIT_IO, SW_FS_UNKNOWN },	/* fs/aio.c */
	/* Memory */
	{ "throttle_direct_reclaim", SW_WAIT_MEMORY, SW_FS_NONE },
	{ "reclaim_throttle", SW_WAIT_MEMORY, SW_FS_NONE },
	{ "mem_cgroup_handle_over_high", SW_WAIT_MEMORY, SW_FS_NONE },
	{ "__mem_cgroup_handle_over_high", SW_WAIT_MEMORY, SW_FS_NONE },
	{ "shrink_node", SW_WAIT_MEMORY, SW_FS_NONE },
	{ "do_swap_page", SW_WAIT_MEMORY, SW_FS_NONE },
	{ "mem_cgroup_oom_synchronize", SW_WAIT_MEMORY, SW_FS_NONE },
	/* Locks of the kernel, and of files */
	{ "rwsem_down_read_slowpath", SW_WAIT_LOCK, SW_FS_NONE },
	{ "rwsem_down_write_slowpath", SW_WAIT_LOCK, SW_FS_NONE },
	{ "__mutex_lock", SW_WAIT_LOCK, SW_FS_NONE },
	{ "locks_lock_inode_wait", SW_WAIT_LOCK, SW_FS_NONE },
	{ "fcntl_setlk", SW_WAIT_LOCK, SW_FS_NONE },
	{ "do_lock_file_wait", SW_WAIT_LOCK, SW_FS_NONE },
	{ "futex_wait_queue", SW_WAIT_LOCK, SW_FS_NONE },
	{ "futex_wait_queue_me", SW_WAIT_LOCK, SW_FS_NONE },
	{ "futex_do_wait", SW_WAIT_LOCK, SW_FS_NONE },
	/* Others that may look like files */
	{ "pipe_read", SW_WAIT_PIPE, SW_FS_NONE },
	{ "pipe_write", SW_WAIT_PIPE, SW_FS_NONE },
	{ "pipe_wait", SW_WAIT_PIPE, SW_FS_NONE },
	{ "pipe_wait_readable", SW_WAIT_PIPE, SW_FS_NONE },
	{ "pipe_wait_writable", SW_WAIT_PIPE, SW_FS_NONE },
	{ "anon_pipe_read", SW_WAIT_PIPE, SW_FS_NONE },
	{ "anon_pipe_write", SW_WAIT_PIPE, SW_FS_NONE },
	{ "wait_for_partner", SW_WAIT_PIPE, SW_FS_NONE },
	{ "n_tty_read", SW_WAIT_TERMINAL, SW_FS_NONE },
	{ "n_tty_write", SW_WAIT_TERMINAL, SW_FS_NONE },
	{ "do_wait", SW_WAIT_CHILD, SW_FS_NONE },
	{ "do_signal_stop", SW_WAIT_STOPPED, SW_FS_NONE },
	{ "ptrace_stop", SW_WAIT_STOPPED, SW_FS_NONE },
	{ "do_freezer_trap", SW_WAIT_STOPPED, SW_FS_NONE },
	{ "io_cqring_wait", SW_WAIT_POLL, SW_FS_NONE },
	{ "ep_poll", SW_WAIT_POLL, SW_FS_NONE },
};

const uint16_t SW_WAIT_FUNCTIONS = COUNT(functions);

/* System calls that wait for one kind of event, whatever their arguments */
static const struct {
	int number;
	enum sw_wait_kind kind;
} calls[] = {
	{ SYS_futex, SW_WAIT_LOCK }, { SYS_flock, SW_WAIT_LOCK },
	{ SYS_fcntl, SW_WAIT_LOCK },	/* for F_SETLKW */
	{ SYS_semop, SW_WAIT_LOCK }, { SYS_semtimedop, SW_WAIT_LOCK },
	{ SYS_msgrcv, SW_WAIT_PIPE }, { SYS_msgsnd, SW_WAIT_PIPE },
	{ SYS_mq_timedreceive, SW_WAIT_PIPE },
	{ SYS_mq_timedsend, SW_WAIT_PIPE },
	{ SYS_nanosleep, SW_WAIT_SLEEP },
	{ SYS_clock_nanosleep, SW_WAIT_SLEEP },
	{ SYS_rt_sigsuspend, SW_WAIT_SIGNAL },
	{ SYS_rt_sigtimedwait, SW_WAIT_SLEEP },
	{ SYS_wait4, SW_WAIT_CHILD }, { SYS_waitid, SW_WAIT_CHILD },
	{ SYS_ppoll, SW_WAIT_POLL }, { SYS_pselect6, SW_WAIT_POLL },
	{ SYS_epoll_pwait, SW_WAIT_POLL },
	{ SYS_accept, SW_WAIT_NETWORK }, { SYS_accept4, SW_WAIT_NETWORK },
	{ SYS_connect, SW_WAIT_NETWORK }, { SYS_sendto, SW_WAIT_NETWORK },
	{ SYS_recvfrom, SW_WAIT_NETWORK }, { SYS_sendmsg, SW_WAIT_NETWORK },
	{ SYS_recvmsg, SW_WAIT_NETWORK }, { SYS_recvmmsg, SW_WAIT_NETWORK },
	{ SYS_sendmmsg, SW_WAIT_NETWORK },
	{ SYS_io_getevents, SW_WAIT_IO },
#ifdef SYS_io_pgetevents
	{ SYS_io_pgetevents, SW_WAIT_IO },
#endif
#ifdef SYS_io_uring_enter
	{ SYS_io_uring_enter, SW_WAIT_POLL },
#endif
#ifdef SYS_epoll_pwait2
	{ SYS_epoll_pwait2, SW_WAIT_POLL },
#endif
#ifdef SYS_pause
	{ SYS_pause, SW_WAIT_SIGNAL },
#endif
#ifdef SYS_poll
	{ SYS_poll, SW_WAIT_POLL }, { SYS_select, SW_WAIT_POLL },
	{ SYS_epoll_wait, SW_WAIT_POLL },
#endif
};

/* System calls that wait for the file in their first argument */
static const int file_calls[] = {
	SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64,
	SYS_preadv, SYS_pwritev, SYS_preadv2, SYS_pwritev2, SYS_fsync,
	SYS_fdatasync, SYS_sync_file_range, SYS_fstat, SYS_ftruncate,
	SYS_fallocate, SYS_getdents64, SYS_close, SYS_copy_file_range,
	SYS_sendfile, SYS_splice, SYS_lseek, SYS_fchmod, SYS_fchown,
	SYS_fgetxattr, SYS_fsetxattr, SYS_syncfs, SYS_readahead, SYS_ioctl,
};

enum sw_wait_fs sw_wait_fs_of_magic(uint32_t magic)
{
	size_t i;

	for (i = 0; i < COUNT(magics); i++) {
		if (magics[i].magic == magic)
			return magics[i].fs;
	}
	return magic ? SW_FS_LOCAL : SW_FS_UNKNOWN;
}

uint32_t sw_wait_magic_of_fs(enum sw_wait_fs fs)
{
	size_t i;

	for (i = 0; i < COUNT(magics); i++) {
		if (magics[i].fs == fs)
			return magics[i].magic;
	}
	return fs == SW_FS_LOCAL ? EXT4_SUPER_MAGIC : 0;
}

enum sw_wait_fs sw_wait_fs_of_type(const char *type)
{
	size_t i, length = strcspn(type, ".");

	for (i = 0; i < COUNT(types); i++) {
		if (strlen(types[i].type) == length &&
		    !memcmp(types[i].type, type, length))
			return types[i].fs;
	}
	return SW_FS_LOCAL;
}

uint16_t sw_wait_function(const char *name)
{
	/* Matches "wait_bit.isra.0" and "rpc_execute [sunrpc]", too. */
	size_t length = strcspn(name, ". ");
	uint16_t i;

	for (i = 0; i < COUNT(functions); i++) {
		if (strlen(functions[i].name) == length &&
		    !memcmp(functions[i].name, name, length))
			return i;
	}
	return SW_WAIT_FUNCTIONS;
}

const char *sw_wait_function_name(uint16_t function)
{
	return function < SW_WAIT_FUNCTIONS ? functions[function].name : NULL;
}

const char *sw_wait_kind_name(enum sw_wait_kind kind)
{
	return kind_names[kind];
}

const char *sw_wait_fs_name(enum sw_wait_fs fs)
{
	return fs_names[fs];
}

bool sw_wait_is_file_call(int number)
{
	size_t i;

	for (i = 0; i < COUNT(file_calls); i++) {
		if (file_calls[i] == number)
			return true;
	}
	return false;
}

enum sw_asked_call sw_wait_asked_call(int number)
{
	switch (number) {
#ifdef SYS_poll
	case SYS_poll:
		return SW_ASKED_BY_POLL;
	case SYS_select:
#endif
	case SYS_pselect6:
		return SW_ASKED_BY_SELECT;
	case SYS_ppoll:
		return SW_ASKED_BY_PPOLL;
	default:
		return SW_ASKED_BY_OTHER;
	}
}

/* Classify by the file alone; SW_WAIT_OTHER if that is not sufficient. */
static struct sw_wait_reason explain_file(const struct sw_wait_sight *sight)
{
	const struct sw_wait_reason other = { SW_WAIT_OTHER, SW_FS_NONE };
	enum sw_wait_kind kind;

	/* An event descriptor, whatever its mode */
	if (sight->file_magic == ANON_INODE_FS_MAGIC)
		return (struct sw_wait_reason){ SW_WAIT_POLL, SW_FS_NONE };
	switch (sight->file_mode & S_IFMT) {
	case S_IFSOCK:
		kind = SW_WAIT_NETWORK;
		break;
	case S_IFIFO:
		kind = SW_WAIT_PIPE;
		break;
	case S_IFCHR:
		kind = SW_WAIT_TERMINAL;
		break;
	case S_IFREG:
	case S_IFDIR:
	case S_IFBLK:
		return (struct sw_wait_reason){
			SW_WAIT_IO, sw_wait_fs_of_magic(sight->file_magic) };
	default:
		return other;
	}
	return (struct sw_wait_reason){ kind, SW_FS_NONE };
}

/* Find the file system in the stack if the wait is in the page cache. */
static enum sw_wait_fs fs_of_stack(const struct sw_wait_sight *sight)
{
	size_t i;

	for (i = 0; i < sight->depth; i++) {
		uint16_t function = sight->function[i];

		if (function < SW_WAIT_FUNCTIONS &&
		    functions[function].kind == SW_WAIT_IO &&
		    functions[function].fs != BY_FILE)
			return (enum sw_wait_fs)functions[function].fs;
	}
	return SW_FS_UNKNOWN;
}

static enum sw_wait_fs find_fs(const struct sw_wait_sight *sight, int fs)
{
	if (fs != BY_FILE && fs != SW_FS_UNKNOWN)
		return (enum sw_wait_fs)fs;
	if (sight->file_magic)
		return sw_wait_fs_of_magic(sight->file_magic);
	return fs_of_stack(sight);
}

/* Classify by the innermost known function; false if there is none. */
static bool explain_stack(const struct sw_wait_sight *sight,
			  struct sw_wait_reason *reason)
{
	size_t i;

	for (i = 0; i < sight->depth; i++) {
		uint16_t function = sight->function[i];

		if (function >= SW_WAIT_FUNCTIONS)
			continue;
		reason->kind = functions[function].kind;
		reason->fs = reason->kind == SW_WAIT_IO ?
				     find_fs(sight, functions[function].fs) :
				     SW_FS_NONE;
		/* Only in_iowait shows that io_uring waits for files. */
		if (reason->kind == SW_WAIT_POLL && sight->in_iowait)
			*reason = (struct sw_wait_reason){ SW_WAIT_IO,
							   SW_FS_UNKNOWN };
		/* A lock within a file system: its holder waits for I/O. */
		if (reason->kind == SW_WAIT_LOCK &&
		    fs_of_stack(sight) != SW_FS_UNKNOWN)
			*reason = (struct sw_wait_reason){
				SW_WAIT_IO, fs_of_stack(sight) };
		return true;
	}
	return false;
}

static struct sw_wait_reason explain_call(const struct sw_wait_sight *sight)
{
	size_t i;

	for (i = 0; i < COUNT(calls); i++) {
		if (calls[i].number == sight->syscall)
			return (struct sw_wait_reason){
				calls[i].kind,
				calls[i].kind == SW_WAIT_IO ? SW_FS_UNKNOWN :
							      SW_FS_NONE };
	}
	if (sw_wait_is_file_call(sight->syscall))
		return explain_file(sight);
	return (struct sw_wait_reason){ SW_WAIT_OTHER, SW_FS_NONE };
}

struct sw_wait_reason sw_wait_explain(const struct sw_wait_sight *sight)
{
	struct sw_wait_reason reason = { SW_WAIT_NONE, SW_FS_NONE };

	if (sight->state == 'R' || sight->state == 'Z' || sight->state == 'X')
		return reason;
	if (sight->state == 'T' || sight->state == 't') {
		reason.kind = SW_WAIT_STOPPED;
		return reason;
	}
	if (!explain_stack(sight, &reason))
		reason = explain_call(sight);
	if (reason.kind == SW_WAIT_POLL && sight->asked != SW_ASKED_EVENTS)
		reason.kind = sight->asked == SW_ASKED_TIME ? SW_WAIT_SLEEP :
							      SW_WAIT_SIGNAL;
	/* Trust the kernel if it counts an unknown wait as I/O. */
	if (reason.kind == SW_WAIT_OTHER && sight->in_iowait)
		reason = (struct sw_wait_reason){ SW_WAIT_IO,
						  find_fs(sight, BY_FILE) };
	return reason;
}
