/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How advice is shown: for people, ready to paste, and for programs. */
#ifndef SW_ANALYZER_SUGGEST_H
#define SW_ANALYZER_SUGGEST_H

#include <stdio.h>

#include "analyzer/dialects/dialect.h"
#include "analyzer/print/json.h"
#include "analyzer/print/style.h"

/* All of it; what is not of the dialect is in its comments. */
void sw_suggest_text(FILE *out, const struct sw_request *request,
		     const struct sw_dialect *dialect,
		     const struct sw_report_style *style);

/* One document, "schema": "stepwell.suggest/1". */
void sw_suggest_json(FILE *out, const struct sw_request *request);

/* suggestions[] of it, and of a report's. */
void sw_suggestions_json(struct json_object *array,
			 const struct sw_request *request);

/*
 * The diff of a script on standard output, and with is_write the script
 * itself.  Returns an exit status, and has complained where it has to.
 */
int sw_suggest_apply(const char *path, const struct sw_request *request,
		     bool is_write);

#endif
