/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which loss of time is worth a finding. */
#include "analyzer/rules/worth.h"

#include "analyzer/view/bottleneck.h"
#include "common/units.h"

bool sw_is_worth_telling(const struct sw_view *view, const struct sw_loss *loss,
			 const double *setting)
{
	return loss->usec >= setting[SW_MIN_LOST_SECONDS] * SW_USEC_PER_SEC &&
	       loss->usec * loss->cpus * loss->sure >=
		       setting[SW_MIN_LOST_RATIO] *
			       sw_real_u64(view->elapsed_usec);
}

double sw_worth_ratio(const struct sw_loss *loss, const double *setting)
{
	return setting[SW_MIN_LOST_RATIO] / loss->cpus / loss->sure;
}

struct sw_loss sw_loss_by(const struct sw_view *view, enum sw_limit limit,
			  double sure)
{
	return (struct sw_loss){
		sw_limit_ratio(&view->limits, limit) *
			sw_real_u64(view->elapsed_usec), 1, sure };
}

struct sw_loss sw_loss_by_resource(const struct sw_view *view,
				   enum sw_limited_by resource, double sure)
{
	return (struct sw_loss){
		sw_limits_ratio(&view->limits, resource) *
			sw_real_u64(view->elapsed_usec), 1, sure };
}
