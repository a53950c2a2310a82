/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Components of PAPI for tests: what a folder's file "papi" says there is.
 *
 *	component NAME
 *	why NAME TEXT		nothing of it is read
 *	settable NAME COUNT	events that were refused
 *	event NAME UNIT VALUE	of the last component; UNIT "-": none
 *	real NAME UNIT VALUE	likewise, a double
 */
#ifndef SW_TEST_PAPI_KIT_H
#define SW_TEST_PAPI_KIT_H

/* From now on; none where there is no such file.  The folder stays open. */
void papi_kit_load(int dirfd);

#endif
