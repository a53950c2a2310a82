/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports that are held against files of test/reports. */
#ifndef SW_TEST_GOLDEN_H
#define SW_TEST_GOLDEN_H

#include <stdbool.h>

#include "analyzer/report/report.h"

/* "text", "brief" or "json"; the test fails where there is none. */
const struct sw_report_format *golden_format(const char *name);

/*
 * The text has to be that of the file NAME; with UPDATE_GOLDEN in the
 * environment it becomes that.  Of JSON the line breaks do not count: releases
 * of json-c put them in other places.
 */
void golden_compare(const char *name, const char *text, bool is_json);

#endif
