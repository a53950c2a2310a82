/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From paths to a result tree: the one place that chains the layers. */
#ifndef SW_ANALYZER_LOADED_H
#define SW_ANALYZER_LOADED_H

#include "analyzer/advice.h"
#include "analyzer/rule.h"

struct sw_loaded {
	struct sw_job job;
	struct sw_result result;
	struct sw_advice advice;
};

/*
 * The profiles of a job's nodes, or the one of a run; step is NULL for all of
 * it.  0, or -1 with *error; free with sw_loaded_fini(), also after a failure.
 */
int sw_loaded_init(struct sw_loaded *loaded, const char *const *paths,
		   size_t count, const char *step,
		   const struct sw_settings *settings, struct sw_error *error);
/*
 * Advice on it into the result, from the history as it is, with this run among
 * the past ones.  Without a history, or one that is locked or damaged, there
 * is none; it takes no longer than a report may.
 */
void sw_loaded_advise(struct sw_loaded *loaded,
		      const struct sw_settings *settings);
void sw_loaded_fini(struct sw_loaded *loaded);

#endif
