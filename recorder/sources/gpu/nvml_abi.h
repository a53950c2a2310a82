/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of the NVIDIA Management Library's binary interface that is used:
 * types, numbers and prototypes as documented in the NVML API Reference Guide
 * (https://docs.nvidia.com/deploy/nvml-api/), with our own names, so that the
 * build needs neither its header nor the library.  Symbols with a version in
 * their name never change; a library rejects a struct with a version that it
 * does not know (ARGUMENT_VERSION_MISMATCH).
 */
#ifndef SW_RECORDER_NVML_ABI_H
#define SW_RECORDER_NVML_ABI_H

#include <stddef.h>

#define SW_NVML_SONAME "libnvidia-ml.so.1"

struct nvml_device;
struct nvml_events;

/* nvmlReturn_t: an int, these values and others */
enum {
	NVML_SUCCESS = 0,
	NVML_UNINITIALIZED = 1,
	NVML_INVALID_ARGUMENT = 2,
	NVML_NOT_SUPPORTED = 3,
	NVML_NO_PERMISSION = 4,
	NVML_NOT_FOUND = 6,
	NVML_INSUFFICIENT_SIZE = 7,
	NVML_DRIVER_NOT_LOADED = 9,
	NVML_TIMEOUT = 10,
	NVML_GPU_IS_LOST = 15,
	NVML_RESET_REQUIRED = 16,
	NVML_ARGUMENT_VERSION_MISMATCH = 25,
	NVML_UNKNOWN = 999,
};

enum {
	NVML_UUID_SIZE = 96,	/* NVML_DEVICE_UUID_V2_BUFFER_SIZE */
	NVML_NAME_SIZE = 96,	/* NVML_DEVICE_NAME_V2_BUFFER_SIZE */
	NVML_BUS_ID_SIZE = 32,
	NVML_BUS_ID_LEGACY_SIZE = 16,
};

enum { NVML_TEMPERATURE_GPU = 0 };
enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2 };
enum { NVML_ERROR_CORRECTED = 0, NVML_ERROR_UNCORRECTED = 1 };
enum { NVML_ECC_VOLATILE = 0 };		/* since the driver was loaded */
enum { NVML_RETIRED_SINGLE_BIT = 0, NVML_RETIRED_DOUBLE_BIT = 1 };
enum { NVML_PCIE_TX = 0, NVML_PCIE_RX = 1 };	/* KB/s, over 20 ms */
enum { NVML_MIG_ENABLED = 1 };

#define NVML_NO_INSTANCE 0xffffffffu	/* for a GPU without MIG */
#define NVML_EVENT_XID 0x8ull		/* nvmlEventTypeXidCriticalError */

/* nvmlFieldValue_t: NVML_FI_DEV_* */
enum {
	NVML_FIELD_NVLINK_DATA_TX = 138,	/* KiB */
	NVML_FIELD_NVLINK_DATA_RX = 139,
	NVML_FIELD_PCIE_TX_BYTES = 197,		/* can wrap */
	NVML_FIELD_PCIE_RX_BYTES = 198,
};

#define NVML_ALL_LINKS 0xffffffffu

/* nvmlValueType_t */
enum {
	NVML_VALUE_UINT = 1,
	NVML_VALUE_ULONG = 2,
	NVML_VALUE_ULONG_LONG = 3,
};

/* nvmlClocksEventReasons; "throttle reasons" before release 535 */
#define NVML_REASON_GPU_IDLE 0x1ull
#define NVML_REASON_APPLICATION_CLOCKS 0x2ull
#define NVML_REASON_SW_POWER_CAP 0x4ull
#define NVML_REASON_HW_SLOWDOWN 0x8ull
#define NVML_REASON_SYNC_BOOST 0x10ull
#define NVML_REASON_SW_THERMAL 0x20ull
#define NVML_REASON_HW_THERMAL 0x40ull
#define NVML_REASON_HW_POWER_BRAKE 0x80ull
#define NVML_REASON_DISPLAY_CLOCKS 0x100ull

struct nvml_pci {
	char bus_id_legacy[NVML_BUS_ID_LEGACY_SIZE];
	unsigned int domain, bus, device;
	unsigned int device_id, subsystem_id;
	char bus_id[NVML_BUS_ID_SIZE];
};

struct nvml_utilization {	/* percent of the last sample period */
	unsigned int gpu;	/* a kernel was running */
	unsigned int memory;	/* memory was read or written */
};

struct nvml_memory {
	unsigned long long total_bytes, free_bytes;
	unsigned long long used_bytes;	/* including the driver's */
};

struct nvml_memory_v2 {
	unsigned int version;
	unsigned long long total_bytes, reserved_bytes, free_bytes;
	unsigned long long used_bytes;	/* excluding the driver's */
};

#define NVML_MEMORY_V2_VERSION \
	((unsigned int)sizeof(struct nvml_memory_v2) | 2u << 24)

/* For nvmlDeviceGetComputeRunningProcesses without a version suffix */
struct nvml_process_v1 {
	unsigned int pid;
	unsigned long long used_bytes;
};

/* For _v2 and _v3 */
struct nvml_process {
	unsigned int pid;
	unsigned long long used_bytes;	/* ~0: not available */
	unsigned int gpu_instance, compute_instance;
};

struct nvml_process_sample {
	unsigned int pid;
	unsigned long long time_usec;
	unsigned int sm_percent, memory_percent;
	unsigned int encoder_percent, decoder_percent;
};

struct nvml_event {
	struct nvml_device *device;
	unsigned long long type, data;
	unsigned int gpu_instance, compute_instance;
};

union nvml_value {
	double number;
	unsigned int uint;
	unsigned long ulong;
	unsigned long long ulong_long;
};

struct nvml_field {
	unsigned int field, scope;
	long long time_usec, latency_usec;
	unsigned int type;
	int status;
	union nvml_value value;
};

/* Layout on 64-bit machines */
_Static_assert(sizeof(void *) != 8 || sizeof(struct nvml_pci) == 68, "ABI");
_Static_assert(sizeof(struct nvml_utilization) == 8, "ABI");
_Static_assert(sizeof(struct nvml_memory) == 24, "ABI");
_Static_assert(sizeof(void *) != 8 || sizeof(struct nvml_memory_v2) == 40,
	       "ABI");
_Static_assert(sizeof(void *) != 8 || sizeof(struct nvml_process_v1) == 16,
	       "ABI");
_Static_assert(sizeof(void *) != 8 || sizeof(struct nvml_process) == 24,
	       "ABI");
_Static_assert(sizeof(void *) != 8 ||
	       sizeof(struct nvml_process_sample) == 32, "ABI");
_Static_assert(sizeof(void *) != 8 || sizeof(struct nvml_event) == 32, "ABI");
_Static_assert(sizeof(void *) != 8 || sizeof(struct nvml_field) == 40, "ABI");

#endif
