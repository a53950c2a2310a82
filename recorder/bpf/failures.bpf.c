/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Record the last failed calls of each process of a step, seen at the return of
 * kernel functions: unlike tracepoints of system calls, this costs other
 * processes of the node only the check whether they are followed.  A failure is
 * dropped when a later call makes it good.  Also count opened files, which the
 * kernel does not.
 */
#include "recorder/bpf/bpf_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "recorder/bpf/bpf_failures.h"
#include "recorder/bpf/bpf_names.h"
#include "recorder/bpf/failures_record.h"

enum {
	CONNECTING_MAX = 1024,
	/* include/linux/err.h */
	ERROR_MAX = 4095,
	/* From the kernel's fcntl.h, fs.h and stat.h */
	OPEN_ACCESS = 3, OPEN_READ = 0, OPEN_TO_EXECUTE = 0x20,
	OPEN_TO_ASK = 010000000,	/* O_PATH */
	TYPE_MASK = 0170000, TYPE_REGULAR = 0100000, TYPE_SOCKET = 0140000,
	TYPE_PIPE = 0010000,
	/* include/net/tcp_states.h, include/linux/socket.h */
	TCP_ESTABLISHED = 1, TCP_SYN_SENT = 2,
	FAMILY_INET = 2, FAMILY_INET6 = 10,
	ERROR_INTERRUPTED = 4, ERROR_AGAIN = 11, ERROR_NO_MEMORY = 12,
	ERROR_ACCESS = 13, ERROR_EXISTS = 17, ERROR_INVALID = 22, ERROR_OTHER_DEVICE = 18,
	ERROR_NOT_SUPPORTED = 95, ERROR_RESTART = 512,
};

/*
 * Sockets that wait for an answer, and their processes: stored with each
 * socket, so that one job's sockets cannot displace those of others
 */
struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct process_id);
} waiting SEC(".maps");

/* The same by address of the socket, before Linux 5.11 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, CONNECTING_MAX);
	__type(key, __u64);
	__type(value, struct process_id);
} connecting SEC(".maps");

/* Python reads source files to print where it failed. */
static int is_source(const struct dentry *entry)
{
	__u32 length = entry->d_name.len;
	char end[3];

	return length > sizeof(end) &&
	       bpf_probe_read_kernel(end, sizeof(end), entry->d_name.name +
				     length - sizeof(end)) == 0 &&
	       end[0] == '.' && end[1] == 'p' && end[2] == 'y';
}

/* Return true if the open may undo a failure; else its path is not read. */
static int has_failed_before(const struct sw_failures *kept, __u32 length)
{
	int i;

	for (i = 0; i < SW_FAILURES_KEPT; i++) {
		const struct sw_failure *failure = &kept->failure[i];

		if (failure->kind == SW_FAILURE_OPEN &&
		    (!failure->length || failure->length == length))
			return 1;
	}
	return 0;
}

static void make_open_good(struct sw_failures *kept, const char *path)
{
	struct sw_failure *failure = get_scratch(OPENS);

	if (!failure)
		return;
	set_name(failure, read_tail(failure->text, path));
	make_good(kept, SW_FAILURE_OPEN, failure->name, 0);
}

static void note_read(struct sw_failures *kept, const struct file *file)
{
	__u64 place = kept->next_read;

	barrier_var(place);	/* for the verifier */
	if (place >= SW_READS_KEPT)
		place = 0;
	kept->next_read = (__u32)place + 1;
	kept->opened++;
	/* Store no names here: they are expensive, and rarely needed. */
	kept->read[place].at.entry = (unsigned long)file->f_path.dentry;
	kept->read[place].at.inode = (unsigned long)file->f_inode;
	kept->read[place].at.number = file->f_inode->i_ino;
}

static void note_opened(const struct process_id *process, const char *path,
			int access, const struct file *file)
{
	struct sw_failures *kept = find(process);

	if (!kept)
		kept = make(process);
	if (!kept)
		return;
	if (kept->open_ones) {
		if (has_failed_before(kept, file->f_path.dentry->d_name.len))
			make_open_good(kept, path);
		if (is_source(file->f_path.dentry))
			return;
	}
	if (access == OPEN_READ)
		note_read(kept, file);
	else
		kept->opened += SW_READS_KEPT + 1;
}

static void count_open(const struct process_id *process)
{
	struct sw_record_process *counted =
		bpf_map_lookup_elem(&processes, &process->tgid);

	if (counted)
		__sync_fetch_and_add(&counted->sums.opens, 1);
}

