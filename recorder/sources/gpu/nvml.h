/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVML, loaded at run time.  A function missing in the installed release is
 * NULL, and its values stay missing.  Calls enter the driver and may never
 * return, so use it only in a process that may be killed.
 */
#ifndef SW_RECORDER_NVML_H
#define SW_RECORDER_NVML_H

#include "recorder/sources/gpu/nvml_abi.h"

struct sw_nvml {
	void *library;
	int (*init)(void);
	int (*shutdown)(void);
	int (*count)(unsigned int *count);
	int (*handle)(unsigned int index, struct nvml_device **device);
	int (*uuid)(struct nvml_device *device, char *uuid, unsigned int size);
	int (*name)(struct nvml_device *device, char *name, unsigned int size);
	int (*pci)(struct nvml_device *device, struct nvml_pci *pci);
	int (*utilization)(struct nvml_device *device,
			   struct nvml_utilization *utilization);
	int (*memory)(struct nvml_device *device, struct nvml_memory *memory);
	int (*memory_v2)(struct nvml_device *device,
			 struct nvml_memory_v2 *memory);
	int (*power)(struct nvml_device *device, unsigned int *mw);
	int (*power_limit)(struct nvml_device *device, unsigned int *mw);
	int (*energy)(struct nvml_device *device, unsigned long long *mj);
	int (*temperature)(struct nvml_device *device, unsigned int sensor,
			   unsigned int *celsius);
	int (*clock)(struct nvml_device *device, unsigned int type,
		     unsigned int *mhz);
	int (*clock_max)(struct nvml_device *device, unsigned int type,
			 unsigned int *mhz);
	int (*event_reasons)(struct nvml_device *device,
			     unsigned long long *reasons);
	int (*ecc_errors)(struct nvml_device *device, unsigned int type,
			  unsigned int since, unsigned long long *count);
	int (*remapped_rows)(struct nvml_device *device,
			     unsigned int *correctable,
			     unsigned int *uncorrectable,
			     unsigned int *is_pending,
			     unsigned int *has_failed);
	int (*retired_pages)(struct nvml_device *device, unsigned int cause,
			     unsigned int *count,
			     unsigned long long *addresses);
	int (*pcie)(struct nvml_device *device, unsigned int direction,
		    unsigned int *kb_per_sec);
	int (*fields)(struct nvml_device *device, int count,
		      struct nvml_field *fields);
	int (*mig_mode)(struct nvml_device *device, unsigned int *current,
			unsigned int *pending);
	int (*mig_count)(struct nvml_device *device, unsigned int *count);
	int (*mig_handle)(struct nvml_device *device, unsigned int index,
			  struct nvml_device **instance);
	int (*gpu_instance)(struct nvml_device *device, unsigned int *id);
	int (*compute_instance)(struct nvml_device *device, unsigned int *id);
	/* R510 and later, with instances; otherwise the next one */
	int (*processes)(struct nvml_device *device, unsigned int *count,
			 struct nvml_process *processes);
	int (*processes_v1)(struct nvml_device *device, unsigned int *count,
			    struct nvml_process_v1 *processes);
	int (*process_samples)(struct nvml_device *device,
			       struct nvml_process_sample *samples,
			       unsigned int *count,
			       unsigned long long since_usec);
	int (*events_create)(struct nvml_events **events);
	int (*events_add)(struct nvml_device *device, unsigned long long types,
			  struct nvml_events *events);
	int (*events_wait)(struct nvml_events *events,
			   struct nvml_event *event,
			   unsigned int timeout_msec);
	int (*events_free)(struct nvml_events *events);
};

/*
 * Load and initialize the library.  Return 0, or -1 if it is not installed,
 * finds no devices, or the driver is not loaded; then nothing is to be closed.
 */
int sw_nvml_open(struct sw_nvml *nvml);

/* Accepts a zeroed struct. */
void sw_nvml_close(struct sw_nvml *nvml);

#endif
