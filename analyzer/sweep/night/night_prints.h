/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of a night's runs. */
#ifndef SW_ANALYZER_NIGHT_PRINTS_H
#define SW_ANALYZER_NIGHT_PRINTS_H

#include "analyzer/sweep/night/day_files.h"
#include "analyzer/sweep/night/night.h"

/*
 * Put the programs into the fingerprints of the runs that a settled night
 * keeps, from those of the files that have programs; of no other run anything
 * is kept.  A file that cannot be read costs the programs of its jobs.  Return
 * 0, or -1 (errno ENOMEM).
 */
int sw_night_prints_fill(struct sw_night *night,
			 const struct sw_day_files *files,
			 const bool *has_programs);

#endif