static int is_kept(long error)
{
	return error != ERROR_INTERRUPTED && error != ERROR_AGAIN &&
	       error != ERROR_EXISTS && error < ERROR_RESTART;
}

static int see_open(const char *path, int flags, struct file *file)
{
	struct process_id process;
	long result;

	if (!get_caller(&process))
		return 0;
	if ((unsigned long)file < -(unsigned long)ERROR_MAX) {
		if (!(flags & OPEN_TO_EXECUTE) &&
		    (file->f_inode->i_mode & TYPE_MASK) == TYPE_REGULAR) {
			count_open(&process);
			if (has_users_rights(&process))
				note_opened(&process, path,
					    flags & OPEN_ACCESS, file);
		}
		return 0;
	}
	/* The verifier does not allow converting the pointer to a number. */
	bpf_probe_read_kernel(&result, sizeof(result), &file);
	if (is_kept(-result) && !(flags & OPEN_TO_ASK) &&
	    has_users_rights(&process))
		note_path(&process, OPENS, path,
			  flags & OPEN_TO_EXECUTE ? SW_FAILURE_EXEC
						  : SW_FAILURE_OPEN,
			  (int)-result);
	return 0;
}

SEC("fexit/do_filp_open")
int BPF_PROG(on_open, int folder, struct filename *path,
	     const struct open_flags *how, struct file *file)
{
	return see_open(path->name, how->open_flag, file);
}

/*
 * Some programs check access before they open, and rely on the answer.  ENOENT
 * is not recorded: such checks are too common.
 */
SEC("fexit/do_faccessat")
int BPF_PROG(on_access, int folder, const char *path, int mode, int flags,
	     long result)
{
	struct process_id process;
	struct sw_failure *failure;
	struct sw_failures *kept;

	if ((result && result != -ERROR_ACCESS) || !get_caller(&process))
		return 0;
	kept = find(&process);
	if (!result && (!kept || !kept->open_ones))
		return 0;
	failure = get_scratch(ACCESSES);
	if (!failure || !has_users_rights(&process))
		return 0;
	set_name(failure, read_tail_of(failure->text, path, 1));
	if (result)
		note(&process, failure, SW_FAILURE_ACCESS, ERROR_ACCESS);
	else
		make_good(kept, SW_FAILURE_ACCESS, failure->name, 0);
	return 0;
}

/* Record files that exist but cannot be executed: wrong machine, or text. */
SEC("fexit/bprm_execve")
int BPF_PROG(on_execute)
{
	const struct linux_binprm *program = (const void *)ctx[0];
	struct process_id process;
	__u64 result = 0;

	/* The number of arguments differs between kernel versions. */
	if (bpf_get_func_ret(ctx, &result) < 0 || (int)result >= 0)
		return 0;
	if (get_caller(&process) && has_users_rights(&process))
		note_path(&process, EXECUTES, program->filename,
			  SW_FAILURE_SCRIPT, -(int)result);
	return 0;
}

static int see_write(int program, const struct file *file, long result)
{
	struct process_id process;
	struct sw_failure *failure;
	struct dentry *entry;
	long error = -result;
	int type;

	if (error <= 0 || !is_kept(error) || !get_caller(&process))
		return 0;
	type = BPF_CORE_READ(file, f_inode, i_mode) & TYPE_MASK;
	if (type == TYPE_SOCKET || type == TYPE_PIPE)
		return 0;
	failure = get_scratch(program);
	if (!failure || !has_users_rights(&process))
		return 0;
	entry = BPF_CORE_READ(file, f_path.dentry);
	read_names(&failure->file, entry);
	failure->name = (unsigned long)entry;
	note(&process, failure, SW_FAILURE_WRITE, (int)error);
	return 0;
}

SEC("fexit/vfs_write")
int BPF_PROG(on_write, struct file *file, const char *from, unsigned long size,
	     __s64 *offset, long result)
{
	return see_write(WRITES, file, result);
}

SEC("fexit/vfs_writev")
int BPF_PROG(on_writev, struct file *file, const void *from,
	     unsigned long count, __s64 *offset, int flags, long result)
{
	return see_write(WRITEVS, file, result);
}

SEC("fexit/vfs_copy_file_range")
int BPF_PROG(on_copy, struct file *from, __s64 from_offset, struct file *file,
	     __s64 offset, unsigned long size, unsigned int flags, long result)
{
	/* Not supported there: the caller copies in another way. */
	return result == -ERROR_NOT_SUPPORTED || result == -ERROR_OTHER_DEVICE ||
			       result == -ERROR_INVALID
		       ? 0
		       : see_write(COPIES, file, result);
}

