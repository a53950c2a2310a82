/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Error text in a buffer owned by the caller: no allocation on the error path.
 * A message names the object, the cause and the consequence.
 */
#ifndef SW_COMMON_ERROR_H
#define SW_COMMON_ERROR_H

#define SW_ERROR_TEXT_SIZE 512

struct sw_error {
	char text[SW_ERROR_TEXT_SIZE];
};

/*
 * Format a message into error (which may be NULL), truncated to the buffer.
 * Keeps errno and returns -1, so that "return sw_error_set(...)" reads well.
 */
int sw_error_set(struct sw_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* As sw_error_set(), with ": " and the text of errno appended. */
int sw_error_errno(struct sw_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
