/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stand-in for NVIDIA's management library, with its binary interface.  It
 * follows the text file $STEPWELL_NVML_SCRIPT, re-read at each call:
 *
 *	gpu UUID BUS_ID NAME...		a GPU: the lines below are its
 *	mig UUID GI CI NAME...		an instance of the last GPU
 *	set KEY NUMBER			the answer to a query (keys[])
 *	process PID BYTES [SM MEMORY]	runs on it; its samples
 *	xid NUMBER [GI CI]		an event, once
 *	lost				all answers are GPU_IS_LOST
 *	fail FUNCTION STATUS		of all devices; without "nvml"
 *	hang FUNCTION			never returns
 *
 * Values that no line sets are not supported, as with the real library.
 * Compiled with OLD_DRIVER, it lacks the functions that releases before 470
 * lacked.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test/nvml/nvml_functions.h"
#include "test/nvml/script.h"

static struct nvml_events the_events;

int nvmlInit_v2(void)
{
	int status = nvml_enter("Init_v2");

	nvml_is_initialised |= status == NVML_SUCCESS;
	return status;
}

int nvmlShutdown(void)
{
	nvml_is_initialised = false;
	memset(&the_events, 0, sizeof(the_events));
	memset(nvml_devices, 0, sizeof(nvml_devices));
	return NVML_SUCCESS;
}

int nvmlDeviceGetCount_v2(unsigned int *count)
{
	int status = nvml_enter("DeviceGetCount_v2");
	unsigned int i;

	*count = 0;
	for (i = 0; i < nvml_device_count; i++)
		*count += nvml_devices[i].parent == NULL;
	return status;
}

/* Return the index-th GPU, or the index-th instance of a GPU. */
static struct nvml_device *find(const struct nvml_device *parent,
				unsigned int index)
{
	unsigned int i;

	for (i = 0; i < nvml_device_count; i++) {
		if (nvml_devices[i].parent == parent && index-- == 0)
			return &nvml_devices[i];
	}
	return NULL;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned int index,
				  struct nvml_device **device)
{
	int status = nvml_enter("DeviceGetHandleByIndex_v2");

	if (status != NVML_SUCCESS)
		return status;
	*device = find(NULL, index);
	if (!*device)
		return NVML_INVALID_ARGUMENT;
	return (*device)->is_lost ? NVML_GPU_IS_LOST : NVML_SUCCESS;
}

int nvmlDeviceGetUUID(struct nvml_device *device, char *uuid, unsigned int size)
{
	int status = nvml_enter_device("DeviceGetUUID", device);

	if (status == NVML_SUCCESS)
		snprintf(uuid, size, "%s", device->uuid);
	return status;
}

int nvmlDeviceGetName(struct nvml_device *device, char *name, unsigned int size)
{
	int status = nvml_enter_device("DeviceGetName", device);

	if (status == NVML_SUCCESS)
		snprintf(name, size, "%s", device->name);
	return status;
}

int nvmlDeviceGetPciInfo_v3(struct nvml_device *device, struct nvml_pci *pci)
{
	int status = nvml_enter_device("DeviceGetPciInfo_v3", device);

	if (status == NVML_SUCCESS && device->parent)
		return NVML_NOT_SUPPORTED;
	if (status == NVML_SUCCESS)
		memcpy(pci->bus_id, device->bus_id, sizeof(pci->bus_id));
	return status;
}

int nvmlDeviceGetUtilizationRates(struct nvml_device *device,
				  struct nvml_utilization *utilization)
{
	int status = nvml_answer_uint("DeviceGetUtilizationRates", device, BUSY,
				      &utilization->gpu);

	if (status == NVML_SUCCESS)
		utilization->memory = (unsigned int)device->value[MEMORY_BUSY];
	return status;
}

int nvmlDeviceGetMemoryInfo(struct nvml_device *device,
			    struct nvml_memory *memory)
{
	int status = nvml_answer("DeviceGetMemoryInfo", device, TOTAL,
				 &memory->total_bytes);

