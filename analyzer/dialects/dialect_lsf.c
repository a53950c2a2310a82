/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines for a script of LSF's bsub.  IBM Spectrum LSF 10.1, command reference,
 * bsub -M, -n, -R, -W, -gpu: a number with a unit does not depend on
 * LSF_UNIT_FOR_LIMITS; rusage[mem=] is per host unless
 * RESOURCE_RESERVE_PER_TASK is set.
 */
#include <inttypes.h>
#include <stdio.h>

#include "analyzer/dialects/dialect.h"
#include "common/missing.h"

/* Slots are counted over all tasks. */
static uint64_t slots(const struct sw_request *request)
{
	return request->cores >= 1 ? sw_whole_real(request->cores)
				   : request->tasks;
}

/* Only one of the two items may contain slots. */
static bool says_slots(const struct sw_request *request,
		       enum sw_resource resource)
{
	return resource == SW_RESOURCE_CORES ||
	       !request->items[SW_RESOURCE_CORES].is_change;
}

static char *item(char *buf, const struct sw_request *request,
		  enum sw_resource resource, size_t attempt)
{
	uint64_t value = sw_request_attempt(&request->items[resource], attempt);
	const size_t size = SW_DIALECT_ITEM_SIZE;

	buf[0] = '\0';
	switch (resource) {
	case SW_RESOURCE_MEMORY:
		snprintf(buf, size, "-M %" PRIu64 "MB -R \"rusage[mem=%"
			 PRIu64 "MB]\"", value, value);
		break;
	case SW_RESOURCE_TIME:
		snprintf(buf, size, "-W %" PRIu64 ":%02" PRIu64,
			 value / 60, value % 60);
		break;
	case SW_RESOURCE_CORES:
	case SW_RESOURCE_TASKS:
		if (says_slots(request, resource))
			snprintf(buf, size, "-n %" PRIu64, slots(request));
		break;
	case SW_RESOURCE_GPUS:
		if (value > 0)
			snprintf(buf, size, "-gpu \"num=%" PRIu64 "\"",
				 value);
		break;
	case SW_RESOURCE_NODES:
		snprintf(buf, size, "-R \"span[ptile=%" PRIu64 "]\"",
			 (slots(request) + value - 1) / (value ? value : 1));
		break;
	}
	return buf;
}

static const char *assumes(const struct sw_request *request)
{
	return request->items[SW_RESOURCE_MEMORY].is_change ?
	       "Assumes LSF 10.1 or later, which accepts a unit after the "
	       "number (before 10.1, the bare number is in "
	       "LSF_UNIT_FOR_LIMITS, KB by default, and in MB in rusage[]); "
	       "that rusage[mem] counts per host (RESOURCE_RESERVE_PER_TASK is "
	       "not set), and -M for the whole job (LSB_JOB_MEMLIMIT or "
	       "cgroups; without bsub -hl a cgroup's limit is -M times the "
	       "slots on a host)." : "";
}

const struct sw_dialect sw_dialect_lsf = {
	.name = "lsf",
	.manual =
	"#BSUB lines with -M, -R \"rusage[mem=]\", -W, -n and -gpu. "
	"Memory sizes have a unit suffix, so that LSF_UNIT_FOR_LIMITS "
	"does not matter; this needs LSF 10.1 or later. Earlier "
	"releases take the number in the unit of LSF_UNIT_FOR_LIMITS "
	"(KB by default).",
	.comment = "# ",
	.prefix = "#BSUB ",
	.item = item,
	.assumes = assumes,
};
