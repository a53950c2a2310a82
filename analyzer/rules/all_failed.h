/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Detect a step that reports success but in which no program did its work. */
#ifndef SW_ANALYZER_ALL_FAILED_H
#define SW_ANALYZER_ALL_FAILED_H

#include "analyzer/view/view.h"

/*
 * Return the program that failed first if every process of every program
 * failed.  Shells, starters, and programs that only answer or prepare
 * something do not count.  NULL if one succeeded, if one is not known to have
 * failed, or if the shell itself did the work (CPU time, bytes written).
 */
const struct sw_view_program *sw_all_failed_first(const struct sw_view *view,
						  const double *setting);

#endif
