/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe what a step waited for while it stood still. */
#ifndef SW_ANALYZER_HANG_WORDS_H
#define SW_ANALYZER_HANG_WORDS_H

#include <stddef.h>

#include "analyzer/view/view.h"

/*
 * Format "bwa (process 4242) waited for a lock (futex) that its thread 4243
 * holds. Look ...": sentences and the remedy.  Return buf.
 */
char *sw_hang_words(char *buf, size_t size, const struct sw_view *view,
		    const struct sw_view_hang *hang);

/*
 * Format "When it had stood still for 10.0 s, bwa (process 4242) waited ...
 * Look ...": the same without functions, for a time with a single sample.
 */
char *sw_hang_when_words(char *buf, size_t size, const struct sw_view *view,
			 const struct sw_view_hang *hang);

#endif
