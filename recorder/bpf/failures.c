/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Load the BPF program failures.bpf.c.  Functions that this kernel lacks or has
 * inlined are left out; if it allows none of them, only failed connections are
 * seen, which have a tracepoint.
 */
#include "recorder/bpf/failures.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "recorder/bpf/btf_path.h"
#include "recorder/bpf/exec_load.h"

#include "recorder/bpf/failures.skel.h"

/* Levels to try, best first; bpf_get_func_ret() exists since 5.17. */
enum level { ALL, NO_RESULT_OF_ANY, NO_FUNCTIONS, LEVELS };

enum { LINKS_MAX = 16 };

static struct {
	struct failures_bpf *skeleton; /* NULL: not loaded */
	struct exec_bpf *records;
	bool has_files;
	struct sw_error reason; /* why has_files is false; "" if it is true */
	size_t links;
	int link_fd[LINKS_MAX]; /* of functions, ascending */
} seen;

static bool is_on_function(const struct bpf_program *program)
{
	return strncmp(bpf_program__section_name(program), "fexit/", 6) == 0;
}

/* Return whether the kernel has the function. */
static bool is_there(const struct btf *kernel,
		     const struct bpf_program *program)
{
	const char *section = bpf_program__section_name(program);

	return btf__find_by_name_kind(kernel, strchr(section, '/') + 1,
				      BTF_KIND_FUNC) > 0;
}

/* Return whether this kernel supports fexit; otherwise set the reason. */
static bool may_watch(const struct btf *kernel)
{
	static const char function[] = "do_filp_open";
	const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options,
		    .expected_attach_type = BPF_TRACE_FEXIT);
	int id = btf__find_by_name_kind(kernel, function, BTF_KIND_FUNC), fd;

	if (id <= 0) {
		sw_error_set(&seen.reason, "the BTF of the node's kernel has "
			     "no %s", function);
		return false;
	}
	options.attach_btf_id = (uint32_t)id;
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, NULL, "GPL", nothing,
			   sizeof(nothing) / sizeof(nothing[0]), &options);
	if (fd < 0)
		sw_error_errno(&seen.reason, "the node's kernel offers BPF no "
			       "fexit hooks");
	else
		close(fd);
	return fd >= 0;
}

static void choose(struct failures_bpf *skeleton, const struct btf *kernel,
		   enum level level)
{
	struct bpf_program *program;
	bool keeps;

	bpf_object__for_each_program(program, skeleton->obj)
	{
		if (is_on_function(program))
			bpf_program__set_autoload(
				program, level != NO_FUNCTIONS &&
						 is_there(kernel, program));
	}
	/* Can tracepoints use socket storage?  If not, the map fails. */
	keeps = btf__find_by_name_kind(kernel, "bpf_sk_storage_get_tracing",
				       BTF_KIND_FUNC) > 0;
	bpf_program__set_autoload(skeleton->progs.on_state, keeps);
	bpf_map__set_autocreate(skeleton->maps.waiting, keeps);
	bpf_program__set_autoload(skeleton->progs.on_state_old, !keeps);
	bpf_map__set_autocreate(skeleton->maps.connecting, !keeps);
	if (level == NO_RESULT_OF_ANY)
		bpf_program__set_autoload(skeleton->progs.on_execute, false);
}

static struct failures_bpf *load(const struct exec_bpf *records,
				 const struct btf *kernel, enum level level)
{
	LIBBPF_OPTS(bpf_object_open_opts, options,
		    .btf_custom_path = sw_btf_path());
	struct failures_bpf *skeleton = failures_bpf__open_opts(&options);
	int saved;

	if (!skeleton)
		return NULL;
	choose(skeleton, kernel, level);
	if (bpf_map__reuse_fd(skeleton->maps.processes,
			      bpf_map__fd(records->maps.processes)) == 0 &&
	    bpf_map__reuse_fd(skeleton->maps.failures,
			      bpf_map__fd(records->maps.failures)) == 0 &&
	    bpf_map__reuse_fd(skeleton->maps.data_shares,
			      bpf_map__fd(records->maps.data_shares)) == 0 &&
	    bpf_map__reuse_fd(skeleton->maps.data_followed,
			      bpf_map__fd(records->maps.data_followed)) == 0 &&
	    failures_bpf__load(skeleton) == 0)
		return skeleton;
	saved = errno;
	failures_bpf__destroy(skeleton);
	errno = saved;
	return NULL;
}

