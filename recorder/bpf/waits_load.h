/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Load the BPF programs of waits.bpf.c. */
#ifndef SW_RECORDER_WAITS_LOAD_H
#define SW_RECORDER_WAITS_LOAD_H

#include <stdbool.h>

#include "recorder/bpf/waits_record.h"

#include "recorder/bpf/waits.skel.h"

/* A backend */
struct sw_waits_way {
	const char *name;
	bool looks_up;	/* by process; false: walks all threads of the node */
	bool names;	/* has names of functions, and measures the offset */
};

struct sw_waits_pass {
	struct waits_bpf *skeleton;	/* NULL: not loaded */
	struct bpf_link *look_up, *find_path, *walk;	/* of the backend */
	const struct sw_waits_way *way;	/* NULL: not loaded */
};

/*
 * Load the first backend that works, or only the one named if only is not NULL;
 * call after sw_snapshot_open().  processes is the map of exec.bpf.c.  Return
 * 0, or -1 with nothing loaded.
 */
int sw_waits_load(struct sw_waits_pass *pass, const struct bpf_map *processes,
		  const char *only);

/* Run a program that is not attached.  Return 0 or -1. */
int sw_waits_run(const struct bpf_program *program);

/* Run look_up or find_path; results are in bss.  Return 0 or -1. */
int sw_waits_run_once(const struct bpf_link *link);

#endif
