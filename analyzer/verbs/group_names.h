/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The groups of the history by name: to be listed, and to find what was meant. */
#ifndef SW_ANALYZER_GROUP_NAMES_H
#define SW_ANALYZER_GROUP_NAMES_H

#include "advice/policy.h"
#include "analyzer/history/history.h"

struct sw_group_names {
	struct sw_group_name {
		char *name;
		size_t runs;
		size_t names;	/* more than one: "alice/kmers_s*" */
	} *items;		/* of whole jobs, the largest first */
	size_t count;
};

/* 0, or -1 with *error.  It can be finished in any case. */
int sw_group_names_init(struct sw_group_names *names,
			struct sw_history *history, struct sw_error *error);
/* The same, with those that advice folds as one. */
int sw_group_names_init_folded(struct sw_group_names *names,
			       struct sw_history *history,
			       const struct sw_policy *policy,
			       struct sw_error *error);
void sw_group_names_fini(struct sw_group_names *names);

/* "; did you mean "alice/align"?" added to text where a group is near. */
void sw_group_names_add_similar(char *text, size_t size,
				struct sw_history *history, const char *what);

#endif
