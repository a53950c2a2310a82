/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sentences about suggestions, for all that shows them to people. */
#ifndef SW_ANALYZER_ADVICE_WORDS_H
#define SW_ANALYZER_ADVICE_WORDS_H

#include "analyzer/requests/request.h"
#include "common/units.h"

enum { SW_ADVICE_WORDS_SIZE = 2048 };

/* "4.0 GiB", "2 h 30 min", "4 CPUs"; "not known" for NAN. */
struct sw_units_text sw_amount_words(enum sw_resource resource, double value);

/* That it is less than runs have needed; "" where it is not. */
char *sw_below_need_words(char *buf, size_t size,
			  const struct sw_request *request,
			  enum sw_resource resource);

/* All of it: what is now, why, whether it is below a need, the backtest. */
char *sw_suggestion_words(char *buf, size_t size,
			  const struct sw_request *request,
			  enum sw_resource resource);

/*
 * Why nothing is named beyond the last of what to request after a failure, as
 * a sentence with a space in front; "" where there is no such reason.
 */
const char *sw_retry_limit_words(const struct sw_request *request,
				 enum sw_resource resource);

/*
 * Why suggestion i is withheld, and what would help: "Memory, time: no advice
 * yet (needs 3 successful runs, has 1)."  Too few runs are said once, with the
 * first resource.  "" where there is nothing to say, as of the GPUs of a job
 * without any.
 */
char *sw_refusal_words(char *buf, size_t size, const struct sw_advice *advice,
		       size_t i);

/*
 * The job whose kill advice on memory is due to: none of those that ended well
 * needed as much as it had.  NULL: there is none.
 */
const char *sw_advice_killed_job(const struct sw_advice *advice);

#endif
