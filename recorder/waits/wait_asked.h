/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events requested by a call that waits for them.  Without a descriptor it is a
 * sleep: Perl's select(), time.sleep() before Python 3.11, rsync --bwlimit.
 * Also used in BPF.
 */
#ifndef SW_RECORDER_WAIT_ASKED_H
#define SW_RECORDER_WAIT_ASKED_H

enum { SW_ASKED_ARGUMENTS = 5 };	/* first arguments of the call */

enum sw_asked_call {
	SW_ASKED_BY_OTHER,	/* epoll_wait(): known to the kernel only */
	SW_ASKED_BY_SELECT,	/* and pselect6() */
	SW_ASKED_BY_POLL,
	SW_ASKED_BY_PPOLL,
};

enum sw_asked {
	SW_ASKED_EVENTS,
	SW_ASKED_TIME,		/* without a descriptor */
	SW_ASKED_NOTHING,	/* not even a time: until a signal */
	SW_ASKED_COUNT
};

static inline enum sw_asked
sw_asked_about(unsigned int call, const unsigned long long *argument)
{
	int has_limit;

	if (call == SW_ASKED_BY_OTHER ||
	    (int)argument[call == SW_ASKED_BY_SELECT ? 0 : 1] != 0)
		return SW_ASKED_EVENTS;
	if (call == SW_ASKED_BY_SELECT)
		has_limit = argument[4] != 0;
	else if (call == SW_ASKED_BY_PPOLL)
		has_limit = argument[2] != 0;
	else
		has_limit = (int)argument[2] >= 0;
	return has_limit ? SW_ASKED_TIME : SW_ASKED_NOTHING;
}

#endif
