/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compare a user's name and number. */
#include "common/user.h"

#include <pwd.h>
#include <string.h>
#include <sys/types.h>

#include "common/missing.h"
#include "common/units.h"

static enum sw_user_is answer(int is_same)
{
	return is_same ? SW_USER_SAME : SW_USER_OTHER;
}

enum sw_user_is sw_user_is(const char *name, uint64_t uid)
{
	const struct passwd *entry;
	uint64_t number;

	if (!name || !*name || sw_is_missing(uid))
		return SW_USER_UNKNOWN;
	if (sw_count_parse(name, 0, UINT32_MAX, &number) == 0)
		return answer(number == uid);
	entry = getpwnam(name);
	if (entry)
		return answer(entry->pw_uid == uid);
	entry = getpwuid((uid_t)uid);
	return entry ? answer(!strcmp(entry->pw_name, name)) : SW_USER_UNKNOWN;
}
