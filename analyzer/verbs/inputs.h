/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input files of a verb, which its output must not overwrite. */
#ifndef SW_ANALYZER_VERBS_INPUTS_H
#define SW_ANALYZER_VERBS_INPUTS_H

#include <limits.h>
#include <stddef.h>

struct sw_settings;

struct sw_inputs {
	const char **paths;	/* may contain NULL */
	size_t count;
	char history[PATH_MAX];
};

/*
 * Collect the settings, the files that they name, the history, and count paths
 * of the verb, which must outlive inputs.  Return 0, or -1 if out of memory;
 * free with sw_inputs_fini() in both cases.
 */
int sw_inputs_init(struct sw_inputs *inputs, const struct sw_settings *settings,
		   const char *const *paths, size_t count);
void sw_inputs_fini(struct sw_inputs *inputs);

#endif
