/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many of PAPI's presets count here, for who installs stepwell. */
#ifndef SW_RECORDER_PRESETS_H
#define SW_RECORDER_PRESETS_H

#include <stdio.h>

#include "recorder/sources/pmu/pmu_papi.h"

/*
 * A line for all: "PAPI 7.0.0: 53 presets for this processor, 41 count here;
 * not PAPI_CA_SNP, PAPI_CA_SHR and 10 more: No such device", and one for each
 * preset that PAPI knows: "PAPI_L3_TCM: PAPI has no formula of it for this
 * processor".  A preset counts where the kernel opens its events for this
 * process together.
 */
void sw_presets_print(FILE *file, const struct sw_papi_origin *origin);

#endif
