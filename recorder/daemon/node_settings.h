/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the node's recorder takes from stepwell.yaml: keys at the top level
 * with a plain value.  The rest of the file is not for it; the stepwell command
 * complains about what is wrong in it.
 */
#ifndef SW_RECORDER_NODE_SETTINGS_H
#define SW_RECORDER_NODE_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/recorder_keys.h"

struct sw_node_settings {
	char profile_dir[PATH_MAX];	/* "": as the option says */
	char local_scratch[PATH_MAX];	/* folder on a disk of the node */
	char counters[SW_COUNTER_NAMES_SIZE];	/* with commas; "": none */
	char components[SW_COUNTER_NAMES_SIZE];	/* of PAPI; likewise */
	char events_file[PATH_MAX];	/* PAPI's presets; "": its own */
	bool is_events_file_bad;	/* it may not be used */
	enum sw_privacy privacy;
	bool is_late_report_dropped;	/* "late_report: drop" */
	uint64_t number[SW_RECORDER_KEYS];
};

/*
 * The file's values, defaults where it has none.  A value that makes no sense
 * is named in the log and the default stays.
 */
void sw_node_settings_read(struct sw_node_settings *settings,
			   const char *path);

#endif