static void note_link(int fd)
{
	size_t i = seen.links++;

	for (; i > 0 && seen.link_fd[i - 1] > fd; i--)
		seen.link_fd[i] = seen.link_fd[i - 1];
	seen.link_fd[i] = fd;
}

/* Attach each by itself: some functions cannot be traced. */
static void attach(struct failures_bpf *skeleton)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, skeleton->obj)
	{
		/* Released when the process exits */
		const struct bpf_link *link =
			bpf_program__fd(program) < 0 ?
				NULL :
				bpf_program__attach(program);

		if (!link) {
			if (program == skeleton->progs.on_open &&
			    !seen.reason.text[0])
				sw_error_errno(&seen.reason, "the node's "
					       "kernel offers BPF no fexit "
					       "hook of do_filp_open");
			continue;
		}
		seen.has_files |= program == skeleton->progs.on_open;
		if (is_on_function(program) && seen.links < LINKS_MAX)
			note_link(bpf_link__fd(link));
	}
}

int sw_failures_open(struct exec_bpf *records, const char *only,
		     struct sw_error *error)
{
	enum level level = ALL;
	struct btf *kernel;

	if (only && strcmp(only, "none") == 0) {
		sw_error_set(&seen.reason, "STEPWELL_FAILURES=none");
		*error = seen.reason;
		return -1;
	}
	if (seen.skeleton)
		return 0;
	kernel = btf__load_vmlinux_btf();
	if (!kernel)
		sw_error_errno(&seen.reason, "the BTF of the node's "
					       "kernel cannot be read");
	if (!kernel || !may_watch(kernel))
		level = NO_FUNCTIONS;
	for (; level < LEVELS && !seen.skeleton; level++)
		seen.skeleton = load(records, kernel, level);
	btf__free(kernel);
	if (!seen.skeleton) {
		sw_error_errno(&seen.reason,
			       "BPF programs for failed calls cannot be loaded");
		*error = seen.reason;
		return -1;
	}
	seen.records = records;
	attach(seen.skeleton);
	return 0;
}

/* Close everything except the links on functions and end_fd. */
static void keep_links(int end_fd)
{
	int from = 0;
	size_t i;

	/* Any number below theirs will do. */
	if (dup2(end_fd, 0) < 0)
		_exit(1);
	for (i = 0; i < seen.links; i++) {
		if (seen.link_fd[i] > from + 1)
			close_range((unsigned)from + 1,
				    (unsigned)seen.link_fd[i] - 1, 0);
		from = seen.link_fd[i];
	}
	close_range((unsigned)from + 1, ~0u, 0);
}

void sw_failures_leave(void)
{
	int pipes[2];
	char byte;
	pid_t pid;

	if (!seen.links || pipe2(pipes, O_CLOEXEC) < 0)
		return;
	pid = fork();
	if (pid == 0) {
		keep_links(pipes[0]);
		setsid();
		if (chdir("/") == 0)
			while (read(0, &byte, 1) < 0 && errno == EINTR)
				;
		_exit(0);
	}
	close(pipes[0]);
	/* The write end stays open until this process has exited. */
}

const char *sw_failures_source(void)
{
	if (!seen.skeleton)
		return "none";
	return seen.has_files ? "functions" : "connections";
}

const char *sw_failures_reason(void)
{
	return seen.has_files ? NULL : seen.reason.text;
}

bool sw_failures_counts_opens(void)
{
	return seen.skeleton && seen.has_files;
}

bool sw_failures_take(pid_t pid, uint64_t start_nsec,
		      struct sw_failures *failures)
{
	return seen.records &&
	       sw_exec_take_failures(seen.records, pid, failures) &&
	       failures->start_nsec == start_nsec;
}
