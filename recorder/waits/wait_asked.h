/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a call that waits for events is asked about.  Without a descriptor it
 * is a sleep: that of Perl's select(), of time.sleep() before Python 3.11, of
 * rsync --bwlimit.  For BPF, too.
 */
#ifndef SW_RECORDER_WAIT_ASKED_H
#define SW_RECORDER_WAIT_ASKED_H

enum { SW_ASKED_ARGUMENTS = 5 };	/* of the call, its first */

enum sw_asked_call {
	SW_ASKED_BY_OTHER,	/* epoll_wait(): only the kernel knows */
	SW_ASKED_BY_SELECT,	/* and pselect6() */
	SW_ASKED_BY_POLL,
	SW_ASKED_BY_PPOLL,
};

enum sw_asked {
	SW_ASKED_EVENTS,
	SW_ASKED_TIME,		/* and no descriptor */
	SW_ASKED_NOTHING,	/* not even that: until a signal comes */
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
