/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of Slurm, for sbatch(1) and srun(1). */
#include <inttypes.h>
#include <stdio.h>

#include "analyzer/dialects/dialect.h"
#include "common/missing.h"
#include "common/text.h"
#include "common/units.h"

static const char *const names[SW_RESOURCES] = {
	[SW_RESOURCE_TIME] = "time",
	[SW_RESOURCE_CORES] = "cpus-per-task",
	[SW_RESOURCE_GPUS] = "gpus-per-node",
	[SW_RESOURCE_TASKS] = "ntasks",
	[SW_RESOURCE_NODES] = "nodes",
};

char *sw_slurm_value(char *buf, enum sw_resource resource, uint64_t value)
{
	const uint64_t usec_per_minute = 60 * SW_USEC_PER_SEC;

	if (resource == SW_RESOURCE_MEMORY)
		return sw_size_format_slurm(buf, SW_DIALECT_ITEM_SIZE,
					    value * SW_MIB);
	if (resource == SW_RESOURCE_TIME)
		return sw_elapsed_format(buf, SW_DIALECT_ITEM_SIZE,
					 value * usec_per_minute);
	snprintf(buf, SW_DIALECT_ITEM_SIZE, "%" PRIu64, value);
	return buf;
}

static const char *name_of(const struct sw_request *request,
			   enum sw_resource resource)
{
	static const char *const memory[] = {
		[SW_MEMORY_PER_UNKNOWN] = "mem",
		[SW_MEMORY_PER_NODE] = "mem",
		[SW_MEMORY_PER_CPU] = "mem-per-cpu",
		[SW_MEMORY_PER_GPU] = "mem-per-gpu",
	};

	return resource == SW_RESOURCE_MEMORY ? memory[request->memory_per]
					      : names[resource];
}

char *sw_slurm_amount(char *buf, const struct sw_request *request,
		      enum sw_resource resource, size_t attempt)
{
	uint64_t value = sw_request_attempt(&request->items[resource], attempt);

	if (resource == SW_RESOURCE_MEMORY)
		value = sw_request_memory(request, value);
	return sw_slurm_value(buf, resource, value);
}

char *sw_slurm_option(char *buf, const struct sw_request *request,
		      enum sw_resource resource, size_t attempt)
{
	char value[SW_DIALECT_ITEM_SIZE];

	snprintf(buf, SW_DIALECT_ITEM_SIZE, "--%s=%.64s",
		 name_of(request, resource),
		 sw_slurm_amount(value, request, resource, attempt));
	return buf;
}

char *sw_slurm_item(char *buf, const struct sw_request *request,
		    enum sw_resource resource, size_t attempt)
{
	uint64_t mib = sw_request_kept_memory(request, resource);
	char value[SW_DIALECT_ITEM_SIZE];

	sw_slurm_option(buf, request, resource, attempt);
	if (!sw_is_missing(mib))
		sw_text_add(buf, SW_DIALECT_ITEM_SIZE, " --%s=%.64s",
			    name_of(request, SW_RESOURCE_MEMORY),
			    sw_slurm_value(value, SW_RESOURCE_MEMORY,
					   sw_request_memory(request, mib)));
	return buf;
}
