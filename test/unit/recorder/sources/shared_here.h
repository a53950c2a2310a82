/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces recorder/sources/shared.c: shared sources of the node are read in
 * this process, so that a fixture's rows are there at once.
 */
#ifndef SW_TEST_UNIT_SHARED_HERE_H
#define SW_TEST_UNIT_SHARED_HERE_H

struct sw_shared;

/* Read below this folder from now on; -1 closes everything. */
struct sw_shared *shared_here(int folder_fd);

#endif
