/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reasons for waiting: states, calls, files and functions as seen on Linux 6.1,
 * 6.12 and 6.18 with FUSE, NFS and block devices that respond after 100 ms, and
 * for waits other than I/O.
 */
#include <check.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "recorder/waits/wait_reason.h"
#include "test/run_tests.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LUSTRE 0x0BD00BD0
#define EXT4 EXT4_SUPER_MAGIC
#define SOCKFS SOCKFS_MAGIC
#define PIPEFS PIPEFS_MAGIC
#define FUSE FUSE_SUPER_MAGIC
#define NFS NFS_SUPER_MAGIC

static const struct {
	const char *what;
	char state;
	bool in_iowait;
	int syscall;
	unsigned mode;
	uint32_t magic;
	const char *stack;	/* innermost function first */
	enum sw_wait_kind kind;
	enum sw_wait_fs fs;
} cases[] = {
	{ "FUSE read through the page cache", 'D', true, SYS_read, S_IFREG,
	  FUSE, "io_schedule folio_wait_bit_common filemap_update_page",
	  SW_WAIT_IO, SW_FS_FUSE },
	{ "FUSE direct read", 'S', false, SYS_pread64, S_IFREG, FUSE,
	  "request_wait_answer __fuse_simple_request fuse_direct_io",
	  SW_WAIT_IO, SW_FS_FUSE },
	{ "FUSE page fault", 'S', false, SW_WAIT_NO_CALL, 0, 0,
	  "request_wait_answer __fuse_simple_request fuse_do_readfolio",
	  SW_WAIT_IO, SW_FS_FUSE },
	{ "FUSE page fault that another one reads", 'D', true,
	  SW_WAIT_NO_CALL, 0, 0,
	  "io_schedule folio_wait_bit_common filemap_fault",
	  SW_WAIT_IO, SW_FS_UNKNOWN },
	{ "FUSE open", 'S', false, SYS_openat, 0, 0,
	  "request_wait_answer __fuse_simple_request fuse_send_open",
	  SW_WAIT_IO, SW_FS_FUSE },
	{ "FUSE stat", 'S', false, SYS_newfstatat, 0, 0,
	  "request_wait_answer", SW_WAIT_IO, SW_FS_FUSE },
	{ "FUSE lookup behind another one's", 'D', false, SYS_newfstatat, 0,
	  0, "rwsem_down_read_slowpath down_read request_wait_answer",
	  SW_WAIT_IO, SW_FS_FUSE },
	{ "FUSE write", 'S', false, SYS_write, S_IFREG, FUSE,
	  "request_wait_answer", SW_WAIT_IO, SW_FS_FUSE },
	{ "FUSE fsync", 'S', false, SYS_fsync, S_IFREG, FUSE,
	  "request_wait_answer", SW_WAIT_IO, SW_FS_FUSE },
	{ "FUSE read, stack unknown", 'S', false, SYS_read, S_IFREG, FUSE,
	  "", SW_WAIT_IO, SW_FS_FUSE },
	{ "NFS read through the page cache", 'D', true, SYS_pread64, S_IFREG,
	  NFS, "io_schedule folio_wait_bit_common", SW_WAIT_IO, SW_FS_NFS },
	{ "NFS sequential read", 'D', false, SYS_read, S_IFREG, NFS,
	  "rpc_wait_bit_killable __rpc_execute", SW_WAIT_IO, SW_FS_NFS },
	{ "NFS direct read", 'D', false, SYS_pread64, S_IFREG, NFS,
	  "nfs_file_direct_read", SW_WAIT_IO, SW_FS_NFS },
	{ "NFS direct write", 'D', false, SYS_pwrite64, S_IFREG, NFS,
	  "nfs_file_direct_write", SW_WAIT_IO, SW_FS_NFS },
	{ "NFS open", 'D', false, SYS_openat, 0, 0,
	  "rpc_wait_bit_killable", SW_WAIT_IO, SW_FS_NFS },
	{ "NFS stat", 'D', false, SYS_newfstatat, 0, 0,
	  "rpc_wait_bit_killable", SW_WAIT_IO, SW_FS_NFS },
	{ "NFS fsync", 'D', true, SYS_fsync, S_IFREG, NFS,
	  "folio_wait_bit_common folio_wait_writeback", SW_WAIT_IO,
	  SW_FS_NFS },
	{ "NFS page fault", 'D', true, SW_WAIT_NO_CALL, 0, 0,
	  "folio_wait_bit_common filemap_fault nfs_read_folio", SW_WAIT_IO,
	  SW_FS_NFS },
	{ "Lustre, idle state", 'I', false, SYS_read, S_IFREG, LUSTRE,
	  "cl_sync_io_wait osc_io_submit", SW_WAIT_IO, SW_FS_LUSTRE },
	{ "block device, direct", 'D', true, SYS_pread64, S_IFBLK, 0x62646576,
	  "io_schedule submit_bio_wait", SW_WAIT_IO, SW_FS_LOCAL },
	{ "direct read from a disk", 'D', true, SYS_pread64, S_IFREG, EXT4,
	  "__iomap_dio_rw.isra.0", SW_WAIT_IO, SW_FS_LOCAL },
	{ "fsync to a disk", 'D', true, SYS_fsync, S_IFREG, EXT4,
	  "jbd2_log_wait_commit", SW_WAIT_IO, SW_FS_LOCAL },
	{ "libaio", 'S', false, SYS_io_getevents, 0, 0, "read_events",
	  SW_WAIT_IO, SW_FS_UNKNOWN },
	{ "some I/O", 'D', true, SYS_mount, 0, 0, "io_schedule",
	  SW_WAIT_IO, SW_FS_UNKNOWN },
	{ "pipe", 'S', false, SYS_read, S_IFIFO, PIPEFS, "anon_pipe_read",
	  SW_WAIT_PIPE, SW_FS_NONE },
	{ "splice of a file to a pipe that is full", 'S', false, SYS_splice,
	  S_IFREG, EXT4, "pipe_wait_writable splice_file_to_pipe",
	  SW_WAIT_PIPE, SW_FS_NONE },
	{ "splice of a file that is read", 'D', true, SYS_splice, S_IFREG,
	  EXT4, "io_schedule folio_wait_bit_common filemap_splice_read",
	  SW_WAIT_IO, SW_FS_LOCAL },
	{ "pipe with a name on a FUSE mount", 'S', false, SYS_read, S_IFIFO,
	  FUSE, "", SW_WAIT_PIPE, SW_FS_NONE },
	{ "io_uring, of a file", 'S', true, SYS_io_uring_enter, S_IFREG,
	  ANON_INODE_FS_MAGIC, "io_cqring_wait", SW_WAIT_IO, SW_FS_UNKNOWN },
	{ "io_uring, nothing on its way", 'S', false, SYS_io_uring_enter, 0, 0,
	  "io_cqring_wait", SW_WAIT_POLL, SW_FS_NONE },
	{ "read from an eventfd", 'S', false, SYS_read, 0, ANON_INODE_FS_MAGIC,
	  "eventfd_read", SW_WAIT_POLL, SW_FS_NONE },
	{ "read from one that has a mode", 'S', false, SYS_read, S_IFREG,
	  ANON_INODE_FS_MAGIC, "eventfd_read", SW_WAIT_POLL, SW_FS_NONE },
	{ "open, of a path that is looked up there", 'D', true, SYS_openat, 0,
	  NFS, "io_schedule folio_wait_bit_common", SW_WAIT_IO, SW_FS_NFS },
	{ "TCP", 'S', false, SYS_recvfrom, S_IFSOCK, SOCKFS,
	  "wait_woken sk_wait_data", SW_WAIT_NETWORK, SW_FS_NONE },
	{ "read from a socket", 'S', false, SYS_read, S_IFSOCK, SOCKFS,
	  "wait_woken", SW_WAIT_NETWORK, SW_FS_NONE },
	{ "futex", 'S', false, SYS_futex, S_IFREG, NFS, "futex_do_wait",
	  SW_WAIT_LOCK, SW_FS_NONE },
	{ "sleep", 'S', false, SYS_clock_nanosleep, S_IFREG, FUSE,
	  "hrtimer_nanosleep", SW_WAIT_SLEEP, SW_FS_NONE },
	{ "a signal", 'S', false, SYS_rt_sigsuspend, S_IFREG, FUSE,
	  "sigsuspend", SW_WAIT_SIGNAL, SW_FS_NONE },
	{ "a page that somebody else reads, in open", 'D', false, SYS_openat,
	  0, FUSE, "__folio_lock invalidate_inode_pages2_range",
	  SW_WAIT_IO, SW_FS_FUSE },
	{ "epoll", 'S', false, SYS_epoll_pwait, 0, 0, "ep_poll",
	  SW_WAIT_POLL, SW_FS_NONE },
	{ "waiting for a child", 'S', false, SYS_wait4, 0, 0, "do_wait",
	  SW_WAIT_CHILD, SW_FS_NONE },
	{ "file lock", 'S', false, SYS_flock, S_IFREG, NFS,
	  "locks_lock_inode_wait", SW_WAIT_LOCK, SW_FS_NONE },
	{ "terminal", 'S', false, SYS_read, S_IFCHR, 0x1cd1, "n_tty_read",
	  SW_WAIT_TERMINAL, SW_FS_NONE },
	{ "vfork", 'D', false, SYS_vfork, 0, 0, "wait_for_vfork_done",
	  SW_WAIT_OTHER, SW_FS_NONE },
	{ "busy", 'R', false, SYS_read, S_IFREG, NFS,
	  "folio_wait_bit_common", SW_WAIT_NONE, SW_FS_NONE },
	{ "stopped", 'T', false, SYS_read, S_IFREG, NFS, "", SW_WAIT_STOPPED,
	  SW_FS_NONE },
	{ "no room", 'D', false, SW_WAIT_NO_CALL, 0, 0,
	  "throttle_direct_reclaim", SW_WAIT_MEMORY, SW_FS_NONE },
};

