/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run other programs at the end of a recording: print the brief report, and add
 * the run to the history.
 */
#ifndef SW_RECORDER_REPORT_END_H
#define SW_RECORDER_REPORT_END_H

#include "common/error.h"
#include "recorder/run/signals.h"

/*
 * Run "REPORTER report --brief PROFILE" with output to standard error and wait
 * for it.  Return 0, or -1 with *error if there was no report.
 */
int sw_report_end(const char *reporter, const char *profile,
		  const struct sw_signals *signals, struct sw_error *error);

/*
 * Run "REPORTER import --of-run PROFILE", which reports its own errors, and
 * wait for it, at most five seconds.  Return 0, or -1 with *error if it failed
 * without a message.
 */
int sw_report_history(const char *reporter, const char *profile,
		      const struct sw_signals *signals, struct sw_error *error);

#endif
