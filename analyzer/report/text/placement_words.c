/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe where tasks were allowed to run. */
#include "analyzer/report/text/placement_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/missing.h"
#include "common/text.h"

/* Find the CPUs per task; false if a list of CPUs is not known. */
static bool find_sizes(const struct sw_placement *placement, size_t *least,
		       size_t *most)
{
	size_t i, count;

	*least = SIZE_MAX;
	*most = 0;
	for (i = 0; i < placement->task_count; i++) {
		count = sw_cpus_count(&placement->tasks[i].cpus);
		if (count == 0)
			return false;
		if (count < *least)
			*least = count;
		if (count > *most)
			*most = count;
	}
	return placement->task_count > 0;
}

/* The part that the task is bound to; SW_MISSING if several or unknown. */
static uint64_t only_part(const struct sw_placement *placement,
			  const struct sw_place_task *task,
			  enum sw_place_part part)
{
	struct sw_cpus parts;

	sw_place_parts(placement, &task->cpus, part, &parts);
	return sw_cpus_count(&parts) == 1 ? sw_cpus_first(&parts) :
					    SW_MISSING;
}

static size_t count_on(const struct sw_placement *placement,
		       enum sw_place_part part, uint64_t number)
{
	size_t i, count = 0;

	for (i = 0; i < placement->task_count; i++)
		count += only_part(placement, &placement->tasks[i], part) ==
			 number;
	return count;
}

/* ": 2 on socket 0, 2 on socket 1", if the node has more than one */
static void add_parts(char *text, size_t size,
		      const struct sw_placement *placement,
		      enum sw_place_part part, const char *name)
{
	size_t parts = sw_place_count(placement, part), number, count;
	size_t bound = 0, total = placement->task_count;
	const char *before = ": ";

	if (parts < 2)
		return;
	for (number = 0; number < SW_CPUS_MAX && bound < total; number++) {
		count = count_on(placement, part, number);
		bound += count;
		if (count && total == 1)
			sw_text_add(text, size, "%son %s %zu", before, name,
				      number);
		else if (count)
			sw_text_add(text, size, "%s%zu on %s %zu", before, count,
				      name, number);
		if (count)
			before = ", ";
	}
	if (bound == total)
		return;
	if (total == 1)
		sw_text_add(text, size, "%son several %ss", before, name);
	else
		sw_text_add(text, size, "%s%zu on several %ss", before,
			      total - bound, name);
}

char *sw_placement_words(char *buf, size_t size,
			 const struct sw_placement *placement)
{
	size_t least, most, nodes, packages;

	buf[0] = '\0';
	if (!find_sizes(placement, &least, &most))
		return buf;
	if (placement->task_count > 1)
		sw_text_add(buf, size, "%zu tasks, each on ",
			      placement->task_count);
	else
		sw_text_add(buf, size, "%s on ",
			      sw_is_missing(placement->tasks[0].rank) ?
				      "the command" : "1 task");
	if (least == most && least == placement->pu_count)
		sw_text_add(buf, size, "any of");
	else if (least == most)
		sw_text_add(buf, size, "%zu of", least);
	else
		sw_text_add(buf, size, "%zu to %zu of", least, most);
	sw_text_add(buf, size, " the node's");
	if (placement->pu_count)
		sw_text_add(buf, size, " %zu", placement->pu_count);
	sw_text_add(buf, size, " CPUs");
	packages = sw_place_count(placement, SW_PART_PACKAGE);
	nodes = sw_place_count(placement, SW_PART_NUMA);
	/* NUMA nodes are more precise if sockets have several. */
	if (nodes > packages)
		add_parts(buf, size, placement, SW_PART_NUMA, "NUMA node");
	else
		add_parts(buf, size, placement, SW_PART_PACKAGE, "socket");
	return buf;
}

char *sw_sharing_words(char *buf, size_t size,
		       const struct sw_placement *placement)
{
	size_t cores = sw_place_count(placement, SW_PART_CORE), core;
	size_t count, most = 1;
	uint64_t at = 0;

	buf[0] = '\0';
	for (core = 0; core < cores; core++) {
		count = count_on(placement, SW_PART_CORE, core);
		if (count > most) {
			most = count;
			at = core;
		}
	}
	if (most > 1 && most < placement->task_count)
		snprintf(buf, size, "%zu of %zu tasks share core %" PRIu64,
			 most, placement->task_count, at);
	else if (most > 1)
		snprintf(buf, size, "all %zu tasks share core %" PRIu64, most,
			 at);
	return buf;
}
