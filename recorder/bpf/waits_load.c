/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Load the BPF programs of waits.bpf.c, with the best backend of the kernel. */
#include "recorder/bpf/waits_load.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/bpf/btf_path.h"
#include "recorder/bpf/snapshot.h"
#include "recorder/waits/wait_tally.h"

#include "recorder/bpf/waits_old.skel.h"

/* Offset from a thread's stack to its registers if BPF cannot measure it */
#if defined(__x86_64__)
enum { REGISTERS_OFFSET = 16384 - 168 };
#else
enum { REGISTERS_OFFSET = 0 };
#endif

static const struct sw_waits_way ways[] = {
	{ .name = "bpf", .looks_up = true, .names = true },
	{ .name = "bpf.iter", .names = true },
	{ .name = "bpf.iter.calls" },
};

enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

int sw_waits_run(const struct bpf_program *program)
{
	LIBBPF_OPTS(bpf_test_run_opts, options);

	return bpf_prog_test_run_opts(bpf_program__fd(program), &options);
}

/* Fill the tables by the classifier, so that kernel and recorder agree. */
static void fill_kinds(struct waits_bpf__bss *shared)
{
	struct sw_wait_sight sight = { .state = 'S' };
	enum sw_wait_kind kind;
	unsigned i;

	for (i = 0; i < SW_WAITS_CALLS; i++) {
		sight.syscall = (int)i;
		kind = sw_wait_explain(&sight).kind;
		shared->call_asked[i] =
			(unsigned char)sw_wait_asked_call((int)i);
		if (sw_wait_is_file_call((int)i))
			shared->call_kind[i] = SW_WAITS_BY_FILE;
		else if (kind != SW_WAIT_IO && kind != SW_WAIT_OTHER)
			shared->call_kind[i] = (unsigned char)kind;
	}
	/* A lock may be held by a server that does not answer. */
	shared->call_kind[SYS_fcntl] = 0;
#ifdef SYS_io_uring_enter
	/* It may wait for completions, or do the reading itself. */
	shared->call_kind[SYS_io_uring_enter] = 0;
#endif
	sight.syscall = SYS_ppoll;
	for (i = 0; i < SW_ASKED_COUNT; i++) {
		sight.asked = (enum sw_asked)i;
		shared->asked_kind[i] =
			(unsigned char)sw_wait_explain(&sight).kind;
	}
	sight.syscall = SYS_read;
	for (i = 0; i < SW_WAITS_MODES; i++) {
		sight.file_mode = i << 12;
		kind = sw_wait_explain(&sight).kind;
		if (kind != SW_WAIT_IO && kind != SW_WAIT_OTHER)
			shared->mode_kind[i] = (unsigned char)kind;
	}
}

/* Both objects use one skeleton, so their data must have the same layout. */
#define SAME(member) \
	_Static_assert( \
		offsetof(struct waits_bpf__bss, member) == \
			offsetof(struct waits_old_bpf__bss, member), \
		"compiled without bpf_rdonly_cast")
SAME(thread_count);
SAME(wanted_count);
SAME(own_registers);
SAME(own_stack);
SAME(address_count);
SAME(addresses);
SAME(names);
SAME(path);
SAME(wanted_thread);
SAME(call_kind);
SAME(mode_kind);
SAME(registers_offset);
SAME(call_asked);
SAME(asked_kind);
SAME(wanted);
SAME(wanted_share);
SAME(room);
SAME(seen);
SAME(threads);
#undef SAME
_Static_assert(sizeof(struct waits_bpf__bss) ==
		       sizeof(struct waits_old_bpf__bss),
	       "compiled without bpf_rdonly_cast");

/* Open the object for kernels without bpf_rdonly_cast; see bpf_task.h. */
static struct waits_bpf *open_old(const struct bpf_object_open_opts *options)
{
	struct waits_bpf *skeleton = calloc(1, sizeof(*skeleton));

	if (!skeleton)
		return NULL;
	/* The same programs and maps, compiled differently */
	if (waits_bpf__create_skeleton(skeleton) == 0) {
		skeleton->skeleton->data = waits_old_bpf__elf_bytes(
			&skeleton->skeleton->data_sz);
		if (bpf_object__open_skeleton(skeleton->skeleton,
					      options) == 0)
			return skeleton;
	}
	waits_bpf__destroy(skeleton);
	return NULL;
}

