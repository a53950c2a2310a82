/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Append to texts in a buffer, test their ends, search lists of texts. */
#ifndef SW_COMMON_TEXT_H
#define SW_COMMON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Append to the text in buf. */
void sw_text_add(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Format a program's name for a sentence: spaces become "\x20", so that no name
 * can end it and begin another; slurm_script becomes "the batch script".
 */
char *sw_name_words(char *buf, size_t size, const char *name);

/* Does text end with suffix, and is it longer? */
bool sw_has_suffix(const char *text, const char *suffix);

/* Skip the byte-order mark that a text in UTF-8 may begin with. */
const char *sw_text_skip_mark(const char *text);

/*
 * Return what follows "<name> " at the beginning of a line, including later
 * lines; NULL if no line begins so.
 */
const char *sw_text_line_value(const char *text, const char *name);

bool sw_text_is_among(const char *text, const char *const *list, size_t count);

/* The same for an array of texts. */
#define SW_IS_AMONG(text, list) \
	sw_text_is_among(text, list, sizeof(list) / sizeof((list)[0]))

#endif
