/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON lines from many processes in one file, each written by one write(), and
 * their shared count of violations.
 */
#ifndef SW_TEST_SPANK_OUT_H
#define SW_TEST_SPANK_OUT_H

#include <stdint.h>

#define OUT_LINE_SIZE 2048

struct out_line {
	char text[OUT_LINE_SIZE];
	unsigned int used;
};

/* Exits if path cannot be opened: there is no way to report anything. */
void out_open(const char *path);
int out_fd(void);

void out_begin(struct out_line *line, const char *event);
void out_text(struct out_line *line, const char *key, const char *value);
void out_number(struct out_line *line, const char *key, int64_t value);
void out_end(struct out_line *line);

/* Write an {"event":"violation"} line and count it. */
void out_violation(const char *kind, const char *where, const char *format,
		   ...) __attribute__((format(printf, 3, 4)));
unsigned int out_violations(void);

#endif
