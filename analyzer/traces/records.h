/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of a table in text: fields between tabs, or between commas, semicolons
 * or bars, with quotes as RFC 4180 has them; packed by gzip or not.  Gives up at bytes that are no text, at lines
 * beyond a mebibyte, and at what gzip says is damaged.
 */
#ifndef SW_ANALYZER_RECORDS_H
#define SW_ANALYZER_RECORDS_H

#include <stddef.h>

#include "common/error.h"

struct sw_records;

/* NULL: no such file, or it cannot be read. */
struct sw_records *sw_records_open(const char *path, struct sw_error *error);
void sw_records_close(struct sw_records *records);

/* 1 with a record, 0 at the end, -1.  Empty lines are skipped. */
int sw_records_next(struct sw_records *records, struct sw_error *error);

/* Adds the next line to the record at hand, of whose last field it goes on. */
int sw_records_join(struct sw_records *records, struct sw_error *error);

/* Of the record at hand, until the next: fields, and the line it began on. */
size_t sw_records_field_count(const struct sw_records *records);
const char *sw_records_field(const struct sw_records *records, size_t index);
unsigned long sw_records_line(const struct sw_records *records);
const char *sw_records_path(const struct sw_records *records);

#endif
