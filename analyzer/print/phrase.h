/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text that grows part by part in a buffer, and is cut at its end. */
#ifndef SW_ANALYZER_PHRASE_H
#define SW_ANALYZER_PHRASE_H

#include <stddef.h>

struct sw_phrase {
	char *buf;
	size_t size, used;
};

void sw_phrase_add(struct sw_phrase *phrase, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
