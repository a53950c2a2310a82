/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The request of a batch script, as numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/script/script.h"
#include "common/units.h"

/* Value of a numeric option, minimum of a range ("2-4"), or NAN. */
static double count_of(const struct sw_script *script, enum sw_script_key key)
{
	const char *value = sw_script_value(script, key);
	char *end;
	double count;

	if (!value || *value < '0' || *value > '9')
		return NAN;
	count = strtod(value, &end);
	return (*end == '\0' || *end == '-') && count >= 1 ? count : NAN;
}

static double bytes_of(const struct sw_script *script, enum sw_script_key key)
{
	const char *value = sw_script_value(script, key);
	uint64_t bytes;

	return value && sw_size_parse(value, &bytes) == 0 ?
	       (double)bytes : NAN;
}

/* "gpu:a100:2(S:0-1)": the final number; 1 if there is none. */
static double gpus_in(const char *item, size_t length)
{
	size_t end = 0, at;

	while (end < length && item[end] != '(')
		end++;
	at = end;
	while (at > 0 && item[at - 1] >= '0' && item[at - 1] <= '9')
		at--;
	if (at == end)
		return 1;
	if (at > 0 && item[at - 1] != ':')
		return item[at - 1] == '=' ? NAN : 1;
	return strtod(item + at, NULL);
}

/* GPUs in "2", "a100:2", "gpu:a100:2,lustre:1"; NAN if unclear. */
static double count_gpus(const char *value, bool is_gres)
{
	double sum = 0;
	size_t length;

	for (; *value; value += length + (value[length] == ',')) {
		length = strcspn(value, ",");
		if (is_gres && (strncmp(value, "gpu", 3) != 0 ||
				!strchr(":,", value[3])))
			continue;
		sum += gpus_in(value, length);
	}
	return sum;
}

static double gpus_of(const struct sw_script *script, enum sw_script_key key)
{
	const char *value = sw_script_value(script, key);

	return value ? count_gpus(value, key == SW_SCRIPT_GRES) : NAN;
}

static double or_one(double value)
{
	return isnan(value) ? 1 : value;
}

static double first_of(double one, double two)
{
	return isnan(one) ? two : one;
}

static void put_shape(struct sw_run *request, const struct sw_script *script)
{
	double nodes, cpus = count_of(script, SW_SCRIPT_CPUS_PER_TASK);

	request->nodes = count_of(script, SW_SCRIPT_NODES);
	nodes = or_one(request->nodes);
	request->tasks = first_of(count_of(script, SW_SCRIPT_NTASKS),
				  nodes * count_of(script,
						   SW_SCRIPT_NTASKS_PER_NODE));
	/* Whole nodes have as many CPUs as they have. */
	if (sw_script_find(script, SW_SCRIPT_EXCLUSIVE))
		return;
	if (!isnan(cpus) || !isnan(request->tasks))
		request->requested_cores = or_one(cpus) *
			first_of(request->tasks, nodes);
}

static void put_gpus(struct sw_run *request, const struct sw_script *script)
{
	double nodes = or_one(request->nodes);

	request->requested_gpus = gpus_of(script, SW_SCRIPT_GPUS);
	if (isnan(request->requested_gpus))
		request->requested_gpus = nodes *
			first_of(gpus_of(script, SW_SCRIPT_GPUS_PER_NODE),
				 gpus_of(script, SW_SCRIPT_GRES));
	if (isnan(request->requested_gpus))
		request->requested_gpus =
			gpus_of(script, SW_SCRIPT_GPUS_PER_TASK) *
			first_of(request->tasks, nodes);
	if (isnan(request->requested_cores))
		request->requested_cores = request->requested_gpus *
			count_of(script, SW_SCRIPT_CPUS_PER_GPU);
}

static void put_memory(struct sw_run *request, const struct sw_script *script)
{
	double nodes = or_one(request->nodes);
	double node = bytes_of(script, SW_SCRIPT_MEM);
	double cpu = bytes_of(script, SW_SCRIPT_MEM_PER_CPU);
	double gpu = bytes_of(script, SW_SCRIPT_MEM_PER_GPU);

	request->requested_bytes =
		first_of(first_of(node, cpu * request->requested_cores / nodes),
			 gpu * request->requested_gpus / nodes);
	if (!isnan(node))
		request->memory_per = SW_MEMORY_PER_NODE;
	else if (!isnan(cpu))
		request->memory_per = SW_MEMORY_PER_CPU;
	else if (!isnan(gpu))
		request->memory_per = SW_MEMORY_PER_GPU;
}

void sw_script_request(const struct sw_script *script, struct sw_run *request)
{
	const char *limit = sw_script_value(script, SW_SCRIPT_TIME);
	uint64_t usec;

	*request = sw_run_unknown;
	put_shape(request, script);
	put_gpus(request, script);
	put_memory(request, script);
	if (limit && sw_time_limit_parse(limit, &usec) == 0)
		request->requested_seconds = (double)usec /
			(double)SW_USEC_PER_SEC;
}
