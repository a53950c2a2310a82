/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a page is what stepwell promises: well-formed, and on its own. */
#ifndef SW_TEST_MARKUP_H
#define SW_TEST_MARKUP_H

/*
 * NULL, or the first fault, up to the next call: an element that is not closed
 * or is not the innermost, an attribute without quotes, a "<" or "&" that is
 * no markup, a control, a script, or anything that would be fetched.
 */
const char *markup_fault(const char *page);

/* What follows the head; the test fails where the page has a fault. */
const char *markup_body(const char *page);

#endif
