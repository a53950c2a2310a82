/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determine which GPUs of a node belong to a step. */
#include "common/gpu_list.h"

#include <stdio.h>
#include <stdlib.h>

uint64_t sw_gpu_list_parse(const char *text)
{
	uint64_t bits = 0;
	unsigned long number;
	char *end;

	for (; text && *text; text = *end ? end + 1 : end) {
		number = strtoul(text, &end, 10);
		if (end == text || (*end && *end != ',') ||
		    number >= SW_GPU_NUMBERS)
			return 0;
		bits |= (uint64_t)1 << number;
	}
	return bits;
}

int sw_gpu_number(const char *name)
{
	unsigned int number;

	return name && (sscanf(name, "GPU %u", &number) == 1 ||
			sscanf(name, "card%u", &number) == 1) &&
			       number < SW_GPU_NUMBERS
		       ? (int)number
		       : -1;
}

uint64_t sw_gpus_given(uint64_t listed, uint64_t count, uint64_t all,
		       bool has_order)
{
	if (listed && has_order)
		return (listed & ~all) == 0 ? listed : 0;
	return (uint64_t)__builtin_popcountll(all) == count ? all : 0;
}
