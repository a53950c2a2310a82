/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Deeds of a storm, repeated quickly: a program, a thread, a signal. */
#ifndef BENCH_STORM_DEEDS_H
#define BENCH_STORM_DEEDS_H

enum storm_deed { STORM_PROGRAM, STORM_THREAD, STORM_SIGNAL, STORM_DEEDS };

/*
 * Write the smallest executable; on other architectures /bin/true is used.  0,
 * or -1 with errno.
 */
int storm_deeds_prepare(void);

/* Remove it. */
void storm_deeds_finish(void);

/*
 * Start a program or thread and wait for its end, or send a signal to this
 * process and handle it.  0, or -1 on failure.
 */
int storm_do(enum storm_deed deed);

#endif
