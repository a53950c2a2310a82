/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text that grows part by part in a buffer, and is cut at its end. */
#include "analyzer/print/phrase.h"

#include <stdarg.h>
#include <stdio.h>

void sw_phrase_add(struct sw_phrase *phrase, const char *format, ...)
{
	va_list list;
	int length;

	va_start(list, format);
	length = vsnprintf(phrase->buf + phrase->used,
			   phrase->size - phrase->used, format, list);
	va_end(list);
	if (length > 0)
		phrase->used += (size_t)length;
	if (phrase->used >= phrase->size)
		phrase->used = phrase->size - 1;
}