START_TEST(explained)
{
	struct sw_wait_sight sight = {
		.state = cases[_i].state, .in_iowait = cases[_i].in_iowait,
		.syscall = cases[_i].syscall, .file_mode = cases[_i].mode,
		.file_magic = cases[_i].magic };
	struct sw_wait_reason reason;
	char stack[256], *name;

	strcpy(stack, cases[_i].stack);
	for (name = strtok(stack, " "); name; name = strtok(NULL, " "))
		sight.function[sight.depth++] = sw_wait_function(name);
	reason = sw_wait_explain(&sight);
	ck_assert_msg(reason.kind == cases[_i].kind, "%s: %s, not %s",
		      cases[_i].what, sw_wait_kind_name(reason.kind),
		      sw_wait_kind_name(cases[_i].kind));
	ck_assert_msg(reason.fs == cases[_i].fs, "%s: of %s, not %s",
		      cases[_i].what, sw_wait_fs_name(reason.fs),
		      sw_wait_fs_name(cases[_i].fs));
}
END_TEST

static enum sw_wait_kind kind_of_asked(int call, unsigned long long first,
				       unsigned long long second,
				       unsigned long long third,
				       unsigned long long fifth)
{
	const unsigned long long argument[SW_ASKED_ARGUMENTS] = {
		first, second, third, 0, fifth };
	const struct sw_wait_sight sight = {
		.state = 'S', .syscall = call,
		.asked = sw_asked_about((unsigned)sw_wait_asked_call(call),
					argument) };

	return sw_wait_explain(&sight).kind;
}