	if (status != NVML_SUCCESS)
		return status;
	memory->used_bytes = device->value[USED] + device->value[RESERVED];
	memory->free_bytes = memory->total_bytes - memory->used_bytes;
	return NVML_SUCCESS;
}

int nvmlDeviceGetPowerUsage(struct nvml_device *device, unsigned int *mw)
{
	return nvml_answer_uint("DeviceGetPowerUsage", device, POWER, mw);
}

int nvmlDeviceGetEnforcedPowerLimit(struct nvml_device *device,
				    unsigned int *mw)
{
	return nvml_answer_uint("DeviceGetEnforcedPowerLimit", device,
				POWER_LIMIT, mw);
}

int nvmlDeviceGetTemperature(struct nvml_device *device, unsigned int sensor,
			     unsigned int *celsius)
{
	if (sensor != NVML_TEMPERATURE_GPU)
		return NVML_INVALID_ARGUMENT;
	return nvml_answer_uint("DeviceGetTemperature", device, TEMPERATURE,
				celsius);
}

int nvmlDeviceGetClockInfo(struct nvml_device *device, unsigned int type,
			   unsigned int *mhz)
{
	return nvml_answer_uint("DeviceGetClockInfo", device,
				type == NVML_CLOCK_SM ? SM : MEM, mhz);
}

int nvmlDeviceGetMaxClockInfo(struct nvml_device *device, unsigned int type,
			      unsigned int *mhz)
{
	if (type != NVML_CLOCK_SM)
		return NVML_NOT_SUPPORTED;
	return nvml_answer_uint("DeviceGetMaxClockInfo", device, SM_MAX, mhz);
}

int nvmlDeviceGetCurrentClocksThrottleReasons(struct nvml_device *device,
					      unsigned long long *reasons)
{
	return nvml_answer("DeviceGetCurrentClocksThrottleReasons", device,
			   REASONS, reasons);
}

int nvmlDeviceGetTotalEccErrors(struct nvml_device *device, unsigned int type,
				unsigned int since, unsigned long long *count)
{
	if (since != NVML_ECC_VOLATILE)
		return NVML_INVALID_ARGUMENT;
	return nvml_answer(
		"DeviceGetTotalEccErrors", device,
		type == NVML_ERROR_CORRECTED ? CORRECTED : UNCORRECTED, count);
}

int nvmlDeviceGetRetiredPages(struct nvml_device *device, unsigned int cause,
			      unsigned int *count,
			      unsigned long long *addresses)
{
	unsigned int room = *count, pages = 0;
	int status;

	status = nvml_answer_uint("DeviceGetRetiredPages", device,
				  cause == NVML_RETIRED_SINGLE_BIT
					  ? RETIRED_SINGLE
					  : RETIRED_DOUBLE,
				  &pages);
	if (status != NVML_SUCCESS)
		return status;
	*count = pages;
	return pages > room || !addresses
		       ? pages ? NVML_INSUFFICIENT_SIZE : NVML_SUCCESS
		       : NVML_SUCCESS;
}

int nvmlDeviceGetPcieThroughput(struct nvml_device *device,
				unsigned int direction,
				unsigned int *kb_per_sec)
{
	usleep(20000); /* as documented */
	return nvml_answer_uint("DeviceGetPcieThroughput", device,
				direction == NVML_PCIE_TX ? PCIE_TX : PCIE_RX,
				kb_per_sec);
}

int nvmlDeviceGetComputeRunningProcesses(struct nvml_device *device,
					 unsigned int *count,
					 struct nvml_process_v1 *processes)
{
	int status =
		nvml_enter_device("DeviceGetComputeRunningProcesses", device);
	unsigned int i, room = *count;

	if (status != NVML_SUCCESS)
		return status;
	*count = device->process_count;
	if (room < device->process_count)
		return NVML_INSUFFICIENT_SIZE;
	for (i = 0; i < device->process_count; i++)
		processes[i] = (struct nvml_process_v1){
			.pid = device->processes[i].pid,
			.used_bytes = device->processes[i].bytes,
		};
	return NVML_SUCCESS;
}

