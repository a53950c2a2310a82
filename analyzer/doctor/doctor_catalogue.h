/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Propose rows of a node catalogue from Slurm and summaries. */
#ifndef SW_ANALYZER_DOCTOR_CATALOGUE_H
#define SW_ANALYZER_DOCTOR_CATALOGUE_H

#include <stdio.h>

#include "analyzer/settings/settings.h"
#include "common/error.h"

/*
 * Ask scontrol, and print a row for each kind of node, with comments on the
 * bytes per second that programs were seen to read and write there.  Return 0,
 * or -1 with *error and no output.
 */
int sw_doctor_catalogue(FILE *out, const struct sw_settings *settings,
			struct sw_error *error);

#endif
