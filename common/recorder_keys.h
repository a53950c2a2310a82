/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys of stepwell.yaml for the node recorder: whole numbers at the top level.
 * The stepwell command checks them, the recorder uses them.
 */
#ifndef SW_COMMON_RECORDER_KEYS_H
#define SW_COMMON_RECORDER_KEYS_H

#include <stdint.h>

/* "privacy": which texts of a job a profile stores; numbers always are. */
enum sw_privacy {
	SW_PRIVACY_FULL,	/* all texts */
	SW_PRIVACY_PROGRAMS,	/* no paths, peers or functions of programs */
	SW_PRIVACY_COUNTERS,	/* no names of programs, either */
	SW_PRIVACY_LEVELS,
};

/* Find "full" etc.; SW_PRIVACY_LEVELS if unknown, or NULL. */
enum sw_privacy sw_privacy_find(const char *text);

/* All names in "counters", separated by commas. */
enum { SW_COUNTER_NAMES_SIZE = 640 };

enum sw_recorder_key {
	SW_KEY_SPOOL_MAX_MIB,	/* finished, undelivered profiles */
	SW_KEY_USER_MAX_MIB,	/* each user's profiles; 0: no limit */
	SW_KEY_KEEP_DAYS,	/* likewise, by age; 0: unlimited */
	SW_KEY_CPU_LIMIT_PERCENT,	/* of one CPU */
	SW_RECORDER_KEYS,
};

struct sw_recorder_key_row {
	const char *name;
	uint64_t min, max, otherwise;
};

extern const struct sw_recorder_key_row sw_recorder_keys[SW_RECORDER_KEYS];

/* Find a key by name; SW_RECORDER_KEYS: none. */
enum sw_recorder_key sw_recorder_key_find(const char *name);

#endif
