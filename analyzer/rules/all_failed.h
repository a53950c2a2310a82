/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Detects a step that reports success and in which no program did its work. */
#ifndef SW_ANALYZER_ALL_FAILED_H
#define SW_ANALYZER_ALL_FAILED_H

#include "analyzer/view/view.h"

/*
 * The program that failed first, where each process failed of each program but
 * for shells, starters of programs, and those that only answer or prepare
 * something; NULL: one succeeded, is not known to have failed, or the shell
 * itself did so much: CPU time, or bytes written.
 */
const struct sw_view_program *sw_all_failed_first(const struct sw_view *view,
						  const double *setting);

#endif
