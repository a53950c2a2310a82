/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compare reports with files of test/reports. */
#ifndef SW_TEST_GOLDEN_H
#define SW_TEST_GOLDEN_H

#include <stdbool.h>

#include "analyzer/report/report.h"

/* Find "text", "brief" or "json"; the test fails if there is none. */
const struct sw_report_format *golden_format(const char *name);

/*
 * Compare text with the file NAME; with UPDATE_GOLDEN in the environment the
 * file is rewritten if it differs.  Line breaks in JSON do not count: releases
 * of json-c put them in different places.
 */
void golden_compare(const char *name, const char *text, bool is_json);

/*
 * Drop all notes of findings that were not evaluated but a few, so that a new
 * finding changes none of the reports.  The file "not_evaluated" has them all.
 */
void golden_keep_some_notes(struct sw_result *result);

#endif
