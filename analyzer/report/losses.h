/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a recording lacks, in sentences. */
#ifndef SW_ANALYZER_LOSSES_H
#define SW_ANALYZER_LOSSES_H

#include "analyzer/rules/rule.h"

enum { SW_LOSS_SIZE = 512 };

/* One loss; the text can hold what a hostile file says. */
struct sw_loss {
	const char *text;
	bool is_major;		/* also said in the brief report */
};

/* Tell each loss of each node and step, what is of a whole file first. */
void sw_losses_visit(const struct sw_result *result,
		     void (*tell)(void *context, const struct sw_loss *loss),
		     void *context);

#endif
