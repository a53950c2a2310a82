/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory recommended by a single run, before there are enough runs for advice:
 * the need plus a reserve.
 */
#ifndef SW_ADVICE_MEMORY_ONE_RUN_H
#define SW_ADVICE_MEMORY_ONE_RUN_H

/*
 * Return bytes in steps that people write: 64 MiB below 4 GiB, whole GiB above.
 * The need is raised by one fifth: a convention, since one run gives nothing to
 * learn a margin from.
 */
double sw_memory_of_one_run(double need_bytes);

#endif
