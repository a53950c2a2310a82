/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find requests to the kernel that a process repeats. */
#include "recorder/bpf/spins.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/bpf/btf_path.h"
#include "recorder/waits/wait_reason.h"

#include "recorder/bpf/spins.skel.h"

static struct spins_bpf *loaded;	/* NULL: not loaded */

/*
 * Calls that ask for something, and whose successful reads can be told apart
 * from empty ones: not recvfrom, whose bytes are not counted, nor locks, which
 * databases take and release while working.
 */
static const struct {
	int call;
	enum sw_spins_object object;
} calls[] = {
#ifdef SYS_stat
	{ SYS_stat, SW_SPINS_PATH_FIRST },
	{ SYS_lstat, SW_SPINS_PATH_FIRST },
	{ SYS_access, SW_SPINS_PATH_FIRST },
	{ SYS_open, SW_SPINS_PATH_FIRST },
	{ SYS_readlink, SW_SPINS_PATH_FIRST },
	{ SYS_mkdir, SW_SPINS_PATH_FIRST },
	{ SYS_poll, SW_SPINS_NOTHING },
	{ SYS_select, SW_SPINS_NOTHING },
	{ SYS_epoll_wait, SW_SPINS_NUMBER },
#endif
#ifdef SYS_newfstatat
	{ SYS_newfstatat, SW_SPINS_PATH_SECOND },
#endif
#ifdef SYS_statx
	{ SYS_statx, SW_SPINS_PATH_SECOND },
#endif
#ifdef SYS_faccessat2
	{ SYS_faccessat2, SW_SPINS_PATH_SECOND },
#endif
	{ SYS_faccessat, SW_SPINS_PATH_SECOND },
	{ SYS_openat, SW_SPINS_PATH_SECOND },
	{ SYS_readlinkat, SW_SPINS_PATH_SECOND },
	{ SYS_mkdirat, SW_SPINS_PATH_SECOND },
	{ SYS_ppoll, SW_SPINS_NOTHING },
	{ SYS_pselect6, SW_SPINS_NOTHING },
	{ SYS_epoll_pwait, SW_SPINS_NUMBER },
	{ SYS_wait4, SW_SPINS_NUMBER },
	{ SYS_waitid, SW_SPINS_NUMBER },
	{ SYS_kill, SW_SPINS_NUMBER },
	{ SYS_read, SW_SPINS_NUMBER },
};

enum { CALLS = sizeof(calls) / sizeof(calls[0]) };

static void set_calls(struct spins_bpf *skeleton)
{
	int i;

	for (i = 0; i < CALLS; i++)
		skeleton->rodata->about[calls[i].call] =
			(unsigned char)calls[i].object;
	for (i = 0; i < SW_SPINS_CALLS; i++) {
		if (sw_wait_call_access(i) == SW_ACCESS_METADATA)
			skeleton->rodata->about[i] |= SW_SPINS_METADATA;
	}
}

int sw_spins_open(struct sw_error *error)
{
	LIBBPF_OPTS(bpf_object_open_opts, options,
		    .btf_custom_path = sw_btf_path());
	struct spins_bpf *skeleton;

	if (loaded)
		return 0;
	skeleton = spins_bpf__open_opts(&options);
	if (skeleton)
		set_calls(skeleton);
	if (!skeleton || spins_bpf__load(skeleton) < 0) {
		sw_error_errno(error,
			       "bpf: waiting without a pause cannot be seen");
		spins_bpf__destroy(skeleton);
		return -1;
	}
	loaded = skeleton;
	return 0;
}

bool sw_spins_is_open(void)
{
	return loaded;
}

static int watch_thread(pid_t tid)
{
	struct perf_event_attr what = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(what),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = SW_SPINS_NSEC,
		.inherit = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &what, tid, -1, -1,
			      PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_BPF,
			     bpf_program__fd(loaded->progs.on_tick)) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void watch_threads(struct sw_spins_watch *watch, int proc_fd)
{
	char name[32];
	int fd;
	DIR *dir;

	snprintf(name, sizeof(name), "%d/task", (int)watch->pid);
	fd = openat(proc_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (fd >= 0 && !dir)
		close(fd);
	while (dir && watch->count < SW_SPINS_THREADS_MAX) {
		const struct dirent *entry = readdir(dir);

		if (!entry)
			break;
		if (entry->d_name[0] == '.')
			continue;
		fd = watch_thread((pid_t)atoi(entry->d_name));
		if (fd >= 0)
			watch->fd[watch->count++] = fd;
	}
	if (dir)
		closedir(dir);
}

int sw_spins_begin(struct sw_spins_watch *watch, int proc_fd, pid_t pid)
{
	const struct sw_spins_seen none = { 0 };

	*watch = (struct sw_spins_watch){ .pid = pid };
	if (!loaded ||
	    bpf_map__update_elem(loaded->maps.watched, &pid, sizeof(pid), &none,
				 sizeof(none), BPF_ANY) < 0)
		goto none;
	watch_threads(watch, proc_fd);
	if (watch->count)
		return 0;
	sw_spins_end(watch);
none:
	*watch = (struct sw_spins_watch){ 0 };
	return -1;
}

int sw_spins_read(const struct sw_spins_watch *watch,
		  struct sw_spins_seen *seen)
{
	if (!watch->pid || bpf_map__lookup_elem(loaded->maps.watched,
						&watch->pid,
						sizeof(watch->pid), seen,
						sizeof(*seen), 0) < 0)
		return -1;
	seen->path[sizeof(seen->path) - 1] = '\0';
	return 0;
}

void sw_spins_end(struct sw_spins_watch *watch)
{
	size_t i;

	if (!watch->pid)
		return;
	for (i = 0; i < watch->count; i++)
		close(watch->fd[i]);
	bpf_map__delete_elem(loaded->maps.watched, &watch->pid,
			     sizeof(watch->pid), 0);
	*watch = (struct sw_spins_watch){ 0 };
}
