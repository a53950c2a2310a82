/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find out how many of PAPI's presets can be counted here, for installation. */
#ifndef SW_RECORDER_PRESETS_H
#define SW_RECORDER_PRESETS_H

#include <stdio.h>

#include "recorder/sources/pmu/pmu_papi.h"

/*
 * Print a summary: "PAPI 7.0.0: 53 presets for this processor, 41 count here;
 * not PAPI_CA_SNP, PAPI_CA_SHR and 10 more: No such device", and a line for
 * each preset known to PAPI: "PAPI_L3_TCM: PAPI has no formula of it for this
 * processor".  A preset counts if the kernel opens all its events for this
 * process as a group.
 */
void sw_presets_print(FILE *file, const struct sw_papi_origin *origin);

#endif
