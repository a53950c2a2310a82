/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A heterogeneous job as a whole, and each of its components. */
#ifndef SW_ANALYZER_LOADED_COMPONENTS_H
#define SW_ANALYZER_LOADED_COMPONENTS_H

#include "analyzer/report/loaded.h"

struct sw_loaded_components {
	struct sw_loaded whole;	 /* points to the results of the components */
	struct sw_loaded *parts; /* in the order of their numbers */
	size_t count;
	const struct sw_result **results;
	const char **paths; /* of all components */
	size_t path_count;
};

/* Return true for components of one heterogeneous job of one user. */
bool sw_are_components(const struct sw_jobfiles *files);

/*
 * Read files for which sw_are_components() is true; ask sacct if is_asked.
 * Only components get advice, since their requests differ.  Return 0, or -1
 * with *error; free with sw_loaded_components_fini(), also after a failure.
 */
int sw_loaded_components_read(struct sw_loaded_components *loaded,
			      const struct sw_jobfiles *files,
			      struct sw_judge *judge, bool is_asked,
			      struct sw_history *history,
			      const struct sw_settings *settings,
			      struct sw_error *error);
void sw_loaded_components_fini(struct sw_loaded_components *loaded);

#endif
