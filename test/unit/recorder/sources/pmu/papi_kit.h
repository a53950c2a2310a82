/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Components of PAPI for tests, described by a folder's file "papi".
 *
 *	component NAME
 *	why NAME TEXT		it is not read
 *	settable NAME COUNT	events that were refused
 *	event NAME UNIT VALUE	of the last component; UNIT "-": none
 *	real NAME UNIT VALUE	likewise, a double
 */
#ifndef SW_TEST_PAPI_KIT_H
#define SW_TEST_PAPI_KIT_H

/* Use this folder, which stays open; without the file, no components. */
void papi_kit_load(int dirfd);

#endif
