/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a word for a share means, the same everywhere.  Chosen by hand: a word
 * claims no more than its number.  "make ward" shows what a change does.
 */
#ifndef SW_ANALYZER_SHARES_H
#define SW_ANALYZER_SHARES_H

#define SW_HARDLY 0.05	/* noise of samples, of startup, of other work */
#define SW_SOME 0.1	/* from here on a part is mentioned, or matters */
#define SW_MOST 0.5	/* no other part can be larger */
#define SW_MAINLY 0.8	/* the rest does not change the conclusion */
#define SW_NEARLY_ALL 0.9	/* all, but for startup and the last sample */

/* A smaller share is printed as "0 %". */
#define SW_PERCENT_MIN 0.005

#endif
