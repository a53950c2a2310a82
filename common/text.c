/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text that grows part by part in a buffer, and is cut at its end. */
#include "common/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sw_text_add(char *buf, size_t size, const char *format, ...)
{
	size_t used = strnlen(buf, size);
	va_list list;

	if (used >= size)
		return;
	va_start(list, format);
	vsnprintf(buf + used, size - used, format, list);
	va_end(list);
}
