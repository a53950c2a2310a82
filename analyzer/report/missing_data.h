/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe what a recording lacks, in sentences. */
#ifndef SW_ANALYZER_MISSING_DATA_H
#define SW_ANALYZER_MISSING_DATA_H

#include "analyzer/rules/rule.h"

enum { SW_MISSING_DATA_SIZE = 512 };

/* Something that is missing; its text may come from an untrusted file. */
struct sw_missing_data {
	const char *text;
	bool is_major;		/* shown in the brief report, too */
};

/* Call notify() for everything missing on nodes and steps, files first. */
void sw_missing_data_visit(
	const struct sw_result *result,
	void (*notify)(void *context, const struct sw_missing_data *missing),
	void *context);

#endif
