/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text that grows part by part in a buffer, and is cut at its end. */
#ifndef SW_COMMON_TEXT_H
#define SW_COMMON_TEXT_H

#include <stddef.h>

/* Adds to the text that is in buf. */
void sw_text_add(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
