/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In place of recorder/sources/shared.c: sources of the node that others read, read in
 * this process, so that a fixture's rows are there at once.
 */
#ifndef SW_TEST_UNIT_SHARED_HERE_H
#define SW_TEST_UNIT_SHARED_HERE_H

struct sw_shared;

/* Below this folder from now on; -1 closes what is open. */
struct sw_shared *shared_here(int folder_fd);

#endif
