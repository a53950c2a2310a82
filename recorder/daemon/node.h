/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder of a node: one process that records every Slurm step on it.
 * The plugin's messages begin and end steps; one wake-up per period serves
 * all of them.  Whatever fails costs a part of a recording, never a job.
 */
#ifndef SW_RECORDER_NODE_H
#define SW_RECORDER_NODE_H

#include <stdbool.h>

/* Paths are absolute; folders are made where they are missing. */
struct sw_node_options {
	const char *socket_path;
	const char *spool;	/* profiles until they are delivered, root's */
	const char *profile_dir;	/* of the users; NULL: not delivered */
	const char *summaries;	/* folder of the system user's */
	const char *settings;	/* stepwell.yaml */
	const char *reporter;	/* the stepwell program; NULL: no reports */
	const char *off_path;	/* where this file is, the recorder ends */
	const char *drop_path;	/* ends that nobody listened for */
	const char *slurm_conf;		/* NULL: at the usual places */
	unsigned processes_max;	/* that BPF follows; 0: as many as usual */
	bool is_detached;	/* leave the caller: see node_start.h */
	bool is_closing;	/* deliver what is in the spool, and end */
	bool has_presets;	/* tell of them, and end */
	bool has_failed_calls;	/* likewise */
	bool is_help;
};

/* "--node" is in argv[1].  0, or -1 after a message on stderr. */
int sw_node_options_parse(struct sw_node_options *options, int argc,
			  char **argv);

/* One line on standard output, by the settings.  The exit status. */
int sw_node_tell_presets(const struct sw_node_options *options);
int sw_node_tell_failed_calls(void);

/* Until SIGTERM.  Returns the process's exit status. */
int sw_node_run(const struct sw_node_options *options);

#endif
