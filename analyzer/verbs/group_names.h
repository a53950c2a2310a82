/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of the history by name, for lists and for misspelled names. */
#ifndef SW_ANALYZER_GROUP_NAMES_H
#define SW_ANALYZER_GROUP_NAMES_H

#include "advice/policy.h"
#include "analyzer/history/history.h"

struct sw_group_names {
	struct sw_group_name {
		char *name;
		size_t runs;
		size_t names;	/* several: "alice/kmers_s*" */
	} *items;		/* groups of whole jobs, largest first */
	size_t count;
};

/*
 * Read the groups; those that share advice are listed as one.  Return 0, or -1
 * with *error; call sw_group_names_fini() in both cases.
 */
int sw_group_names_init_folded(struct sw_group_names *names,
			       struct sw_history *history,
			       const struct sw_policy *policy,
			       struct sw_error *error);
void sw_group_names_fini(struct sw_group_names *names);

/* Append "; did you mean "alice/align"?" if a group has a similar name. */
void sw_group_names_add_similar(char *text, size_t size,
				struct sw_history *history, const char *what);

#endif
