/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The NVIDIA GPUs of a node and their MIG instances, each with an index that
 * stays its own: what the sources that are read by NVML have in common.  One
 * process and thread, which may be killed at any call.
 */
#ifndef SW_RECORDER_GPUS_H
#define SW_RECORDER_GPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/sources/gpu/nvml.h"
#include "recorder/sources/source.h"

enum { SW_GPUS_MAX = 80 };	/* with instances: 8 of 7, and 8 */

struct sw_gpu {
	struct nvml_device *handle;	/* NULL: it could not be had */
	bool is_there;		/* at the last look */
	bool is_mig;		/* an instance of a GPU */
	bool has_instances;	/* of which processes are asked instead */
	bool has_events;	/* is asked for XIDs */
	int status;		/* of the last call that found it lost */
	size_t parent;		/* of an instance */
	unsigned int number;	/* as nvidia-smi has it */
	unsigned int instance;	/* of an instance, from 0 */
	unsigned int gpu_instance, compute_instance;	/* NVML's ids */
	char uuid[NVML_UUID_SIZE], name[NVML_NAME_SIZE];
	char bus_id[NVML_BUS_ID_SIZE];
	uint64_t clock_max_mhz;		/* of the SMs; SW_MISSING */
	uint64_t xid_count, xid_last;	/* SW_MISSING: not seen by us */
};

struct sw_gpus {
	struct sw_nvml nvml;
	unsigned int users;
	size_t count;
	struct sw_gpu gpu[SW_GPUS_MAX];
	struct nvml_events *events;	/* NULL: none can be had */
	unsigned int looks;
};

/* Is NVIDIA's driver loaded?  A look that cannot block. */
bool sw_gpus_are_there(void);

/*
 * The GPUs, found by the first user: what a source opens and closes whose
 * state begins with a pointer to them.  ABSENT where the machine has none, or
 * no NVML; target's proc_fd is /proc, where the driver says that it is loaded.
 */
enum sw_read_status sw_gpus_open(void *state, const struct sw_target *target);
bool sw_gpus_describe(void *state, uint64_t index, struct sw_subject *subject);
void sw_gpus_close(void *state);

/* Look for instances that were made or removed, now and then. */
void sw_gpus_refresh(struct sw_gpus *gpus);

/* Take the XIDs of all GPUs that have come in; never waits for one. */
void sw_gpus_take_events(struct sw_gpus *gpus);

#endif
