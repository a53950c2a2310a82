/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder of a node: one process that records all Slurm steps on it.
 * Messages of the plugin begin and end steps; one wake-up per period serves all
 * of them.  An error can affect part of a recording, never a job.
 */
#ifndef SW_RECORDER_NODE_H
#define SW_RECORDER_NODE_H

#include <stdbool.h>

/* Paths are absolute; missing directories are created. */
struct sw_node_options {
	const char *socket_path;
	const char *spool;	/* profiles until delivery; owned by root */
	const char *profile_dir;	/* of the users; NULL: no deliveries */
	const char *summaries;	/* owned by the system user */
	const char *settings;	/* stepwell.yaml */
	const char *reporter;	/* the stepwell program; NULL: no reports */
	const char *off_path;	/* if it exists, the recorder ends */
	const char *drop_path;	/* ends sent while no recorder ran */
	const char *slurm_conf;		/* NULL: default locations */
	unsigned processes_max;	/* followed by BPF; 0: default */
	bool is_detached;	/* leave the caller: see node_start.h */
	bool is_closing;	/* deliver the spool, and exit */
	bool has_presets;	/* print presets, and exit */
	bool has_failed_calls;	/* print failed calls, and exit */
	bool is_help;
};

/* Parse options after "--node".  Return 0, or -1 after a message on stderr. */
int sw_node_options_parse(struct sw_node_options *options, int argc,
			  char **argv);

/* Print a line on standard output, by the settings.  Return the exit status. */
int sw_node_tell_presets(const struct sw_node_options *options);
int sw_node_tell_failed_calls(void);

/* Run until SIGTERM.  Return the exit status. */
int sw_node_run(const struct sw_node_options *options);

#endif
