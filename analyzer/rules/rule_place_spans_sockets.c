/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.spans_sockets: a task used two sockets where one was enough. */
#include <inttypes.h>
#include <stdio.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/rule_place.h"

enum { MIN_SEEN_SHARE, MIN_BEYOND_CPUS };

/* Spread of a task's CPUs over sockets. */
struct spread {
	size_t sockets;		/* 0 if unknown */
	size_t most;		/* most of its CPUs on any one socket */
	size_t socket_size;	/* CPUs of the largest socket */
};

static size_t count_on(const struct sw_placement *placement,
		       const struct sw_cpus *cpus, uint64_t socket)
{
	size_t i, count = 0;

	for (i = 0; i < placement->pu_count; i++)
		count += placement->pus[i].package == socket &&
			 (!cpus || sw_cpus_has(cpus, placement->pus[i].pu));
	return count;
}

static struct spread spread_of(const struct sw_placement *placement,
			       const struct sw_cpus *cpus)
{
	struct spread spread = { 0 };
	struct sw_cpus sockets;
	uint64_t socket;
	size_t count;

	sw_place_parts(placement, cpus, SW_PART_PACKAGE, &sockets);
	spread.sockets = sw_cpus_count(&sockets);
	for (socket = 0; socket < SW_CPUS_MAX; socket++) {
		if (!sw_cpus_has(&sockets, socket))
			continue;
		count = count_on(placement, cpus, socket);
		if (count > spread.most)
			spread.most = count;
		count = count_on(placement, NULL, socket);
		if (count > spread.socket_size)
			spread.socket_size = count;
	}
	return spread;
}

/*
 * The task used more CPUs than it has on any one socket, so it ran on two, and
 * a socket has as many CPUs as it was given.
 */
static bool is_torn(const struct spread *spread, size_t cpu_count, double rate,
		    double beyond)
{
	return spread->sockets > 1 && cpu_count <= spread->socket_size &&
	       rate >= (double)spread->most + beyond;
}

static int report(const struct sw_place_task *task,
		  const struct spread *spread, size_t also,
		  const double *setting, struct sw_findings *findings)
{
	double rate = sw_place_rate(task);
	const struct sw_evidence used = {
		"cpu_usec / time", rate, "cores",
		(double)spread->most + setting[MIN_BEYOND_CPUS], SW_MISSING };
	const struct sw_evidence sockets = {
		"sockets of Cpus_allowed_list", (double)spread->sockets,
		"count", 2, SW_MISSING };
	struct sw_finding *finding;
	char who[64] = "The command", others[64] = "";

	finding = sw_finding_add(findings, "place.spans_sockets", SW_INFO,
				 0.8, &used);
	if (!finding)
		return -1;
	sw_finding_evidence(finding, &sockets);
	sw_finding_subject(finding, "step");
	if (!sw_is_missing(task->rank))
		snprintf(who, sizeof(who), "Task %" PRIu64, task->rank);
	if (also)
		snprintf(others, sizeof(others), " and %zu other%s", also,
			 also > 1 ? "s" : "");
	sw_finding_sentence(finding,
		"%s%s computed on %zu sockets at the same time (%.1f CPUs "
		"used, of which at most %zu are on one), although a socket has "
		"%zu CPUs and %zu were enough: its threads reach each other's "
		"memory and caches across the sockets. Request the task's CPUs "
		"on one socket (srun --cpu-bind=sockets or "
		"--distribution=block:block).", who, others, spread->sockets,
		rate, spread->most, spread->socket_size,
		sw_cpus_count(&task->cpus));
	return 0;
}

static int eval(const struct sw_view *view, const double *setting,
		struct sw_findings *findings)
{
	const struct sw_placement *placement = &view->placement;
	const struct sw_place_task *first = NULL;
	struct spread spread, of_first = { 0 };
	size_t i, count = 0;

	for (i = 0; i < placement->task_count; i++) {
		const struct sw_place_task *task = &placement->tasks[i];

		if (!sw_place_is_settled(view, task, setting[MIN_SEEN_SHARE]))
			continue;
		spread = spread_of(placement, &task->cpus);
		if (!is_torn(&spread, sw_cpus_count(&task->cpus),
			     sw_place_rate(task), setting[MIN_BEYOND_CPUS]))
			continue;
		if (count++ == 0) {
			first = task;
			of_first = spread;
		}
	}
	return first ? report(first, &of_first, count - 1, setting,
			      findings) : 0;
}

const struct sw_rule sw_rule_place_spans_sockets = {
	.id = "place.spans_sockets",
	.title = "A task spread over sockets",
	.kind = SW_FINDING_HINT,
	.basis = SW_BASIS_SAMPLES,
	.meaning =
	"The threads of a task ran on two sockets at the same time, although "
	"one socket has as many CPUs as the task was given. Data that they "
	"share travels between the sockets.",
	.what_to_do =
	"Request the task's CPUs on one socket (srun --cpu-bind=sockets, "
	"--distribution=block:block), and compare.",
	.computed =
	"From Cpus_allowed_list of each task's first process, its CPU time "
	"since the binding was set, and the node's topology. Reported only "
	"where it is certain: the task used at least min_beyond_cpus CPUs more "
	"than it may use on any one socket. A task that was seen for less than "
	"min_seen_share of the step does not count, nor does one that needs "
	"more CPUs than a socket has. That this made it slower is likely but "
	"was not measured; programs whose threads share nothing, or that are "
	"bound by memory bandwidth, can be faster this way.",
	.needs = { { "topology", "package" },
		   { "series.binding", "allowed_cpus" },
		   { "series.binding", "cpu_usec" } },
	.settings =
		{
			{ "min_seen_share", 0.5, 0, 1,
			 "share of the step's time in which a task's binding "
			 "was known" },
			{ "min_beyond_cpus", 0.5, 0, 1000,
			 "CPUs used beyond those on one socket" },
		},
	.eval = eval,
};
