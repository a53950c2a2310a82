/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a catalogue of nodes, as far as Slurm and summaries have them. */
#ifndef SW_ANALYZER_DOCTOR_CATALOGUE_H
#define SW_ANALYZER_DOCTOR_CATALOGUE_H

#include <stdio.h>

#include "analyzer/settings/settings.h"
#include "common/error.h"

/*
 * Ask scontrol, and print one row for each kind of node, with comments on how
 * many bytes a second programs were seen to read and write there.  0, or -1
 * with *error and nothing printed.
 */
int sw_doctor_catalogue(FILE *out, const struct sw_settings *settings,
			struct sw_error *error);

#endif
