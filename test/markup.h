/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Check that a page is well-formed and self-contained. */
#ifndef SW_TEST_MARKUP_H
#define SW_TEST_MARKUP_H

/*
 * Return NULL, or the first fault, valid until the next call: an element that
 * is not closed or not innermost, an attribute without quotes, a "<" or "&"
 * that is no markup, a control character, a script, or anything that would be
 * fetched.
 */
const char *markup_fault(const char *page);

/* Return what follows the head; the test fails if the page has a fault. */
const char *markup_body(const char *page);

#endif
