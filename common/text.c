/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Append to texts in a buffer, test their ends, search lists of texts. */
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

char *sw_name_words(char *buf, size_t size, const char *name)
{
	size_t used = 0;

	/* File name of the batch script, chosen by slurmd. */
	if (!strcmp(name, "slurm_script")) {
		snprintf(buf, size, "the batch script");
		return buf;
	}
	for (; *name && used + sizeof("\\x20") < size; name++) {
		if (*name == ' ')
			used += (size_t)snprintf(buf + used, size - used,
						 "\\x20");
		else
			buf[used++] = *name;
	}
	buf[used] = '\0';
	return buf;
}

bool sw_has_suffix(const char *text, const char *suffix)
{
	size_t length = strlen(text), end = strlen(suffix);

	return length > end && !strcmp(text + length - end, suffix);
}

bool sw_text_is_among(const char *text, const char *const *list, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (!strcmp(text, list[i]))
			return true;
	}
	return false;
}

const char *sw_text_skip_mark(const char *text)
{
	static const char mark[] = "\xef\xbb\xbf";

	return strncmp(text, mark, strlen(mark)) ? text : text + strlen(mark);
}

const char *sw_text_line_value(const char *text, const char *name)
{
	size_t length = strlen(name);
	const char *line;

	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, length) && line[length] == ' ')
			return line + length + 1;
	}
	return NULL;
}