/* Without a descriptor it is a sleep, and without a timeout a pause. */
START_TEST(events_or_a_time)
{
	ck_assert_int_eq(kind_of_asked(SYS_pselect6, 0, 0, 0, 4096),
			 SW_WAIT_SLEEP);
	ck_assert_int_eq(kind_of_asked(SYS_pselect6, 0, 0, 0, 0),
			 SW_WAIT_SIGNAL);
	ck_assert_int_eq(kind_of_asked(SYS_pselect6, 4, 4096, 0, 4096),
			 SW_WAIT_POLL);
	ck_assert_int_eq(kind_of_asked(SYS_ppoll, 0, 0, 4096, 0),
			 SW_WAIT_SLEEP);
	ck_assert_int_eq(kind_of_asked(SYS_ppoll, 0, 0, 0, 4096),
			 SW_WAIT_SIGNAL);
	ck_assert_int_eq(kind_of_asked(SYS_ppoll, 4096, 1, 4096, 0),
			 SW_WAIT_POLL);
	ck_assert_int_eq(kind_of_asked(SYS_epoll_pwait, 0, 0, 0, 0),
			 SW_WAIT_POLL);
#ifdef SYS_poll
	ck_assert_int_eq(kind_of_asked(SYS_select, 0, 0, 0, 4096),
			 SW_WAIT_SLEEP);
	ck_assert_int_eq(kind_of_asked(SYS_poll, 0, 0, 100, 0),
			 SW_WAIT_SLEEP);
	ck_assert_int_eq(kind_of_asked(SYS_poll, 0, 0, 0xffffffff, 4096),
			 SW_WAIT_SIGNAL);
	ck_assert_int_eq(kind_of_asked(SYS_poll, 4096, 1, 100, 0),
			 SW_WAIT_POLL);
#endif
}
END_TEST

START_TEST(names)
{
	uint16_t i, function;

	for (i = 0; i < SW_WAIT_FUNCTIONS; i++) {
		function = sw_wait_function(sw_wait_function_name(i));
		ck_assert_uint_eq(function, i);
	}
	ck_assert_uint_eq(sw_wait_function("do_waiter"), SW_WAIT_FUNCTIONS);
	ck_assert_uint_eq(sw_wait_function(""), SW_WAIT_FUNCTIONS);
	ck_assert_uint_eq(sw_wait_function("do_wait.part.0"),
			  sw_wait_function("do_wait"));
	ck_assert_uint_eq(sw_wait_function("rpc_wait_bit_killable [sunrpc]"),
			  sw_wait_function("rpc_wait_bit_killable"));
	ck_assert_ptr_null(sw_wait_function_name(SW_WAIT_FUNCTIONS));
	ck_assert_int_eq(sw_wait_fs_of_type("nfs4"), SW_FS_NFS);
	ck_assert_int_eq(sw_wait_fs_of_type("fuse.sshfs"), SW_FS_FUSE);
	ck_assert_int_eq(sw_wait_fs_of_type("xfs"), SW_FS_LOCAL);
	for (i = 0; i < SW_WAIT_KINDS; i++)
		ck_assert_ptr_nonnull(sw_wait_kind_name(i));
	for (i = 0; i < SW_FS_COUNT; i++)
		ck_assert_ptr_nonnull(sw_wait_fs_name(i));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("wait_reason");

	tcase_add_loop_test(tcase, explained, 0, (int)COUNT(cases));
	tcase_add_test(tcase, events_or_a_time);
	tcase_add_test(tcase, names);
	return run_tests("wait_reason", tcase, NULL);
}
