/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a single run by itself says of memory, before there are enough runs
 * for advice: what would have held it, with room to spare.
 */
#ifndef SW_ADVICE_MEMORY_ONE_RUN_H
#define SW_ADVICE_MEMORY_ONE_RUN_H

/*
 * Bytes, in steps that people write: 64 MiB below 4 GiB, whole GiB above.
 * One fifth is added to what it needed: a convention, as one run has nothing
 * to learn a margin from.
 */
double sw_memory_of_one_run(double need_bytes);

#endif