/* Load what the backend needs.  Return 0, or -1 with nothing loaded. */
static int load(struct sw_waits_pass *pass, const struct sw_waits_way *way,
		const struct bpf_map *processes)
{
	LIBBPF_OPTS(bpf_object_open_opts, options,
		    .btf_custom_path = sw_btf_path());
	struct waits_bpf *skeleton = way->looks_up ?
			waits_bpf__open_opts(&options) : open_old(&options);

	if (!skeleton)
		return -1;
	bpf_program__set_autoload(skeleton->progs.look_up, way->looks_up);
	bpf_program__set_autoload(skeleton->progs.find_path, way->looks_up);
	bpf_program__set_autoload(skeleton->progs.walk, !way->looks_up);
	bpf_program__set_autoload(skeleton->progs.name, way->names);
	bpf_program__set_autoload(skeleton->progs.measure, way->names);
	bpf_map__set_autocreate(skeleton->maps.once, way->looks_up);
	if (bpf_map__reuse_fd(skeleton->maps.processes,
			      bpf_map__fd(processes)) < 0 ||
	    waits_bpf__load(skeleton) < 0) {
		waits_bpf__destroy(skeleton);
		return -1;
	}
	pass->skeleton = skeleton;
	pass->way = way;
	return 0;
}

static struct bpf_link *attach_once(const struct sw_waits_pass *pass,
				    const struct bpf_program *program)
{
	union bpf_iter_link_info info = {
		.map.map_fd = (uint32_t)bpf_map__fd(
			pass->skeleton->maps.once) };
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = &info,
		    .link_info_len = sizeof(info));

	return bpf_program__attach_iter(program, &options);
}

int sw_waits_run_once(const struct bpf_link *link)
{
	int fd = bpf_iter_create(bpf_link__fd(link));
	char nothing[8];
	ssize_t length;

	if (fd < 0)
		return -1;
	while ((length = read(fd, nothing, sizeof(nothing))) > 0)
		;
	close(fd);
	return length < 0 ? -1 : 0;
}

static void unload(struct sw_waits_pass *pass)
{
	bpf_link__destroy(pass->look_up);
	bpf_link__destroy(pass->find_path);
	bpf_link__destroy(pass->walk);
	waits_bpf__destroy(pass->skeleton);
	memset(pass, 0, sizeof(*pass));
}

static int start(struct sw_waits_pass *pass, const struct sw_waits_way *way,
		 const struct bpf_map *processes)
{
	struct waits_bpf *skeleton;

	if (load(pass, way, processes) < 0)
		return -1;
	skeleton = pass->skeleton;
	fill_kinds(skeleton->bss);
	skeleton->bss->registers_offset = REGISTERS_OFFSET;
	if (way->names) {
		if (sw_waits_run(skeleton->progs.measure) < 0)
			goto error;
		skeleton->bss->registers_offset =
			skeleton->bss->own_registers -
			skeleton->bss->own_stack;
	}
	if (way->looks_up) {
		pass->look_up = attach_once(pass, skeleton->progs.look_up);
		pass->find_path = attach_once(pass, skeleton->progs.find_path);
	} else {
		pass->walk = bpf_program__attach_iter(skeleton->progs.walk,
						     NULL);
	}
	if (pass->walk || (pass->look_up && pass->find_path))
		return 0;
error:
	unload(pass);
	return -1;
}

int sw_waits_load(struct sw_waits_pass *pass, const struct bpf_map *processes,
		  const char *only)
{
	const char *snapshot = sw_snapshot_backend();
	size_t i;

	for (i = 0; snapshot && i < WAYS; i++) {
		if (only && strcmp(only, ways[i].name) != 0)
			continue;
		/* Only the snapshot completes processes added by hand. */
		if (ways[i].looks_up && strcmp(snapshot, "bpf") != 0)
			continue;
		if (start(pass, &ways[i], processes) == 0)
			return 0;
	}
	return -1;
}
