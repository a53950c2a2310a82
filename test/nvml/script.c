/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the nvml_devices that a script describes. */
#include "test/nvml/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const keys[KEYS] = {
	[BUSY] = "busy",
	[MEMORY_BUSY] = "memory_busy",
	[TOTAL] = "total",
	[USED] = "used",
	[RESERVED] = "reserved",
	[POWER] = "power",
	[POWER_LIMIT] = "power_limit",
	[ENERGY] = "energy",
	[TEMPERATURE] = "temperature",
	[SM] = "sm",
	[SM_MAX] = "sm_max",
	[MEM] = "mem",
	[REASONS] = "reasons",
	[CORRECTED] = "corrected",
	[UNCORRECTED] = "uncorrected",
	[REMAPPED_CORRECTABLE] = "remapped_correctable",
	[REMAPPED_UNCORRECTABLE] = "remapped_uncorrectable",
	[REMAP_PENDING] = "remap_pending",
	[REMAP_FAILED] = "remap_failed",
	[RETIRED_SINGLE] = "retired_single",
	[RETIRED_DOUBLE] = "retired_double",
	[PCIE_TX] = "pcie_tx",
	[PCIE_RX] = "pcie_rx",
	[PCIE_TX_BYTES] = "pcie_tx_bytes",
	[PCIE_RX_BYTES] = "pcie_rx_bytes",
	[NVLINK_TX] = "nvlink_tx",
	[NVLINK_RX] = "nvlink_rx",
};

struct nvml_device nvml_devices[DEVICES_MAX];
unsigned int nvml_device_count;
struct nvml_event nvml_script_events[EVENTS_MAX];
unsigned int nvml_event_count;
static char function[64]; /* current call, without "nvml" */
static int verdict;	  /* status the script gives to it */
bool nvml_is_initialised;

static void copy(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from);
	to[strcspn(to, "\n")] = '\0';
}

static struct nvml_device *add_device(struct nvml_device *parent)
{
	struct nvml_device *device = &nvml_devices[nvml_device_count++];
	bool is_watched = device->is_watched;

	memset(device, 0, sizeof(*device));
	device->is_watched = is_watched;
	device->parent = parent;
	device->gpu_instance = device->compute_instance = NVML_NO_INSTANCE;
	return device;
}

static void set(struct nvml_device *device, const char *key,
		unsigned long long value)
{
	size_t i;

	for (i = 0; i < KEYS; i++) {
		if (strcmp(keys[i], key) != 0)
			continue;
		device->has[i] = true;
		device->value[i] = value;
	}
}

static void add_process(struct nvml_device *device, const char *line)
{
	struct process *process = &device->processes[device->process_count];
	int words;

	if (device->process_count == PROCESSES_MAX)
		return;
	memset(process, 0, sizeof(*process));
	words = sscanf(line, "process %u %llu %u %u", &process->pid,
		       &process->bytes, &process->sm, &process->memory);
	process->has_sample = words == 4;
	device->process_count += words >= 2;
}

static void add_event(struct nvml_device *device, const char *line)
{
	struct nvml_event *event = &nvml_script_events[nvml_event_count];

	if (nvml_event_count == EVENTS_MAX)
		return;
	*event = (struct nvml_event){
		.device = device->parent ? device->parent : device,
		.type = NVML_EVENT_XID,
		.gpu_instance = NVML_NO_INSTANCE,
		.compute_instance = NVML_NO_INSTANCE,
	};
	nvml_event_count +=
		sscanf(line, "xid %llu %u %u", &event->data,
		       &event->gpu_instance, &event->compute_instance) >= 1;
}

/* Evaluate a line about the current call. */
static void judge(const char *line)
{
	char name[64];
	int status;

	if (sscanf(line, "fail %63s %d", name, &status) == 2 &&
	    !strcmp(name, function))
		verdict = status;
	else if (sscanf(line, "hang %63s", name) == 1 &&
		 !strcmp(name, function))
		for (;;)
			pause();
}

static void read_line(const char *line)
{
	static struct nvml_device *gpu, *device;
	unsigned long long value;
	char word[96], text[96];
	unsigned int gi, ci;
	int used = 0;

	if (nvml_device_count == 0)
		gpu = device = NULL;
	if (sscanf(line, "gpu %95s %95s %n", word, text, &used) == 2 && used &&
	    nvml_device_count < DEVICES_MAX) {
		gpu = device = add_device(NULL);
		copy(device->uuid, sizeof(device->uuid), word);
		copy(device->bus_id, sizeof(device->bus_id), text);
		copy(device->name, sizeof(device->name), line + used);
	} else if (gpu &&
		   sscanf(line, "mig %95s %u %u %n", word, &gi, &ci, &used) ==
			   3 &&
		   used && nvml_device_count < DEVICES_MAX) {
		device = add_device(gpu);
		device->gpu_instance = gi;
		device->compute_instance = ci;
		copy(device->uuid, sizeof(device->uuid), word);
		copy(device->name, sizeof(device->name), line + used);
	} else if (device && sscanf(line, "set %95s %llu", word, &value) == 2) {
		set(device, word, value);
	} else if (device && !strncmp(line, "process ", 8)) {
		add_process(device, line);
	} else if (device && !strncmp(line, "xid ", 4)) {
		add_event(device, line);
	} else if (device && !strncmp(line, "lost", 4)) {
		device->is_lost = true;
	} else {
		judge(line);
	}
}

/* Read the current script, and its verdict on this call. */
int nvml_enter(const char *name)
{
	const char *path = getenv("STEPWELL_NVML_SCRIPT");
	char line[256];
	FILE *file;

	/* A node's recorder has no environment. */
	if (!path)
		path = "/proc/driver/nvidia/stepwell-script";
	copy(function, sizeof(function), name);
	verdict = NVML_SUCCESS;
	nvml_device_count = nvml_event_count = 0;
	file = path ? fopen(path, "re") : NULL;
	if (!file)
		return NVML_DRIVER_NOT_LOADED;
	while (fgets(line, sizeof(line), file))
		read_line(line);
	fclose(file);
	if (verdict == NVML_SUCCESS && !nvml_is_initialised &&
	    strcmp(name, "Init_v2") != 0)
		return NVML_UNINITIALIZED;
	return verdict;
}

int nvml_enter_device(const char *name, const struct nvml_device *device)
{
	int status = nvml_enter(name);

	if (status != NVML_SUCCESS)
		return status;
	if (!device || device >= nvml_devices + nvml_device_count)
		return NVML_INVALID_ARGUMENT;
	if (device->is_lost || (device->parent && device->parent->is_lost))
		return NVML_GPU_IS_LOST;
	return NVML_SUCCESS;
}

/* Return one number that the script may have set. */
int nvml_answer(const char *name, const struct nvml_device *device, int key,
		unsigned long long *value)
{
	int status = nvml_enter_device(name, device);

	if (status != NVML_SUCCESS)
		return status;
	if (!device->has[key])
		return NVML_NOT_SUPPORTED;
	*value = device->value[key];
	return NVML_SUCCESS;
}

int nvml_answer_uint(const char *name, const struct nvml_device *device,
		     int key, unsigned int *value)
{
	unsigned long long number = 0;
	int status = nvml_answer(name, device, key, &number);

	if (status == NVML_SUCCESS)
		*value = (unsigned int)number;
	return status;
}
