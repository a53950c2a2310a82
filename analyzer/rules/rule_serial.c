/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time in which one CPU was busy or wanted, and in which several were. */
#include "analyzer/rules/rule_serial.h"

#include <math.h>
#include <string.h>

#include "analyzer/view/bottleneck.h"
#include "common/one_cpu.h"
#include "common/units.h"

struct sw_serial sw_serial_measure(const struct sw_view *view)
{
	const struct sw_curve *cores = &view->cores;
	struct sw_serial parts = { 0 };
	size_t i;

	for (i = 0; i < cores->count; i++) {
		uint64_t start = cores->start_usec[i];
		uint64_t end = cores->end_usec[i];
		double seconds = (double)(end - start) / SW_USEC_PER_SEC;
		double waits = sw_curve_mean(&view->cpu_waits, start, end);
		double wanted = cores->value[i] + (isnan(waits) ? 0 : waits);

		if (wanted >= SW_TWO_CPUS_LOW) {
			parts.parallel_seconds += seconds;
		} else if (sw_is_one_cpu(wanted)) {
			parts.serial_seconds += seconds;
			parts.serial_cpu_seconds +=
				seconds * fmin(cores->value[i], 1);
		}
	}
	return parts;
}

/*
 * Processes that feed each other take turns if neighbors have the CPUs, and
 * would run side by side otherwise.
 */
const char *sw_serial_blind_to(const struct sw_view *view)
{
	struct sw_bottleneck bottleneck;

	if (!sw_bottleneck_find(&bottleneck, &view->limits) ||
	    bottleneck.resource != SW_LIMITED_BY_NODE)
		return NULL;
	return "other programs had its CPUs, so it is not known how many it "
	       "would have used at a time";
}
