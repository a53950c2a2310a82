/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What another program does with a recording at its end: the brief report,
 * and a row for it in the history.
 */
#ifndef SW_RECORDER_REPORT_END_H
#define SW_RECORDER_REPORT_END_H

#include "common/error.h"
#include "recorder/run/signals.h"

/*
 * Run "REPORTER report --brief PROFILE" with its output on standard error
 * and wait for it.  Returns 0, or -1 with *error when there was no report.
 */
int sw_report_end(const char *reporter, const char *profile,
		  const struct sw_signals *signals, struct sw_error *error);

/*
 * Run "REPORTER import --of-run PROFILE", which says itself why it could not
 * do it, and wait for it, five seconds at most.  Returns 0, or -1 with *error
 * where it was not done and did not say so.
 */
int sw_report_history(const char *reporter, const char *profile,
		      const struct sw_signals *signals, struct sw_error *error);

#endif
