/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of the node's recorder, from stepwell.yaml: top-level keys with a
 * plain value.  The rest of the file is ignored; the stepwell command reports
 * errors in it.
 */
#ifndef SW_RECORDER_NODE_SETTINGS_H
#define SW_RECORDER_NODE_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/recorder_keys.h"

struct sw_node_settings {
	char profile_dir[PATH_MAX];	/* "": use the option */
	char user_history_dir[PATH_MAX]; /* "": none */
	char local_scratch[PATH_MAX];	/* directory on a local disk */
	char counters[SW_COUNTER_NAMES_SIZE];	/* comma-separated; "": none */
	char components[SW_COUNTER_NAMES_SIZE];	/* of PAPI; the same */
	char events_file[PATH_MAX];	/* of PAPI's presets; "": its own */
	bool is_events_file_bad;	/* must not be used */
	enum sw_privacy privacy;
	bool is_late_report_dropped;	/* "late_report: drop" */
	uint64_t number[SW_RECORDER_KEYS];
};

/*
 * Read the file, using defaults for missing keys.  An invalid value is logged
 * and the default used.
 */
void sw_node_settings_read(struct sw_node_settings *settings,
			   const char *path);

#endif
