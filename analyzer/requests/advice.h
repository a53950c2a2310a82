/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advise one group of past runs from the history and the settings: used by
 * "suggest" and "report".
 */
#ifndef SW_ANALYZER_ADVICE_H
#define SW_ANALYZER_ADVICE_H

#include "advice/suggestion.h"
#include "analyzer/grouping/job_group.h"
#include "analyzer/history/history.h"
#include "analyzer/nodes/catalogue.h"

struct sw_settings;

enum {
	SW_ADVICE_MAX = 8,		/* one per advisor */
	SW_ADVICE_RUNS_MAX = 500,	/* newest; enough for all advisors */
};

/* Source of the input size that the advice is for. */
enum sw_input_source {
	SW_INPUT_UNKNOWN,
	SW_INPUT_GIVEN,		/* by the caller */
	SW_INPUT_OF_RUN,	/* of the named job */
	SW_INPUT_LARGEST,	/* of all runs used */
};

struct sw_advice_options {
	bool has_risk;
	enum sw_risk risk;	/* replaces the settings' */
	double input_bytes;	/* of the next run; NAN: from the past */
	/*
	 * Current request: requested_*, nodes, tasks; NAN: as in the named or
	 * the last run.  NULL: all of them.
	 */
	const struct sw_run *request;
	const char *request_name;	/* its source: a script */
	bool is_exact; /* do not fold other names into the group */
	/*
	 * A run that the history may not have yet: it counts as one of its
	 * group, which is advised.  NULL: none.
	 */
	const struct sw_history_run *own;
};

/*
 * Kinds of nodes in the site's catalogue, fitting ones first, then by price;
 * without run times, since the history lacks the nodes of runs.
 */
struct sw_advice_nodes {
	struct sw_catalogue catalogue;
	struct sw_kind_choice *choices;
	size_t count;			/* of choices; 0: withheld */
	char why[SW_WHY_SIZE];		/* reason for withholding */
};

struct sw_advice {
	char *group;			/* name, or a pattern */
	/* The group with others that are samples of the same work; or "". */
	char family[SW_JOB_GROUP_SIZE];
	size_t family_names;		/* number of its groups */
	bool has_own_name;		/* includes the requested name */
	size_t group_count;		/* matching a pattern; 0: none given */
	char *last_job;			/* newest of the group; NULL */
	char *name;			/* of the newest run; "", NULL: none */
	struct sw_history_runs runs;	/* used for the advice, oldest first */
	struct sw_run asked;		/* current request */
	char *asked_by;			/* a job or a script; or "" */
	struct sw_query query;
	enum sw_input_source input_source;
	struct sw_policy policy;
	const struct sw_advisor *advisors[SW_ADVICE_MAX];
	struct sw_suggestion suggestions[SW_ADVICE_MAX];
	size_t count;			/* of advisors and suggestions */
	bool has_nodes;			/* a catalogue is configured */
	struct sw_advice_nodes nodes;
};

/*
 * Advise what: a job id, a group or a job name, as in sw_history_find_group(),
 * or a pattern of group names; ignored if there is an own run.  options may be
 * NULL. A group with too few runs is folded as in history_fold.h.  The advice
 * must not be moved, or outlive the settings.  Return 0, or -1 with *error:
 * ENOENT (no such group, or no runs in it), ENOTUNIQ, ENOMEM, and errors of the
 * history.
 */
int sw_advice_init(struct sw_advice *advice, struct sw_history *history,
		   const char *what, const struct sw_settings *settings,
		   const struct sw_advice_options *options,
		   struct sw_error *error);

/*
 * Likewise for one or more runs outside of a history, oldest first; takes
 * ownership of the runs.  Lacks what only a history knows (the largest request
 * of others, node types).  Return 0, or -1 (ENOMEM).
 */
int sw_advice_of_runs(struct sw_advice *advice, const char *group,
		      struct sw_history_runs *runs,
		      const struct sw_settings *settings);

void sw_advice_fini(struct sw_advice *advice);

/* "alice/align", or "alice/kmers_s* (12 names)"; returns buf. */
char *sw_advice_group_words(char *buf, size_t size,
			    const struct sw_advice *advice);

/* True for patterns of group names: "kmers_*"; advice_pattern.c. */
bool sw_advice_is_pattern(const char *what);

/* Load their runs like those of one group.  Return 0, or -1 with *error. */
int sw_advice_load_pattern(struct sw_advice *advice,
			   struct sw_history *history, const char *pattern,
			   struct sw_error *error);

/*
 * Last part of advice, advice_nodes.c: choose kinds of nodes in the catalogue
 * by the suggestions.  Return 0 (also if withheld), or -1 (errno ENOMEM).
 */
int sw_advice_choose_nodes(struct sw_advice *advice);

/* Per node: the suggestion, or else the current request. */
struct sw_node_need sw_advice_need(const struct sw_advice *advice);

/* The suggestion for a resource; NULL without advisor. */
static inline const struct sw_suggestion *
sw_advice_find(const struct sw_advice *advice, enum sw_resource resource)
{
	for (size_t i = 0; i < advice->count; i++) {
		if (advice->advisors[i]->resource == resource)
			return &advice->suggestions[i];
	}
	return NULL;
}

/* Largest input of the runs; NAN if unknown. */
double sw_advice_largest_input(const struct sw_advice *advice);

/*
 * Return the largest need of memory or time seen in the runs, including lower
 * bounds; NAN if unknown, or for other resources.
 */
double sw_advice_largest(const struct sw_advice *advice,
			 enum sw_resource resource);

#endif
