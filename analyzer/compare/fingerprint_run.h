/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fingerprint of a run of which only a scheduler's numbers are known. */
#ifndef SW_ANALYZER_FINGERPRINT_RUN_H
#define SW_ANALYZER_FINGERPRINT_RUN_H

#include "analyzer/compare/fingerprint.h"

/* Time, CPU time, need, state and CPUs; everything else is unknown. */
void sw_fingerprint_of_run(struct sw_fingerprint *print,
			   const struct sw_run *run);

#endif
