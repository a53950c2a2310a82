/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a failed run coincide with its input, its node, or the program?  Pure.
 *
 * Each answer is asked of the runs that share only that with the failed one:
 * other attempts at the same thing; other things on the same node, or on others
 * of its kind or with its mount; other things elsewhere, since a time.  Each is
 * compared with the rest by an exact test (strata.h; R. A. Fisher, see
 * analyzer/compare/chance.h).  The failed run itself is not counted: it is why
 * the question was asked.  Probabilities are multiplied by the number of
 * answers that these counts could show at all (R. E. Tarone, "A modified
 * Bonferroni method for discrete data", Biometrics 46 (1990)).
 *
 * Nothing is said where two answers are shown, or where one is shown and
 * another is likely.
 */
#ifndef SW_ANALYZER_ORIGIN_H
#define SW_ANALYZER_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "advice/run.h"

/*
 * Limit of p times the number of possible answers.  "2 of 2 attempts failed,
 * and none of 46 others" has 1/47: the second could have been any of 47.
 */
#define SW_ORIGIN_CHANCE_MAX 0.025

/* Places of a run, from the narrowest on. */
enum sw_origin_place {
	SW_ORIGIN_ON_NODE,
	SW_ORIGIN_ON_MOUNT,
	SW_ORIGIN_ON_KIND, /* of nodes */
	SW_ORIGIN_PLACES
};

/* An attempt, as its source tells; texts are untrusted, never NULL. */
struct sw_origin_attempt {
	const char *thing; /* what it processed: a key; "": not known */
	const char *place[SW_ORIGIN_PLACES]; /* "": not known, or several */
	double start_seconds, end_seconds;   /* since the Epoch */
	enum sw_run_state state; /* UNKNOWN: neither failed nor succeeded */
	double exit_code;	 /* NAN */
	double requested_bytes, requested_seconds; /* NAN */
	uint64_t count; /* attempts that are alike in all of that */
};

enum sw_origin_answer {
	SW_ORIGIN_UNTOLD,
	SW_ORIGIN_INPUT,
	SW_ORIGIN_PLACE,
	SW_ORIGIN_PROGRAM, /* or what changed with it */
	SW_ORIGIN_MEMORY,  /* the request */
	SW_ORIGIN_TIME,
};

/* Why it cannot be told. */
enum sw_origin_why {
	SW_ORIGIN_NO_THING,  /* it is not known what runs processed */
	SW_ORIGIN_NO_OTHERS, /* too few runs of other things */
	SW_ORIGIN_ONE_TRY,   /* nothing else failed like this */
	SW_ORIGIN_PASSED,    /* it succeeded when it was run again */
	SW_ORIGIN_ONE_NODE,  /* all attempts were there, others were not */
	SW_ORIGIN_NO_NODES,  /* all fail since a time, nodes are not known */
	SW_ORIGIN_TWO,	     /* more than one is shown or likely */
	SW_ORIGIN_FAR_LIMIT, /* others needed much less than the time limit */
	SW_ORIGIN_CHANCE,    /* the counts may be chance */
};

enum sw_origin_again {
	SW_ORIGIN_AGAIN_NOT,	   /* as it is */
	SW_ORIGIN_AGAIN_ELSEWHERE, /* on another node */
	SW_ORIGIN_AGAIN_ONCE,	   /* that would tell */
	SW_ORIGIN_AGAIN_DONE,	   /* it has succeeded */
};

/* Failed in the same way, of those that did or succeeded. */
struct sw_origin_count {
	uint64_t failed, of;
};

struct sw_origin {
	enum sw_origin_answer answer;
	enum sw_origin_why why;
	enum sw_origin_again again;
	enum sw_origin_place place; /* of PLACE */
	/* At the same thing, with the failed run, since the last success. */
	struct sw_origin_count attempts;
	uint64_t attempt_nodes; /* that are known, of the failed ones */
	struct sw_origin_count
		others; /* other things, since the first of them */
	struct sw_origin_count here, elsewhere; /* other things, by place */
	struct sw_origin_count before, since;	/* other things elsewhere */
	double since_seconds;			/* NAN */
	uint64_t since_nodes;	/* on which they failed since, that are known */
	double requested;	/* bytes or seconds; NAN */
	double longest_seconds; /* of a successful run with that limit; NAN */
	double chance;		/* of so clear an answer by chance; NAN */
};

enum { SW_ORIGIN_NAME_SIZE = 256 };

/* With the names of its run, which are untrusted. */
struct sw_origin_told {
	struct sw_origin origin;
	const char *what;		 /* "sample"; static */
	char thing[SW_ORIGIN_NAME_SIZE]; /* "S7"; "" */
	char place[SW_ORIGIN_PLACES][SW_ORIGIN_NAME_SIZE];
};

/*
 * Answer for the attempt with that index, which failed.  Attempts may be in any
 * order.  Return 0, or -1 (errno ENOMEM).
 */
int sw_origin_find(struct sw_origin *origin,
		   const struct sw_origin_attempt *attempts, size_t count,
		   size_t own);

/* True for a run that failed by itself or by its request. */
static inline bool sw_origin_is_failure(enum sw_run_state state)
{
	return state == SW_RUN_FAILED || state == SW_RUN_OUT_OF_MEMORY ||
	       state == SW_RUN_TIMEOUT;
}

#endif
