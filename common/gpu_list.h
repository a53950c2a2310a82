/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Determine which GPUs of a node belong to a step: a bit mask by nvidia-smi's
 * numbers, which follow the order of the PCI bus, as Slurm's list does.
 */
#ifndef SW_COMMON_GPU_LIST_H
#define SW_COMMON_GPU_LIST_H

#include <stdbool.h>
#include <stdint.h>

enum { SW_GPU_NUMBERS = 64 };

/* Samples further apart than this do not cover the time between. */
#define SW_GPU_SAMPLE_USEC_MAX (60 * UINT64_C(1000000))

/* Parse "0,3"; 0: not such a list, or a number is out of range. */
uint64_t sw_gpu_list_parse(const char *text);

/* Return the number in the recorder's name "GPU 3" or "card3"; -1. */
int sw_gpu_number(const char *name);

/*
 * Return the step's GPUs: the listed ones if the node has them and its numbers
 * are in this order, otherwise all if there are count of them.  all: the node's
 * GPUs, 0 if one has no number.  0: unknown.
 */
uint64_t sw_gpus_given(uint64_t listed, uint64_t count, uint64_t all,
		       bool has_order);

#endif
