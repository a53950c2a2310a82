/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many of PAPI's presets count here, for who installs stepwell. */
#ifndef SW_RECORDER_PRESETS_H
#define SW_RECORDER_PRESETS_H

#include "recorder/sources/pmu/pmu_papi.h"

/*
 * In one line: "PAPI 7.0.0: 53 presets for this processor, 41 count here; not
 * PAPI_CA_SNP, PAPI_CA_SHR and 10 more: No such device".  A preset counts
 * where the kernel opens its events for this process together.
 */
void sw_presets_tell(char *line, size_t size,
		     const struct sw_papi_origin *origin);

#endif
