/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NVML functions that the stand-in has, each as documented. */
#ifndef SW_TEST_NVML_FUNCTIONS_H
#define SW_TEST_NVML_FUNCTIONS_H

#include "recorder/sources/gpu/nvml_abi.h"

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetCount_v2(unsigned int *count);
int nvmlDeviceGetHandleByIndex_v2(unsigned int index,
				  struct nvml_device **device);
int nvmlDeviceGetUUID(struct nvml_device *device, char *uuid,
		      unsigned int size);
int nvmlDeviceGetName(struct nvml_device *device, char *name,
		      unsigned int size);
int nvmlDeviceGetPciInfo_v3(struct nvml_device *device, struct nvml_pci *pci);
int nvmlDeviceGetUtilizationRates(struct nvml_device *device,
				  struct nvml_utilization *utilization);
int nvmlDeviceGetMemoryInfo(struct nvml_device *device,
			    struct nvml_memory *memory);
int nvmlDeviceGetPowerUsage(struct nvml_device *device, unsigned int *mw);
int nvmlDeviceGetEnforcedPowerLimit(struct nvml_device *device,
				    unsigned int *mw);
int nvmlDeviceGetTemperature(struct nvml_device *device, unsigned int sensor,
			     unsigned int *celsius);
int nvmlDeviceGetClockInfo(struct nvml_device *device, unsigned int type,
			   unsigned int *mhz);
int nvmlDeviceGetMaxClockInfo(struct nvml_device *device, unsigned int type,
			      unsigned int *mhz);
int nvmlDeviceGetCurrentClocksThrottleReasons(struct nvml_device *device,
					      unsigned long long *reasons);
int nvmlDeviceGetTotalEccErrors(struct nvml_device *device, unsigned int type,
				unsigned int since, unsigned long long *count);
int nvmlDeviceGetRetiredPages(struct nvml_device *device, unsigned int cause,
			      unsigned int *count,
			      unsigned long long *addresses);
int nvmlDeviceGetPcieThroughput(struct nvml_device *device,
				unsigned int direction,
				unsigned int *kb_per_sec);
int nvmlDeviceGetComputeRunningProcesses(struct nvml_device *device,
					 unsigned int *count,
					 struct nvml_process_v1 *processes);
int nvmlDeviceGetProcessUtilization(struct nvml_device *device,
				    struct nvml_process_sample *samples,
				    unsigned int *count,
				    unsigned long long since_usec);
int nvmlEventSetCreate(struct nvml_events **set_of);
int nvmlDeviceRegisterEvents(struct nvml_device *device,
			     unsigned long long types,
			     struct nvml_events *set_of);
int nvmlEventSetWait_v2(struct nvml_events *set_of, struct nvml_event *event,
			unsigned int timeout_msec);
int nvmlEventSetFree(struct nvml_events *set_of);
int nvmlDeviceGetMemoryInfo_v2(struct nvml_device *device,
			       struct nvml_memory_v2 *memory);
int nvmlDeviceGetTotalEnergyConsumption(struct nvml_device *device,
					unsigned long long *mj);
int nvmlDeviceGetCurrentClocksEventReasons(struct nvml_device *device,
					   unsigned long long *reasons);
int nvmlDeviceGetRemappedRows(struct nvml_device *device,
			      unsigned int *correctable,
			      unsigned int *uncorrectable,
			      unsigned int *is_pending,
			      unsigned int *has_failed);
int nvmlDeviceGetFieldValues(struct nvml_device *device, int count,
			     struct nvml_field *fields);
int nvmlDeviceGetMigMode(struct nvml_device *device, unsigned int *current,
			 unsigned int *pending);
int nvmlDeviceGetMaxMigDeviceCount(struct nvml_device *device,
				   unsigned int *count);
int nvmlDeviceGetMigDeviceHandleByIndex(struct nvml_device *device,
					unsigned int index,
					struct nvml_device **instance);
int nvmlDeviceGetGpuInstanceId(struct nvml_device *device, unsigned int *id);
int nvmlDeviceGetComputeInstanceId(struct nvml_device *device,
				   unsigned int *id);
int nvmlDeviceGetComputeRunningProcesses_v3(struct nvml_device *device,
					    unsigned int *count,
					    struct nvml_process *processes);

#endif
