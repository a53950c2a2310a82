/* SPDX-License-Identifier: GPL-2.0-or-later */
/* net.bound: the step used a network link of the node to capacity. */
#include "analyzer/rules/rule.h"
#include "analyzer/rules/worth.h"
#include "common/units.h"

enum { MIN_OWN_RATIO = SW_WORTH_SETTINGS_COUNT };

static uint64_t bytes_of(uint64_t received, uint64_t sent)
{
	return sw_zero_if_missing(received) + sw_zero_if_missing(sent);
}

/* Return the step's share of the bytes on the link. */
static double own_ratio(const struct sw_view *view,
			const struct sw_view_link *link)
{
	uint64_t all = bytes_of(link->received_bytes, link->sent_bytes);

	return all ? (double)bytes_of(view->network.received_bytes,
				      view->network.sent_bytes) /
			     (double)all : 0;
}

static int tell(const struct sw_view *view, const struct sw_view_link *link,
		const struct sw_loss *loss, double threshold,
		struct sw_findings *findings)
{
	char moved[SW_UNITS_TEXT_SIZE], time[SW_UNITS_TEXT_SIZE];
	double full = loss->usec / (double)view->elapsed_usec;
	struct sw_evidence share = {
		"time of a full link / elapsed", full, "ratio", threshold,
		SW_MISSING,
	};
	struct sw_finding *finding;

	finding = sw_finding_add(findings, "net.bound", SW_WARNING,
				 loss->sure, &share);
	if (!finding)
		return -1;
	sw_finding_subject(finding, "%s", link->name);
	sw_size_format(moved, sizeof(moved),
		       bytes_of(view->network.received_bytes,
				view->network.sent_bytes));
	sw_duration_format(time, sizeof(time), link->full_usec);
	sw_finding_sentence(finding,
		"The network interface %s (%.4g Gbit/s) was more than %.0f %% "
		"full for %s (%.0f %% of the time), mostly with this step's "
		"own traffic of %s: it may have waited for the network rather "
		"than for CPUs. Send less (larger messages, compression, data "
		"that is already there), spread over more nodes, or use a "
		"faster network if the node has one.",
		link->name, (double)link->bits_per_sec / 1e9,
		SW_LINK_FULL_RATIO * 100, time, full * 100, moved);
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_view_node *node = &view->nearby;
	size_t i;

	if (sw_is_missing(view->elapsed_usec) || view->elapsed_usec == 0)
		return 0;
	for (i = 0; i < node->link_count; i++) {
		const struct sw_view_link *link = &node->links[i];
		struct sw_loss loss = { sw_real_u64(link->full_usec), 1, 0.7 };

		if (!sw_link_is_device(link) ||
		    !sw_is_worth_telling(view, &loss, setting) ||
		    own_ratio(view, link) < setting[MIN_OWN_RATIO])
			continue;
		return tell(view, link, &loss, sw_worth_ratio(&loss, setting),
			    findings);
	}
	return 0;
}

/* The speed of the busiest device has to be known. */
static const char *blind_to(const struct sw_view *view)
{
	const struct sw_view_link *link =
		sw_view_busiest_device(&view->nearby);

	return link && sw_is_missing(link->bits_per_sec) ?
		       "the busiest network interface does not report its "
		       "speed" : NULL;
}

const struct sw_rule sw_rule_net_bound = {
	.id = "net.bound",
	.title = "The network was full",
	.kind = SW_FINDING_STALL,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"A network interface of the node was nearly saturated, mostly by this "
	"step.",
	.what_to_do =
	"Move less data, in larger messages; stage input on the node's local "
	"disk; spread the step over more nodes; use a faster network where "
	"there is one.",
	.computed =
	"From the bytes of each physical interface (all users of the node) "
	"between two samples, over the speed of its link, and from the step's "
	"own IP traffic as counted at its cgroup. Reported when the link was "
	"more than 80 % full, in the fuller direction, for a time that reaches "
	"min_lost_ratio and min_lost_seconds, and the step moved at least "
	"min_own_ratio of the link's bytes. Samples of the node are ten "
	"periods apart, so shorter bursts are not seen. The step's own traffic "
	"does not include RDMA (InfiniBand, RoCE), NFS and Lustre, so these "
	"are never reported.",
	.needs = {
		{ "series.net", "rx_bytes" },
		{ "series.interface", "rx_bytes" },
	},
	.settings = {
		SW_WORTH_SETTINGS,
		{ "min_own_ratio", 0.5, 0, 1,
		  "the step's share of the link's bytes" },
	},
	.eval = eval,
	.blind_to = blind_to,
};
