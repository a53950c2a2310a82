/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which loss of time is worth a finding: the same measure for every rule about
 * time, from the account of what limited the step (common/limits.h).
 */
#ifndef SW_ANALYZER_WORTH_H
#define SW_ANALYZER_WORTH_H

#include "analyzer/view/shares.h"
#include "analyzer/view/view.h"

struct sw_loss {
	double usec;	/* time in which something was lost; NAN: unknown */
	double cpus;	/* share of the step's CPUs that it concerned, to 1 */
	double sure;	/* the finding's confidence */
};

/*
 * The first settings of each such rule.  A tenth of the time of all of the
 * step's CPUs, and 5 s, were chosen by hand: "make ward" and its healthy cases
 * show what another number does.
 */
enum { SW_MIN_LOST_RATIO, SW_MIN_LOST_SECONDS, SW_WORTH_SETTINGS_COUNT };
#define SW_WORTH_SETTINGS                                                      \
	{ "min_lost_ratio", SW_SOME, 0, 1,                                     \
	  "share of its CPUs' time that was lost, times confidence" },          \
	{ "min_lost_seconds", 5, 0, 86400, "shorter losses are not reported" }

/* Return true if the loss was large enough, and certain enough, to report. */
bool sw_is_worth_telling(const struct sw_view *view, const struct sw_loss *loss,
			 const double *setting);

/* Return the share of the elapsed time from which on it is. */
double sw_worth_ratio(const struct sw_loss *loss, const double *setting);

/* Return the loss of all CPUs for the time that a limit or resource had. */
struct sw_loss sw_loss_by(const struct sw_view *view, enum sw_limit limit,
			  double sure);
struct sw_loss sw_loss_by_resource(const struct sw_view *view,
				   enum sw_limited_by resource, double sure);

#endif
