/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the history and the settings to all that is advised for one group of
 * past runs: what "suggest" and "report" both show.
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
	SW_ADVICE_RUNS_MAX = 500,	/* the newest: no advisor takes more */
};

/* Where the size of the input that advice is for is from. */
enum sw_input_source {
	SW_INPUT_UNKNOWN,
	SW_INPUT_GIVEN,		/* by the caller */
	SW_INPUT_OF_RUN,	/* that of the job that was named */
	SW_INPUT_LARGEST,	/* of all the runs that it rests on */
};

struct sw_advice_options {
	bool has_risk;
	enum sw_risk risk;	/* in place of the settings' */
	double input_bytes;	/* of the next run; NAN: as the past tells */
	/*
	 * What is asked for now: requested_*, nodes, tasks; NAN: as the run
	 * did that was named, or the last one.  NULL: all of it.
	 */
	const struct sw_run *request;
	const char *request_name;	/* whose it is: a script's */
	bool is_exact; /* no other names are folded with the group */
	/*
	 * A run that the history may not have yet: it counts as one of its
	 * group, which is what advice is for.  NULL: none.
	 */
	const struct sw_history_run *own;
};

/*
 * The kinds of nodes of the site's catalogue, those that fit first, then by
 * price; the history does not have the nodes of runs, so no times.
 */
struct sw_advice_nodes {
	struct sw_catalogue catalogue;
	struct sw_kind_choice *choices;
	size_t count;			/* of choices; 0: withheld */
	char why[SW_WHY_SIZE];		/* it is withheld */
};

struct sw_advice {
	char *group;			/* its name, or a pattern */
	/* The group with others that are samples of the same work; "". */
	char family[SW_JOB_GROUP_SIZE];
	size_t family_names;		/* groups in it */
	bool has_own_name;		/* what was asked for is among them */
	size_t group_count;		/* that match the pattern; 0: none */
	char *last_job;			/* the newest of the group; NULL */
	char *name;			/* of the newest run; "", NULL: none */
	struct sw_history_runs runs;	/* that it rests on, oldest first */
	struct sw_run asked;		/* what is asked for now */
	char *asked_by;			/* a job or a script; "" */
	struct sw_query query;
	enum sw_input_source input_source;
	struct sw_policy policy;
	const struct sw_advisor *advisors[SW_ADVICE_MAX];
	struct sw_suggestion suggestions[SW_ADVICE_MAX];
	size_t count;			/* of both */
	bool has_nodes;			/* the settings have a catalogue */
	struct sw_advice_nodes nodes;
};

/*
 * what is a job id, a group or a job's name, as sw_history_find_group() has
 * it, or a pattern of groups' names; and not looked at where there is an own
 * run; options may be NULL.  A group with too few runs is folded with those
 * that history_fold.h has.  The advice must not be moved and not outlive the
 * settings.  0, or -1 with
 * *error: ENOENT (no such group, or no runs in it), ENOTUNIQ, ENOMEM, and
 * those of the history.
 */
int sw_advice_init(struct sw_advice *advice, struct sw_history *history,
		   const char *what, const struct sw_settings *settings,
		   const struct sw_advice_options *options,
		   struct sw_error *error);

/*
 * The same of runs that are no history's, at least one, the oldest first; they
 * are the advice's from then on.  What only a history knows (the largest
 * request of others, the types of nodes) is left out.  0, or -1 (ENOMEM).
 */
int sw_advice_of_runs(struct sw_advice *advice, const char *group,
		      struct sw_history_runs *runs,
		      const struct sw_settings *settings);

void sw_advice_fini(struct sw_advice *advice);

/* "alice/align", or "alice/kmers_s* (12 names)"; returns buf. */
char *sw_advice_group_words(char *buf, size_t size,
			    const struct sw_advice *advice);

/* "kmers_*": of groups' names, advice_pattern.c. */
bool sw_advice_is_pattern(const char *what);

/* Their runs, as if they were of one group.  0, or -1 with *error. */
int sw_advice_load_pattern(struct sw_advice *advice,
			   struct sw_history *history, const char *pattern,
			   struct sw_error *error);

/*
 * Its last part, advice_nodes.c: the kinds of nodes of the settings' catalogue,
 * by what is suggested.  0 (also withheld), or -1 (errno ENOMEM).
 */
int sw_advice_choose_nodes(struct sw_advice *advice);

/* On each of its nodes, what is suggested, else what is asked for now. */
struct sw_node_need sw_advice_need(const struct sw_advice *advice);

/* The suggestion for a resource; NULL: no advisor has it. */
static inline const struct sw_suggestion *
sw_advice_find(const struct sw_advice *advice, enum sw_resource resource)
{
	for (size_t i = 0; i < advice->count; i++) {
		if (advice->advisors[i]->resource == resource)
			return &advice->suggestions[i];
	}
	return NULL;
}

/* Of the inputs of the runs; NAN: none is known. */
double sw_advice_largest_input(const struct sw_advice *advice);

/*
 * The largest need of memory or time that the runs have shown, lower bounds
 * of it included; NAN: not known, or another resource.
 */
double sw_advice_largest(const struct sw_advice *advice,
			 enum sw_resource resource);

#endif
