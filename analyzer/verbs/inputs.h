/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that a verb reads, none of which it may write over. */
#ifndef SW_ANALYZER_VERBS_INPUTS_H
#define SW_ANALYZER_VERBS_INPUTS_H

#include <limits.h>
#include <stddef.h>

struct sw_settings;

struct sw_inputs {
	const char **paths;	/* some may be NULL */
	size_t count;
	char history[PATH_MAX];
};

/*
 * The settings, the files that they name, the history, and count paths of the
 * verb's own, which must outlive it.  0, or -1 without memory; free with
 * sw_inputs_fini() either way.
 */
int sw_inputs_init(struct sw_inputs *inputs, const struct sw_settings *settings,
		   const char *const *paths, size_t count);
void sw_inputs_fini(struct sw_inputs *inputs);

#endif
