/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a program failed, in words. */
#ifndef SW_ANALYZER_CAUSE_WORDS_H
#define SW_ANALYZER_CAUSE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/view/view.h"

enum { SW_CAUSE_WORDS_SIZE = 400 };

/* Is known what failed, and that it was no less than the reason? */
bool sw_program_has_cause(const struct sw_view_program *program);

/*
 * "it could not open /ref/genome.fa: no such file" with "it" for who, or less
 * where less is known; "": nothing is.
 */
char *sw_cause_words(char *buf, size_t size, const char *who,
		     const struct sw_view_program *program);

/* Title and words for a shell that could not execute a command: "sh could not
 * find a command that it was to run (exit status 127)". */
const char *sw_not_found_title(const struct sw_view_program *shell);
char *sw_not_found_words(char *buf, size_t size,
			 const struct sw_view_program *shell);

/* Why nothing could be known of any, by the name of what is missing; "": it
 * could. */
char *sw_cause_unrecorded(char *buf, size_t size, const struct sw_view *view);

#endif
