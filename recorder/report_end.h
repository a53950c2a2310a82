/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The brief report at the end of a recording, by another program. */
#ifndef SW_RECORDER_REPORT_END_H
#define SW_RECORDER_REPORT_END_H

#include "common/error.h"
#include "recorder/signals.h"

/*
 * Run "REPORTER report --brief PROFILE" with its output on standard error
 * and wait for it.  Returns 0, or -1 with *error when there was no report.
 */
int sw_report_end(const char *reporter, const char *profile,
		  const struct sw_signals *signals, struct sw_error *error);

#endif
