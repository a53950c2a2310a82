/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of the advice: what its files share. */
#ifndef SW_ANALYZER_ADVICE_INTERNAL_H
#define SW_ANALYZER_ADVICE_INTERNAL_H

#include "analyzer/requests/advice.h"

/*
 * Rank the node types of the settings, where there are any, by what is
 * suggested.  0 (also refused), or -1 with *error.
 */
int sw_advice_rank_nodes(struct sw_advice *advice, struct sw_history *history,
			 const struct sw_settings *settings,
			 struct sw_error *error);

#endif