SEC("fexit/vfs_fsync_range")
int BPF_PROG(on_sync, struct file *file, __s64 start, __s64 end, int is_data,
	     int result)
{
	return result == -ERROR_INVALID ? 0 : see_write(SYNCS, file, result);
}

SEC("fexit/vm_mmap_pgoff")
int BPF_PROG(on_map, struct file *file, unsigned long address,
	     unsigned long size, unsigned long protection, unsigned long flags,
	     unsigned long page, unsigned long result)
{
	struct process_id process;
	struct sw_failure *failure;
	struct sw_failures *kept;

	if (!get_caller(&process))
		return 0;
	if (result == -(unsigned long)ERROR_NO_MEMORY) {
		failure = get_scratch(MAPS);
		if (!failure)
			return 0;
		failure->number = size;
		failure->name = 0;
		note(&process, failure, SW_FAILURE_MEMORY, ERROR_NO_MEMORY);
	} else if (result < -(unsigned long)ERROR_MAX) {
		kept = find(&process);
		if (kept && kept->open_ones)
			make_good(kept, SW_FAILURE_MEMORY, 0, size);
	}
	return 0;
}

SEC("fexit/kernel_clone")
int BPF_PROG(on_clone, void *arguments, int result)
{
	struct process_id process;
	struct sw_failure *failure;
	struct sw_failures *kept;

	if (!get_caller(&process))
		return 0;
	if (result >= 0) {
		kept = find(&process);
		if (kept && kept->open_ones)
			make_good(kept, SW_FAILURE_FORK, 0, 0);
		return 0;
	}
	failure = get_scratch(CLONES);
	if (!failure || result <= -ERROR_RESTART)
		return 0;
	failure->name = 0;
	note(&process, failure, SW_FAILURE_FORK, -result);
	return 0;
}

static __u64 read_peer(struct sw_failure *failure, const struct sock *sock)
{
	const struct sock_common *common = &sock->__sk_common;
	__u64 *address = (__u64 *)failure->text;

	failure->family = common->skc_family;
	failure->number = __builtin_bswap16(common->skc_dport);
	address[0] = address[1] = 0;
	if (failure->family == FAMILY_INET6 &&
	    bpf_core_field_exists(common->skc_v6_daddr))
		bpf_probe_read_kernel(address, sizeof(common->skc_v6_daddr),
				      &common->skc_v6_daddr);
	else
		address[0] = common->skc_daddr;
	return (address[0] ^ address[1]) * 65537 + failure->number;
}

/* Record the result of a connect, blocking or not. */
static int note_answer(const struct process_id *process,
		       const struct sock *sock, int now)
{
	struct sw_failure *failure = get_scratch(STATES);
	struct sw_failures *kept;
	int error;

	if (!failure)
		return 0;
	failure->name = read_peer(failure, sock);
	error = sock->sk_err;
	if (now != TCP_ESTABLISHED && error > 0) {
		note(process, failure, SW_FAILURE_CONNECT, error);
	} else if (now == TCP_ESTABLISHED) {
		kept = find(process);
		if (kept && kept->open_ones)
			make_good(kept, SW_FAILURE_CONNECT, failure->name,
				  ~0ull);
	}
	return 0;
}

static __always_inline int is_asking(int now, struct process_id *process)
{
	return now == TCP_SYN_SENT && get_caller(process) &&
	       has_users_rights(process);
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(on_state, struct sock *sock, int before, int now)
{
	struct process_id process, *found;

	if (is_asking(now, &process))
		bpf_sk_storage_get(&waiting, sock, &process,
				   BPF_SK_STORAGE_GET_F_CREATE);
	if (before != TCP_SYN_SENT)
		return 0;
	found = bpf_sk_storage_get(&waiting, sock, 0, 0);
	if (!found)
		return 0;
	process = *found;
	bpf_sk_storage_delete(&waiting, sock);
	return note_answer(&process, sock, now);
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(on_state_old, const struct sock *sock, int before, int now)
{
	struct process_id process, *found;
	__u64 key = (unsigned long)sock;

	if (is_asking(now, &process))
		bpf_map_update_elem(&connecting, &key, &process, 0);
	if (before != TCP_SYN_SENT)
		return 0;
	found = bpf_map_lookup_elem(&connecting, &key);
	if (!found)
		return 0;
	process = *found;
	bpf_map_delete_elem(&connecting, &key);
	return note_answer(&process, sock, now);
}

char LICENSE[] SEC("license") = "GPL";
