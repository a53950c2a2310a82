/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of stepwell.yaml for the node recorder. */
#include "common/recorder_keys.h"

#include <string.h>

#define MIB_MAX ((uint64_t)1 << 40)

const struct sw_recorder_key_row sw_recorder_keys[SW_RECORDER_KEYS] = {
	[SW_KEY_SPOOL_MAX_MIB] = { "spool_max_mib", 1, MIB_MAX, 1024 },
	[SW_KEY_USER_MAX_MIB] = { "user_max_mib", 0, MIB_MAX, 1024 },
	[SW_KEY_KEEP_DAYS] = { "keep_days", 0, 36500, 90 },
	[SW_KEY_CPU_LIMIT_PERCENT] = { "cpu_limit_percent", 1, 100, 5 },
};

enum sw_privacy sw_privacy_find(const char *text)
{
	static const char *const names[SW_PRIVACY_LEVELS] = {
		[SW_PRIVACY_FULL] = "full",
		[SW_PRIVACY_PROGRAMS] = "programs",
		[SW_PRIVACY_COUNTERS] = "counters",
	};
	enum sw_privacy level = 0;

	while (level < SW_PRIVACY_LEVELS &&
	       (!text || strcmp(names[level], text) != 0))
		level++;
	return level;
}

enum sw_recorder_key sw_recorder_key_find(const char *name)
{
	enum sw_recorder_key key = 0;

	while (key < SW_RECORDER_KEYS &&
	       strcmp(sw_recorder_keys[key].name, name) != 0)
		key++;
	return key;
}
