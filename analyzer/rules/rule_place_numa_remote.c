/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.numa_remote: memory on nodes where no task of the step may run. */
#include <inttypes.h>
#include <string.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_place.h"
#include "common/units.h"

enum { MIN_SEEN_SHARE, MIN_REMOTE_RATIO, MIN_REMOTE_MIB };

struct remote {
	uint64_t bytes, total_bytes;
	uint64_t largest_node, largest_bytes;	/* of the remote nodes */
};

/* Find the NUMA nodes that any task may run on; false if one is not known. */
static bool find_near(const struct sw_view *view, double min_share,
		      struct sw_cpus *near)
{
	const struct sw_placement *placement = &view->placement;
	struct sw_cpus nodes;
	size_t i;

	memset(near, 0, sizeof(*near));
	for (i = 0; i < placement->task_count; i++) {
		const struct sw_place_task *task = &placement->tasks[i];

		if (!sw_place_is_settled(view, task, min_share))
			return false;
		sw_place_parts(placement, &task->cpus, SW_PART_NUMA, &nodes);
		if (sw_cpus_count(&nodes) == 0)
			return false;
		sw_cpus_add(near, &nodes);
	}
	return placement->task_count > 0;
}

static struct remote find_remote(const struct sw_placement *placement,
				 const struct sw_cpus *near)
{
	struct remote remote = { 0 };
	size_t i;

	for (i = 0; i < placement->memory_count; i++) {
		const struct sw_place_memory *memory = &placement->memory[i];
		uint64_t bytes = sw_zero_if_missing(memory->anon_bytes);

		remote.total_bytes += bytes;
		if (sw_cpus_has(near, memory->numa))
			continue;
		remote.bytes += bytes;
		if (bytes >= remote.largest_bytes) {
			remote.largest_bytes = bytes;
			remote.largest_node = memory->numa;
		}
	}
	return remote;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	char size[SW_UNITS_TEXT_SIZE];
	struct sw_finding *finding;
	struct sw_evidence share;
	struct remote remote;
	struct sw_cpus near;
	double ratio;

	if (!find_near(view, setting[MIN_SEEN_SHARE], &near))
		return 0;
	remote = find_remote(&view->placement, &near);
	if (remote.total_bytes == 0)
		return 0;
	ratio = (double)remote.bytes / (double)remote.total_bytes;
	if (ratio < setting[MIN_REMOTE_RATIO] ||
	    (double)remote.bytes < setting[MIN_REMOTE_MIB] * (double)SW_MIB)
		return 0;
	share = (struct sw_evidence){
		"memory.numa_stat anon on nodes without a task / all",
		ratio, "ratio", setting[MIN_REMOTE_RATIO], SW_MISSING };
	finding = sw_finding_add(findings, "place.numa_remote", SW_WARNING,
				 0.85, &share);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &(struct sw_evidence){
		"memory.numa_stat anon on nodes without a task",
		(double)remote.bytes, "bytes",
		setting[MIN_REMOTE_MIB] * (double)SW_MIB, SW_MISSING });
	sw_finding_subject(finding, "step");
	sw_finding_sentence(finding,
		"%s of the step's memory, %.0f %%, was on NUMA nodes that none "
		"of its tasks may run on (most of it on node %" PRIu64 "): "
		"each access crosses to another node. Memory near the tasks "
		"was full, or this memory was first touched before they were "
		"bound: bind earlier, or bind memory as well (srun "
		"--mem-bind=local).",
		sw_size_format(size, sizeof(size), remote.bytes), ratio * 100,
		remote.largest_node);
	return 0;
}

static const char *blind_to(const struct sw_view *view)
{
	const struct sw_placement *placement = &view->placement;
	size_t nodes = sw_place_count(placement, SW_PART_NUMA);
	struct sw_cpus near;

	if (nodes == 1)
		return NULL;
	if (!find_near(view, 0.5, &near))
		return "the binding of a task was not known for half of the "
		       "time";
	if (sw_cpus_count(&near) == nodes)
		return "the tasks may run on all NUMA nodes, so which memory "
		       "was remote is not known";
	return NULL;
}

const struct sw_rule sw_rule_place_numa_remote = {
	.id = "place.numa_remote",
	.title = "Memory on another NUMA node",
	.kind = SW_FINDING_HINT,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"Part of the step's memory is on NUMA nodes on whose CPUs none of its "
	"tasks may run. Each access to it crosses to another node, which is "
	"slower and shares the interconnect with others.",
	.what_to_do =
	"Bind tasks before they touch their memory, and bind memory with them "
	"(srun --mem-bind=local, numactl --localalloc); request no more memory "
	"than the NUMA nodes of the tasks have.",
	.computed =
	"From memory.numa_stat of the step's cgroup, at the sample with the "
	"most anonymous memory, Cpus_allowed_list of each task's first "
	"process, and the node's topology. Reported when at least "
	"min_remote_ratio of the anonymous memory and min_remote_mib are on "
	"such nodes. Not evaluated where tasks may run on all nodes, since it "
	"is then unknown which task uses which memory, nor with a task that "
	"was seen for less than min_seen_share of the step. Page cache, which "
	"other jobs may have put there, does not count.",
	.needs = { { "topology", "numa" },
		   { "series.binding", "allowed_cpus" },
		   { "series.numa", "anon" } },
	.settings =
		{
			{ "min_seen_share", 0.5, 0, 1,
			 "share of the step's time in which a task's binding "
			 "was known" },
			{ "min_remote_ratio", 0.25, 0, 1,
			 "share of the anonymous memory that is remote" },
			{ "min_remote_mib", 256, 0, 1e9, "MiB of remote memory" },
		},
	.eval = eval,
	.blind_to = blind_to,
};