int nvmlDeviceGetProcessUtilization(struct nvml_device *device,
				    struct nvml_process_sample *samples,
				    unsigned int *count,
				    unsigned long long since_usec)
{
	int status = nvml_enter_device("DeviceGetProcessUtilization", device);
	unsigned int i, used = 0, room = *count;

	if (status != NVML_SUCCESS)
		return status;
	for (i = 0; i < device->process_count && used < room; i++) {
		if (!device->processes[i].has_sample)
			continue;
		samples[used++] = (struct nvml_process_sample){
			.pid = device->processes[i].pid,
			.time_usec = since_usec + 1,
			.sm_percent = device->processes[i].sm,
			.memory_percent = device->processes[i].memory,
		};
	}
	*count = used;
	return used ? NVML_SUCCESS : NVML_NOT_FOUND;
}

int nvmlEventSetCreate(struct nvml_events **set_of)
{
	int status = nvml_enter("EventSetCreate");

	*set_of = &the_events;
	return status;
}

int nvmlDeviceRegisterEvents(struct nvml_device *device,
			     unsigned long long types,
			     struct nvml_events *set_of)
{
	int status = nvml_enter_device("DeviceRegisterEvents", device);

	(void)set_of;
	if (status == NVML_SUCCESS && types != NVML_EVENT_XID)
		return NVML_NOT_SUPPORTED;
	if (status == NVML_SUCCESS)
		device->is_watched = true;
	return status;
}

/* Callers must not wait here: timeout_msec should be 0. */
int nvmlEventSetWait_v2(struct nvml_events *set_of, struct nvml_event *event,
			unsigned int timeout_msec)
{
	int status = nvml_enter("EventSetWait_v2");

	if (status != NVML_SUCCESS)
		return status;
	if (timeout_msec)
		usleep(timeout_msec * 1000);
	while (set_of->taken < nvml_event_count) {
		*event = nvml_script_events[set_of->taken++];
		if (event->device->is_watched)
			return NVML_SUCCESS;
	}
	return NVML_TIMEOUT;
}

int nvmlEventSetFree(struct nvml_events *set_of)
{
	memset(set_of, 0, sizeof(*set_of));
	return NVML_SUCCESS;
}

#ifndef OLD_DRIVER
int nvmlDeviceGetMemoryInfo_v2(struct nvml_device *device,
			       struct nvml_memory_v2 *memory)
{
	int status;

	if (memory->version != NVML_MEMORY_V2_VERSION)
		return NVML_ARGUMENT_VERSION_MISMATCH;
	status = nvml_answer("DeviceGetMemoryInfo_v2", device, TOTAL,
			     &memory->total_bytes);
	if (status != NVML_SUCCESS)
		return status;
	memory->used_bytes = device->value[USED];
	memory->reserved_bytes = device->value[RESERVED];
	memory->free_bytes = memory->total_bytes - memory->used_bytes -
			     memory->reserved_bytes;
	return NVML_SUCCESS;
}

int nvmlDeviceGetTotalEnergyConsumption(struct nvml_device *device,
					unsigned long long *mj)
{
	return nvml_answer("DeviceGetTotalEnergyConsumption", device, ENERGY,
			   mj);
}

int nvmlDeviceGetCurrentClocksEventReasons(struct nvml_device *device,
					   unsigned long long *reasons)
{
	return nvml_answer("DeviceGetCurrentClocksEventReasons", device,
			   REASONS, reasons);
}

int nvmlDeviceGetRemappedRows(struct nvml_device *device,
			      unsigned int *correctable,
			      unsigned int *uncorrectable,
			      unsigned int *is_pending,
			      unsigned int *has_failed)
{
	int status = nvml_answer_uint("DeviceGetRemappedRows", device,
				      REMAPPED_CORRECTABLE, correctable);

	if (status != NVML_SUCCESS)
		return status;
	*uncorrectable = (unsigned int)device->value[REMAPPED_UNCORRECTABLE];
	*is_pending = (unsigned int)device->value[REMAP_PENDING];
	*has_failed = (unsigned int)device->value[REMAP_FAILED];
	return NVML_SUCCESS;
}

