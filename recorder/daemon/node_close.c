/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Before stepwell is removed from a node: end the recordings in the spool,
 * since nothing will continue them, and deliver them.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/daemon/node_internal.h"
#include "recorder/log/node_log.h"

/* Longer than SPREAD_USEC in node_adopt.c */
#define CLOSE_USEC (15 * SW_USEC_PER_SEC)

int sw_node_close_spool(struct sw_node *node)
{
	const struct timespec nap = { .tv_nsec = 20 * 1000 * 1000 };
	uint64_t now, end = sw_clock_boottime_usec() + CLOSE_USEC;
	size_t count;

	sw_node_adopt(node);
	while (node->jobs)
		sw_node_finish_job(node, node->jobs);
	if (!node->deliveries)
		return EXIT_FAILURE;
	while ((count = sw_deliveries_count(node->deliveries)) > 0 &&
	       (now = sw_clock_boottime_usec()) < end) {
		sw_deliveries_advance(node->deliveries, now);
		nanosleep(&nap, NULL);
	}
	if (count > 0)
		sw_node_log("%zu recordings could not be delivered and stay in "
			    "%s",
			    count, node->options->spool);
	/* Their processes would keep the cgroup. */
	sw_deliveries_destroy(node->deliveries);
	if (node->place.summaries_fd >= 0)
		close(node->place.summaries_fd);
	return count > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
