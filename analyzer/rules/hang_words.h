/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a step waited for while it stood still, in words. */
#ifndef SW_ANALYZER_HANG_WORDS_H
#define SW_ANALYZER_HANG_WORDS_H

#include <stddef.h>

#include "analyzer/view/view.h"

/*
 * "bwa (process 4242) waited for a lock (futex) that its thread 4243 holds.
 * Look ...": sentences, and what to do.  Returns buf.
 */
char *sw_hang_words(char *buf, size_t size, const struct sw_view *view,
		    const struct sw_view_hang *hang);

/*
 * "When it had stood still for 10.0 s, bwa (process 4242) waited ... Look ...":
 * the same without functions, of a time in which it was sampled once.
 */
char *sw_hang_when_words(char *buf, size_t size, const struct sw_view *view,
			 const struct sw_view_hang *hang);

#endif