static void fill_field(const struct nvml_device *device,
		       struct nvml_field *field)
{
	int key = field->field == NVML_FIELD_NVLINK_DATA_TX   ? NVLINK_TX
		  : field->field == NVML_FIELD_NVLINK_DATA_RX ? NVLINK_RX
		  : field->field == NVML_FIELD_PCIE_TX_BYTES  ? PCIE_TX_BYTES
		  : field->field == NVML_FIELD_PCIE_RX_BYTES  ? PCIE_RX_BYTES
							      : KEYS;

	field->status = NVML_NOT_SUPPORTED;
	if (key == KEYS || !device->has[key])
		return;
	/* A single link would give only a part of the total. */
	if ((key == NVLINK_TX || key == NVLINK_RX) &&
	    field->scope != NVML_ALL_LINKS)
		return;
	field->status = NVML_SUCCESS;
	field->type = NVML_VALUE_ULONG_LONG;
	field->value.ulong_long = device->value[key];
}

int nvmlDeviceGetFieldValues(struct nvml_device *device, int count,
			     struct nvml_field *fields)
{
	int i, status = nvml_enter_device("DeviceGetFieldValues", device);

	for (i = 0; status == NVML_SUCCESS && i < count; i++)
		fill_field(device, &fields[i]);
	return status;
}

int nvmlDeviceGetMigMode(struct nvml_device *device, unsigned int *current,
			 unsigned int *pending)
{
	int status = nvml_enter_device("DeviceGetMigMode", device);

	if (status == NVML_SUCCESS)
		*current = *pending = find(device, 0) ? NVML_MIG_ENABLED : 0;
	return status;
}

int nvmlDeviceGetMaxMigDeviceCount(struct nvml_device *device,
				   unsigned int *count)
{
	*count = 7;
	return nvml_enter_device("DeviceGetMaxMigDeviceCount", device);
}

int nvmlDeviceGetMigDeviceHandleByIndex(struct nvml_device *device,
					unsigned int index,
					struct nvml_device **instance)
{
	int status =
		nvml_enter_device("DeviceGetMigDeviceHandleByIndex", device);

	if (status != NVML_SUCCESS)
		return status;
	*instance = find(device, index);
	return *instance ? NVML_SUCCESS : NVML_NOT_FOUND;
}

int nvmlDeviceGetGpuInstanceId(struct nvml_device *device, unsigned int *id)
{
	int status = nvml_enter_device("DeviceGetGpuInstanceId", device);

	if (status == NVML_SUCCESS)
		*id = device->gpu_instance;
	return status;
}

int nvmlDeviceGetComputeInstanceId(struct nvml_device *device, unsigned int *id)
{
	int status = nvml_enter_device("DeviceGetComputeInstanceId", device);

	if (status == NVML_SUCCESS)
		*id = device->compute_instance;
	return status;
}

int nvmlDeviceGetComputeRunningProcesses_v3(struct nvml_device *device,
					    unsigned int *count,
					    struct nvml_process *processes)
{
	int status = nvml_enter_device("DeviceGetComputeRunningProcesses_v3",
				       device);
	unsigned int i, room = *count;

	if (status != NVML_SUCCESS)
		return status;
	*count = device->process_count;
	if (room < device->process_count)
		return NVML_INSUFFICIENT_SIZE;
	for (i = 0; i < device->process_count; i++)
		processes[i] = (struct nvml_process){
			.pid = device->processes[i].pid,
			.used_bytes = device->processes[i].bytes,
			.gpu_instance = device->gpu_instance,
			.compute_instance = device->compute_instance,
		};
	return NVML_SUCCESS;
}
#endif
