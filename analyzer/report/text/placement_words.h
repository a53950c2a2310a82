/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe where tasks were allowed to run. */
#ifndef SW_ANALYZER_PLACEMENT_WORDS_H
#define SW_ANALYZER_PLACEMENT_WORDS_H

#include <stddef.h>

#include "analyzer/view/placement.h"

/*
 * Format "4 tasks, each on 8 of the node's 64 CPUs: 2 on socket 0, 2 on socket
 * 1"; "" if nothing is known.
 */
char *sw_placement_words(char *buf, size_t size,
			 const struct sw_placement *placement);

/* "3 of 4 tasks share core 0"; "" if no tasks are confined to one. */
char *sw_sharing_words(char *buf, size_t size,
		       const struct sw_placement *placement);

#endif
