/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a recording lacks, in sentences. */
#ifndef SW_ANALYZER_MISSING_DATA_H
#define SW_ANALYZER_MISSING_DATA_H

#include "analyzer/rules/rule.h"

enum { SW_MISSING_DATA_SIZE = 512 };

/* One thing that is missing; its text can hold what a hostile file says. */
struct sw_missing_data {
	const char *text;
	bool is_major;		/* also said in the brief report */
};

/* Notifies of what each node and step lacks, whole files first. */
void sw_missing_data_visit(
	const struct sw_result *result,
	void (*notify)(void *context, const struct sw_missing_data *missing),
	void *context);

#endif
