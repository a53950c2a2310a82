/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Witt's linear regression on the input size, plus one standard deviation of
 * its errors; without input sizes that of a constant, which is the mean.
 * Doubles after a failure.
 */
#include <math.h>

#include "advice/line.h"
#include "advice/methods.h"

struct group {
	struct sw_line_sums with_input, without;
	double largest_bytes;
};

static int learn(void *opaque, struct sw_memory_site *site,
		 const struct sw_run *run)
{
	struct group *group = opaque;

	(void)site;
	sw_line_sums_add(&group->without, 0, run->need_bytes, 1);
	if (!isnan(run->input_bytes))
		sw_line_sums_add(&group->with_input, run->input_bytes,
				 run->need_bytes, 1);
	group->largest_bytes = fmax(group->largest_bytes, run->need_bytes);
	return 0;
}

static double ask(void *opaque, const struct sw_asking *asking)
{
	const struct group *group = opaque;
	const struct sw_line_sums *sums;
	struct sw_line line;
	double bytes, x = 0;

	if (!(group->without.weight > 0))
		return NAN;
	sums = &group->without;
	if (!isnan(asking->query->input_bytes) &&
	    group->with_input.weight > 0) {
		sums = &group->with_input;
		x = asking->query->input_bytes;
	}
	line = sw_line_of(sums);
	bytes = sw_line_at(&line, x);
	if (sums->weight > 1)
		bytes += sqrt(fmax(sums->yy - line.slope * sums->xy, 0) /
			      (sums->weight - 1));
	return bytes > 0 ? bytes : group->largest_bytes;
}

const struct sw_method sw_method_witt_lr = {
	.name = "witt_lr",
	.title = "Witt: linear regression + 1 standard deviation",
	.source = "Witt, Wagner, Leser, HPCS 2019; deviation as in Bader et "
		  "al.: k-Segments, arXiv 2311.08185",
	.group_size = sizeof(struct group),
	.learn = learn,
	.ask = ask,
};
