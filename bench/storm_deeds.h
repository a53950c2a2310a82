/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is done in a storm, as often as can be: a program, a thread, a signal. */
#ifndef BENCH_STORM_DEEDS_H
#define BENCH_STORM_DEEDS_H

enum storm_deed { STORM_PROGRAM, STORM_THREAD, STORM_SIGNAL, STORM_DEEDS };

/*
 * Writes the least program that there is; on machines that it is not written
 * for, /bin/true is taken.  0, or -1 with errno.
 */
int storm_deeds_prepare(void);

/* Removes it. */
void storm_deeds_finish(void);

/* Begins one and waits for its end; a signal is sent to this process, and
 * handled.  0, or -1 where it was none. */
int storm_do(enum storm_deed deed);

#endif
