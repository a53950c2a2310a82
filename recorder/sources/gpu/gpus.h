/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA GPUs of a node and their MIG instances, each with a stable index:
 * shared by the sources that use NVML.  Used by one process with one thread,
 * which may be killed in any call.
 */
#ifndef SW_RECORDER_GPUS_H
#define SW_RECORDER_GPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/sources/gpu/nvml.h"
#include "recorder/sources/source.h"

enum { SW_GPUS_MAX = 80 };	/* including instances: 8 of 7, and 8 */

struct sw_gpu {
	struct nvml_device *handle;	/* NULL: unavailable */
	bool is_there;		/* in the last scan */
	bool is_mig;		/* an instance of a GPU */
	bool has_instances;	/* then these are queried for processes */
	bool has_events;	/* registered for XIDs */
	int status;		/* of the last call that found it lost */
	size_t parent;		/* of an instance */
	unsigned int number;	/* as in nvidia-smi */
	unsigned int instance;	/* number of the instance, from 0 */
	unsigned int gpu_instance, compute_instance;	/* NVML's ids */
	char uuid[NVML_UUID_SIZE], name[NVML_NAME_SIZE];
	char bus_id[NVML_BUS_ID_SIZE];
	uint64_t clock_max_mhz;		/* of the SMs; or SW_MISSING */
	uint64_t xid_count, xid_last;	/* SW_MISSING: not observed */
};

struct sw_gpus {
	struct sw_nvml nvml;
	unsigned int users;
	size_t count;
	struct sw_gpu gpu[SW_GPUS_MAX];
	struct nvml_events *events;	/* NULL: not available */
	unsigned int looks;
};

/* Return whether NVIDIA's driver is loaded, without blocking. */
bool sw_gpus_are_there(void);

/*
 * Open and close functions of sources whose state begins with a pointer to the
 * GPUs, which the first user finds.  Return ABSENT if the machine has none, or
 * no NVML.  target's proc_fd is /proc, which shows whether the driver is
 * loaded.
 */
enum sw_read_status sw_gpus_open(void *state, const struct sw_target *target);
bool sw_gpus_describe(void *state, uint64_t index, struct sw_subject *subject);
void sw_gpus_close(void *state);

/* Scan for created or removed instances, from time to time. */
void sw_gpus_refresh(struct sw_gpus *gpus);

/* Process pending XIDs of all GPUs; does not wait. */
void sw_gpus_take_events(struct sw_gpus *gpus);

#endif
