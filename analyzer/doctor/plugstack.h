/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's configuration of SPANK plugins: plugstack.conf with its includes, and
 * a few keys of slurm.conf (spank(7), slurm.conf(5)).
 */
#ifndef SW_ANALYZER_PLUGSTACK_H
#define SW_ANALYZER_PLUGSTACK_H

#include <limits.h>

#include "analyzer/doctor/doctor.h"

struct sw_plugstack {
	char path[PATH_MAX];	/* of plugstack.conf; may not exist */
	char plugin_dirs[PATH_MAX];	/* PluginDir, or "" */
	char proctrack[64];	/* ProctrackType, or "" */
	char slice[128];	/* CgroupSlice of cgroup.conf, or its default */
	bool has_slurm;		/* Slurm is configured */
	/* Number of lines that load stepwell.so, and the first of them. */
	unsigned line_count;
	char plugin[PATH_MAX];	/* as in the file */
	char file[PATH_MAX];
	unsigned line;
	bool is_required;
	/* The first line about the plugin, or include, with what no word has. */
	char odd_file[PATH_MAX];
	unsigned odd_line;
	const char *odd;	/* "a carriage return"; NULL: there is none */
	bool is_of_windows;	/* its lines end in CR LF */
	bool is_off;		/* the line has the word "off" */
	/* The recorder and its socket, as the plugin has them. */
	char recorder[PATH_MAX];
	char socket[PATH_MAX];
	unsigned files_unread;	/* included, but unreadable */
	char unread[PATH_MAX];	/* first of these */
	unsigned files_read;
};

void sw_plugstack_read(struct sw_plugstack *plugstack,
		       const struct sw_doctor *doctor);

/*
 * Return true if slurmd is installed: login nodes, and machines without Slurm,
 * need no recorder of a node and nothing that belongs to it.
 */
bool sw_slurm_has_daemon(const struct sw_doctor *doctor);

/* Find where Slurm would look for the plugin: 0 and a path, or -1. */
int sw_plugstack_locate(const struct sw_plugstack *plugstack,
			const struct sw_doctor *doctor, char *path,
			size_t size);

#endif
