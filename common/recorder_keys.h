/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys of stepwell.yaml that are the node recorder's: whole numbers at the
 * top level.  The stepwell command checks them, the recorder takes them.
 */
#ifndef SW_COMMON_RECORDER_KEYS_H
#define SW_COMMON_RECORDER_KEYS_H

#include <stdint.h>

/* "privacy": what of a job's texts a profile holds; numbers it always does. */
enum sw_privacy {
	SW_PRIVACY_FULL,	/* all of them */
	SW_PRIVACY_PROGRAMS,	/* no path, peer or function of a program */
	SW_PRIVACY_COUNTERS,	/* nor names of programs */
	SW_PRIVACY_LEVELS,
};

/* "full"; SW_PRIVACY_LEVELS: no such level, or NULL. */
enum sw_privacy sw_privacy_find(const char *text);

/* All names in "counters", with commas between them. */
enum { SW_COUNTER_NAMES_SIZE = 640 };

enum sw_recorder_key {
	SW_KEY_SPOOL_MAX_MIB,	/* finished profiles that are not delivered */
	SW_KEY_USER_MAX_MIB,	/* each user's profiles; 0: no limit */
	SW_KEY_KEEP_DAYS,	/* likewise, by age; 0: for ever */
	SW_KEY_CPU_LIMIT_PERCENT,	/* of one CPU */
	SW_RECORDER_KEYS,
};

struct sw_recorder_key_row {
	const char *name;
	uint64_t min, max, otherwise;
};

extern const struct sw_recorder_key_row sw_recorder_keys[SW_RECORDER_KEYS];

/* The key of this name; SW_RECORDER_KEYS: none. */
enum sw_recorder_key sw_recorder_key_find(const char *name);

#endif
