/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a program failed, in words. */
#ifndef SW_ANALYZER_CAUSE_WORDS_H
#define SW_ANALYZER_CAUSE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/view/view.h"

enum { SW_CAUSE_WORDS_SIZE = 400 };

/* Return true if the failed call is known and was probably the cause. */
bool sw_program_has_cause(const struct sw_view_program *program);

/* Return true if that call failed for want of space, memory or the like. */
bool sw_program_lacks_resource(const struct sw_view_program *program);

/* Return true if that call was to open a file. */
bool sw_program_lacks_file(const struct sw_view_program *program);

/*
 * Format the cause as "it could not open /ref/genome.fa: no such file", with
 * who as "it".  Shorter if less is known, "" if nothing is.
 */
char *sw_cause_words(char *buf, size_t size, const char *who,
		     const struct sw_view_program *program);

/* Title and words for a shell that could not execute a command: "sh could not
 * find a command that it was to run (exit status 127)". */
const char *sw_not_found_title(const struct sw_view_program *shell);
char *sw_not_found_words(char *buf, size_t size,
			 const struct sw_view_program *shell);

/* Format why no cause could be recorded for any program, by the name of the
 * missing source; "" if causes were recorded. */
char *sw_cause_unrecorded(char *buf, size_t size, const struct sw_view *view);

#endif
