/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output of advice: for people, ready to paste, and for programs. */
#ifndef SW_ANALYZER_SUGGEST_H
#define SW_ANALYZER_SUGGEST_H

#include <stdio.h>

#include "analyzer/dialects/dialect.h"
#include "analyzer/print/json.h"
#include "analyzer/print/style.h"

/* Print all advice; text outside of the dialect is in its comments. */
void sw_suggest_text(FILE *out, const struct sw_request *request,
		     const struct sw_dialect *dialect,
		     const struct sw_report_style *style);

/* Print a document, "schema": "stepwell.suggest/1". */
void sw_suggest_json(FILE *out, const struct sw_request *request);

/* Add suggestions[], also used in reports. */
void sw_suggestions_json(struct json_object *array,
			 const struct sw_request *request);

/*
 * Print the diff of a script to standard output, and write the script if
 * is_write.  Print errors and return an exit status.
 */
int sw_suggest_apply(const char *path, const struct sw_request *request,
		     bool is_write);

#endif
