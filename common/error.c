/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error text in a buffer owned by the caller. */
#include "common/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int sw_error_set(struct sw_error *error, const char *format, ...)
{
	int saved = errno;
	va_list args;

	if (!error)
		return -1;
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	errno = saved;
	return -1;
}

int sw_error_errno(struct sw_error *error, const char *format, ...)
{
	int saved = errno;
	size_t used;
	va_list args;

	if (!error)
		return -1;
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	used = strlen(error->text);
	snprintf(error->text + used, sizeof(error->text) - used, ": %s",
		 strerror(saved));
	errno = saved;
	return -1;
}
