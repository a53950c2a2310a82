/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which GPUs of a node are a step's: as bits, by the numbers that nvidia-smi
 * gives them, which are in the order of the PCI bus, as Slurm's list is.
 */
#ifndef SW_COMMON_GPU_LIST_H
#define SW_COMMON_GPU_LIST_H

#include <stdbool.h>
#include <stdint.h>

enum { SW_GPU_NUMBERS = 64 };

/* Samples further apart than this say nothing of the time between. */
#define SW_GPU_SAMPLE_USEC_MAX (60 * UINT64_C(1000000))

/* "0,3"; 0: no such list, or one of them is beyond the numbers. */
uint64_t sw_gpu_list_parse(const char *text);

/* The number of "GPU 3" or "card3", as the recorder names them; -1. */
int sw_gpu_number(const char *name);

/*
 * Those that the step was given: the ones listed, if the node has them and its
 * numbers are in this order; else all, if it was given as many.  all: those of
 * the node, 0 where one has no number.  0: not known.
 */
uint64_t sw_gpus_given(uint64_t listed, uint64_t count, uint64_t all,
		       bool has_order);

#endif
