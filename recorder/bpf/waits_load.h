/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BPF programs of waits.bpf.c, brought into the kernel. */
#ifndef SW_RECORDER_WAITS_LOAD_H
#define SW_RECORDER_WAITS_LOAD_H

#include <stdbool.h>

#include "recorder/bpf/waits_record.h"

#include "recorder/bpf/waits.skel.h"

/* One way of looking. */
struct sw_waits_way {
	const char *name;
	bool looks_up;		/* else past all threads of the node */
	bool names;		/* functions; and measures the offset */
};

struct sw_waits_pass {
	struct waits_bpf *skeleton;	/* NULL: not loaded */
	struct bpf_link *look_up, *find_path, *walk;	/* of the way */
	const struct sw_waits_way *way;	/* NULL: not loaded */
};

/*
 * After sw_snapshot_open(), by the first way that works, or by that one if only
 * is not NULL.  processes is the map of exec.bpf.c.  0, or -1 and nothing is
 * loaded.
 */
int sw_waits_load(struct sw_waits_pass *pass, const struct bpf_map *processes,
		  const char *only);
void sw_waits_unload(struct sw_waits_pass *pass);

/* A program that nothing calls: 0 or -1. */
int sw_waits_run(const struct bpf_program *program);

/* One of look_up and find_path, which leaves what it found in bss: 0 or -1. */
int sw_waits_run_once(const struct bpf_link *link);

#endif
