/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Devices that a script describes, re-read at each call. */
#ifndef SW_TEST_NVML_SCRIPT_H
#define SW_TEST_NVML_SCRIPT_H

#include <stdbool.h>

#include "recorder/sources/gpu/nvml_abi.h"

enum {
	BUSY,
	MEMORY_BUSY,
	TOTAL,
	USED,
	RESERVED,
	POWER,
	POWER_LIMIT,
	ENERGY,
	TEMPERATURE,
	SM,
	SM_MAX,
	MEM,
	REASONS,
	CORRECTED,
	UNCORRECTED,
	REMAPPED_CORRECTABLE,
	REMAPPED_UNCORRECTABLE,
	REMAP_PENDING,
	REMAP_FAILED,
	RETIRED_SINGLE,
	RETIRED_DOUBLE,
	PCIE_TX,
	PCIE_RX,
	PCIE_TX_BYTES,
	PCIE_RX_BYTES,
	NVLINK_TX,
	NVLINK_RX,
	KEYS
};

enum { DEVICES_MAX = 32, PROCESSES_MAX = 160, EVENTS_MAX = 64 };

struct process {
	unsigned int pid, sm, memory;
	unsigned long long bytes;
	bool has_sample;
};

struct nvml_device {
	struct nvml_device *parent; /* of an instance */
	char uuid[NVML_UUID_SIZE], bus_id[NVML_BUS_ID_SIZE];
	char name[NVML_NAME_SIZE];
	unsigned int gpu_instance, compute_instance;
	bool is_lost, is_watched;
	bool has[KEYS];
	unsigned long long value[KEYS];
	unsigned int process_count;
	struct process processes[PROCESSES_MAX];
};

struct nvml_events {
	unsigned int taken; /* events already delivered */
};

extern struct nvml_device nvml_devices[DEVICES_MAX];
extern unsigned int nvml_device_count;
extern struct nvml_event nvml_script_events[EVENTS_MAX];
extern unsigned int nvml_event_count;
extern bool nvml_is_initialised;

/* Read the script and return its verdict on this call (without "nvml"). */
int nvml_enter(const char *name);

/* Same for a call about a device, unless the device is lost. */
int nvml_enter_device(const char *name, const struct nvml_device *device);

/* Get one number that the script may have set; else NVML_NOT_SUPPORTED. */
int nvml_answer(const char *name, const struct nvml_device *device, int key,
		unsigned long long *value);
int nvml_answer_uint(const char *name, const struct nvml_device *device,
		     int key, unsigned int *value);

#endif
