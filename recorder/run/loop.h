/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder's event loop: waits for the next sample, for signals, for the
 * exit of the command and for kernel notifications.  It never ends before the
 * command; if recording fails, it still waits and reaps.
 */
#ifndef SW_RECORDER_LOOP_H
#define SW_RECORDER_LOOP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "profiles/writer.h"
#include "recorder/run/attach.h"
#include "recorder/run/command.h"
#include "recorder/run/members.h"
#include "recorder/run/signals.h"
#include "recorder/sampler/sampler.h"
#include "recorder/sampler/watch.h"
#include "recorder/tables/events.h"

struct sw_programs;
struct sw_topology_load;
struct sw_tree;

struct sw_loop {
	/* Set by the caller. */
	struct sw_command *command;
	/* Not a child; NULL: it is one.  pid 0: only members are known. */
	const struct sw_attach *attach;
	struct sw_run_members *members;	/* NULL: none */
	struct sw_signals *signals;
	struct sw_events *events;
	struct sw_writer *writer;
	struct sw_sampler *sampler;	/* NULL: not recorded */
	struct sw_programs *programs;		/* NULL: none */
	struct sw_tree *tree;		/* of the command; NULL: not followed */
	struct sw_watch watch;
	struct sw_topology_load *topology;	/* NULL: not recorded */
	bool has_topology;		/* written to the profile */
	int proc_fd;
	uint64_t period_usec;		/* SW_MISSING: adaptive */
	uint64_t start_usec;

	/* Results */
	int wait_status;
	struct rusage usage;	/* of the command, with reaped children */
	uint64_t end_usec;
	uint64_t lost_samples;
	uint64_t reaped_user_usec;	/* of orphans reaped here */
	uint64_t reaped_system_usec;
	bool is_end_unseen;		/* nothing was read at its exit */
	bool is_interrupted;		/* Ctrl-C or Ctrl-\ was pressed */

	/* Internal */
	uint64_t next_usec;
	uint64_t last_usec;
	struct sw_sampler_self self;
	bool awaits_looks;		/* samples of BPF are not ready yet */
	bool is_stopped;
	uint64_t stopped_usec;
};

/* Take a sample of everything now; used before the command is released. */
void sw_loop_sample(struct sw_loop *loop);

/*
 * Run until the command has exited; take the last sample while its process can
 * still be read, then reap it and all orphans that have exited.
 */
void sw_loop_run(struct sw_loop *loop);

#endif
