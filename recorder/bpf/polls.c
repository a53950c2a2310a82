/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measure the part of ranks' CPU time that is polling. */
#include "recorder/bpf/polls.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/bpf/btf_path.h"

#include "recorder/bpf/polls.skel.h"

static struct polls_bpf *loaded;	/* NULL: not loaded */

int sw_polls_open(const struct bpf_map *processes, struct sw_error *error)
{
	LIBBPF_OPTS(bpf_object_open_opts, options,
		    .btf_custom_path = sw_btf_path());
	struct polls_bpf *skeleton;

	if (loaded)
		return 0;
	skeleton = polls_bpf__open_opts(&options);
	if (!skeleton ||
	    bpf_map__reuse_fd(skeleton->maps.processes,
			      bpf_map__fd(processes)) < 0 ||
	    polls_bpf__load(skeleton) < 0) {
		sw_error_errno(error, "bpf: polling cannot be seen here");
		polls_bpf__destroy(skeleton);
		return -1;
	}
	loaded = skeleton;
	return 0;
}

int sw_polls_watch(pid_t pid)
{
	struct perf_event_attr what = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(what),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = SW_POLLS_NSEC,
		.inherit = 1,
	};
	int fd;

	if (!loaded)
		return -1;
	fd = (int)syscall(SYS_perf_event_open, &what, pid, -1, -1,
			  PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_BPF,
			     bpf_program__fd(loaded->progs.on_tick)) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}
