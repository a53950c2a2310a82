/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read records of a text table: fields separated by tabs, commas, semicolons or
 * bars, with quotes as in RFC 4180; optionally compressed by gzip.  Fails at
 * bytes that are not text, at lines above 1 MiB, and at data that gzip reports
 * as damaged.
 */
#ifndef SW_ANALYZER_TRACES_RECORDS_H
#define SW_ANALYZER_TRACES_RECORDS_H

#include <stddef.h>

#include "common/error.h"

struct sw_records;

/* NULL: no such file, or unreadable. */
struct sw_records *sw_records_open(const char *path, struct sw_error *error);
void sw_records_close(struct sw_records *records);

/* Read a record: 1, 0 at the end, or -1.  Empty lines are skipped. */
int sw_records_next(struct sw_records *records, struct sw_error *error);

/* Append the next line to the current record, whose last field it continues. */
int sw_records_join(struct sw_records *records, struct sw_error *error);

/* Fields of the current record, and its first line; valid until the next
 * one. */
size_t sw_records_field_count(const struct sw_records *records);
const char *sw_records_field(const struct sw_records *records, size_t index);
unsigned long sw_records_line(const struct sw_records *records);
const char *sw_records_path(const struct sw_records *records);

#endif
