/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON lines from many processes into one file, each with one write(), and
 * the count of violations that all of them share.
 */
#ifndef SW_TEST_SPANK_OUT_H
#define SW_TEST_SPANK_OUT_H

#include <stdint.h>

#define OUT_LINE_SIZE 2048

struct out_line {
	char text[OUT_LINE_SIZE];
	unsigned int used;
};

/* Ends the process where path cannot be opened: nothing can be told then. */
void out_open(const char *path);
int out_fd(void);

void out_begin(struct out_line *line, const char *event);
void out_text(struct out_line *line, const char *key, const char *value);
void out_number(struct out_line *line, const char *key, int64_t value);
void out_end(struct out_line *line);

/* One {"event":"violation"} line, and one more in the count. */
void out_violation(const char *kind, const char *where, const char *format,
		   ...) __attribute__((format(printf, 3, 4)));
unsigned int out_violations(void);

#endif
