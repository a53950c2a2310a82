/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the helper process.
 *
 * Load NVML at run time; no other file does.
 */
#include "recorder/sources/gpu/nvml.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* Destination of a symbol's address; the first symbol found for it is used. */
struct symbol {
	const char *name;
	size_t offset;
	bool is_needed;
};

#define SYMBOL(symbol, member) \
	{ symbol, offsetof(struct sw_nvml, member), false }
#define NEEDED(symbol, member) \
	{ symbol, offsetof(struct sw_nvml, member), true }

static const struct symbol symbols[] = {
	NEEDED("nvmlInit_v2", init),
	NEEDED("nvmlShutdown", shutdown),
	NEEDED("nvmlDeviceGetCount_v2", count),
	NEEDED("nvmlDeviceGetHandleByIndex_v2", handle),
	SYMBOL("nvmlDeviceGetUUID", uuid),
	SYMBOL("nvmlDeviceGetName", name),
	SYMBOL("nvmlDeviceGetPciInfo_v3", pci),
	SYMBOL("nvmlDeviceGetUtilizationRates", utilization),
	SYMBOL("nvmlDeviceGetMemoryInfo", memory),
	SYMBOL("nvmlDeviceGetMemoryInfo_v2", memory_v2),
	SYMBOL("nvmlDeviceGetPowerUsage", power),
	SYMBOL("nvmlDeviceGetEnforcedPowerLimit", power_limit),
	SYMBOL("nvmlDeviceGetTotalEnergyConsumption", energy),
	SYMBOL("nvmlDeviceGetTemperature", temperature),
	SYMBOL("nvmlDeviceGetClockInfo", clock),
	SYMBOL("nvmlDeviceGetMaxClockInfo", clock_max),
	SYMBOL("nvmlDeviceGetCurrentClocksEventReasons", event_reasons),
	SYMBOL("nvmlDeviceGetCurrentClocksThrottleReasons", event_reasons),
	SYMBOL("nvmlDeviceGetTotalEccErrors", ecc_errors),
	SYMBOL("nvmlDeviceGetRemappedRows", remapped_rows),
	SYMBOL("nvmlDeviceGetRetiredPages", retired_pages),
	SYMBOL("nvmlDeviceGetPcieThroughput", pcie),
	SYMBOL("nvmlDeviceGetFieldValues", fields),
	SYMBOL("nvmlDeviceGetMigMode", mig_mode),
	SYMBOL("nvmlDeviceGetMaxMigDeviceCount", mig_count),
	SYMBOL("nvmlDeviceGetMigDeviceHandleByIndex", mig_handle),
	SYMBOL("nvmlDeviceGetGpuInstanceId", gpu_instance),
	SYMBOL("nvmlDeviceGetComputeInstanceId", compute_instance),
	SYMBOL("nvmlDeviceGetComputeRunningProcesses_v3", processes),
	SYMBOL("nvmlDeviceGetComputeRunningProcesses_v2", processes),
	SYMBOL("nvmlDeviceGetComputeRunningProcesses", processes_v1),
	SYMBOL("nvmlDeviceGetProcessUtilization", process_samples),
	SYMBOL("nvmlEventSetCreate", events_create),
	SYMBOL("nvmlDeviceRegisterEvents", events_add),
	SYMBOL("nvmlEventSetWait_v2", events_wait),
	SYMBOL("nvmlEventSetFree", events_free),
};

/* Store functions as the bytes of their addresses, as POSIX permits. */
static int find_symbols(struct sw_nvml *nvml)
{
	size_t i;

	for (i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		void *address = dlsym(nvml->library, symbols[i].name), *known;
		char *place = (char *)nvml + symbols[i].offset;

		if (!address && symbols[i].is_needed)
			return -1;
		memcpy(&known, place, sizeof(known));
		if (!known)
			memcpy(place, &address, sizeof(address));
	}
	return 0;
}

int sw_nvml_open(struct sw_nvml *nvml)
{
	memset(nvml, 0, sizeof(*nvml));
	nvml->library = dlopen(SW_NVML_SONAME, RTLD_NOW | RTLD_LOCAL);
	if (!nvml->library)
		return -1;
	if (find_symbols(nvml) == 0 && nvml->init() == NVML_SUCCESS)
		return 0;
	dlclose(nvml->library);
	memset(nvml, 0, sizeof(*nvml));
	return -1;
}

void sw_nvml_close(struct sw_nvml *nvml)
{
	if (!nvml->library)
		return;
	nvml->shutdown();
	dlclose(nvml->library);
	memset(nvml, 0, sizeof(*nvml));
}
