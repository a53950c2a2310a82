/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences about suggestions, shared by all output for people. */
#ifndef SW_ANALYZER_ADVICE_WORDS_H
#define SW_ANALYZER_ADVICE_WORDS_H

#include "analyzer/requests/request.h"
#include "common/units.h"

enum { SW_ADVICE_WORDS_SIZE = 2048 };

/* "4.0 GiB", "2 h 30 min", "4 CPUs"; "not known" for NAN */
struct sw_units_text sw_amount_words(enum sw_resource resource, double value);

/* Warning if it is less than runs have needed, or "". */
char *sw_below_need_words(char *buf, size_t size,
			  const struct sw_request *request,
			  enum sw_resource resource);

/* Current value, reason, warning if below a need, and backtest. */
char *sw_suggestion_words(char *buf, size_t size,
			  const struct sw_request *request,
			  enum sw_resource resource);

/*
 * Return why no value follows the last one for retries, as a sentence after a
 * space; "" if there is no reason.
 */
const char *sw_retry_limit_words(const struct sw_request *request,
				 enum sw_resource resource);

/*
 * Format why suggestion i is withheld, and what would help: "Memory, time: no
 * advice yet (needs 3 successful runs, has 1)."  Too few runs are mentioned
 * once, with the first resource.  "" if there is nothing to say, e.g. about
 * GPUs of a job without any.
 */
char *sw_refusal_words(char *buf, size_t size, const struct sw_advice *advice,
		       size_t i);

/*
 * Return the job whose OOM kill is the reason for the advice on memory: no
 * successful run needed as much as it had.  NULL if there is none.
 */
const char *sw_advice_killed_job(const struct sw_advice *advice);

#endif
