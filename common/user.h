/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compare a user's name and number. */
#ifndef SW_COMMON_USER_H
#define SW_COMMON_USER_H

#include <stdint.h>

enum sw_user_is {
	SW_USER_SAME,
	SW_USER_OTHER,
	SW_USER_UNKNOWN,	/* unknown to this machine */
};

/* name may be a number; queries the machine's user database. */
enum sw_user_is sw_user_is(const char *name, uint64_t uid);

#endif
