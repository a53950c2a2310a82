/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Network traffic of views added up, and what their nodes did.  Links stay
 * with their nodes; a mount that several nodes have is one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/job/view_sum_internal.h"

void sw_view_sum_network(struct sw_view *total,
			 const struct sw_view *const *view, size_t count)
{
	struct sw_view_network *sum = &total->network;
	size_t i;

#define ADD(member) sum->member = sw_sum_u64(sum->member, network->member)
	for (i = 0; i < count; i++) {
		const struct sw_view_network *network = &view[i]->network;

		if (!sum->source)
			sum->source = network->source;
		ADD(received_bytes);
		ADD(received_packets);
		ADD(sent_bytes);
		ADD(sent_packets);
		ADD(loopback_received_bytes);
		ADD(loopback_sent_bytes);
	}
#undef ADD
}

static void add_mount(struct sw_view_mount *sum,
		      const struct sw_view_mount *mount)
{
#define ADD(member) sum->member = sw_sum_u64(sum->member, mount->member)
	ADD(read_bytes);
	ADD(written_bytes);
	ADD(reads);
	ADD(writes);
	ADD(opens);
	ADD(getattrs);
	ADD(requests);
	ADD(read_usec);
	ADD(write_usec);
	ADD(request_usec);
	ADD(retransmits);
#undef ADD
}

static bool is_same_mount(const struct sw_view_mount *a,
			  const struct sw_view_mount *b)
{
	return !strcmp(a->name, b->name) &&
	       !strcmp(a->detail ? a->detail : "", b->detail ? b->detail : "");
}

static void merge_mount(struct sw_view_node *sum,
			const struct sw_view_mount *mount)
{
	size_t i;

	for (i = 0; i < sum->mount_count; i++) {
		if (is_same_mount(&sum->mounts[i], mount)) {
			add_mount(&sum->mounts[i], mount);
			return;
		}
	}
	sum->mounts[sum->mount_count++] = *mount;
}

static int sum_mounts(struct sw_view_node *sum,
		      const struct sw_view *const *view, size_t count)
{
	size_t i, j, all = 0;

	for (i = 0; i < count; i++)
		all += view[i]->nearby.mount_count;
	if (all == 0)
		return 0;
	sum->mounts = calloc(all, sizeof(*sum->mounts));
	if (!sum->mounts)
		return -1;
	for (i = 0; i < count; i++) {
		for (j = 0; j < view[i]->nearby.mount_count; j++)
			merge_mount(sum, &view[i]->nearby.mounts[j]);
	}
	return 0;
}

int sw_view_sum_nearby(struct sw_view *total,
		       const struct sw_view *const *view, size_t count)
{
	struct sw_view_surroundings *around = &total->nearby.around;
	struct sw_view_energy *energy = &total->nearby.energy;
	size_t i;

#define ADD(sum, member) (sum)->member = sw_sum_u64((sum)->member, one->member)
	for (i = 0; i < count; i++) {
		const struct sw_view_surroundings *one =
			&view[i]->nearby.around;

		ADD(around, busy_usec);
		ADD(around, idle_usec);
		ADD(around, iowait_usec);
		ADD(around, steal_usec);
		ADD(around, others_usec);
		ADD(around, memory_read_bytes);
		ADD(around, memory_written_bytes);
		around->available_bytes = sw_min_u64(around->available_bytes,
						     one->available_bytes);
	}
	for (i = 0; i < count; i++) {
		const struct sw_view_energy *one = &view[i]->nearby.energy;

		ADD(energy, node_uj);
		ADD(energy, step_uj);
	}
#undef ADD
	if (!sw_is_missing(energy->step_uj) && energy->node_uj)
		energy->cpu_share = (double)energy->step_uj /
				    (double)energy->node_uj;
	return sum_mounts(&total->nearby, view, count);
}
