/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the helper process.
 *
 * NVIDIA GPUs of a node and their MIG instances.
 */
#include "recorder/sources/gpu/gpus.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/missing.h"

enum {
	LOOK_EVERY = 60,	/* refreshes between two scans */
	EVENTS_MAX = 64,	/* read at a time */
	MIG_MAX = 16,		/* instances per GPU; 7 so far */
};

/* Provided by the driver in /proc */
#define DRIVER "driver/nvidia/version"

static struct sw_gpus the_gpus;

/* Return the slot of this UUID, a new one, or NULL if there is no room. */
static struct sw_gpu *find_slot(struct sw_gpus *gpus, const char *uuid)
{
	struct sw_gpu *gpu;
	size_t i;

	for (i = 0; i < gpus->count; i++) {
		if (!strcmp(gpus->gpu[i].uuid, uuid))
			return &gpus->gpu[i];
	}
	if (gpus->count == SW_GPUS_MAX)
		return NULL;
	gpu = &gpus->gpu[gpus->count++];
	snprintf(gpu->uuid, sizeof(gpu->uuid), "%s", uuid);
	gpu->gpu_instance = gpu->compute_instance = NVML_NO_INSTANCE;
	gpu->clock_max_mhz = gpu->xid_count = gpu->xid_last = SW_MISSING;
	return gpu;
}

/* Without a UUID, the position identifies the device. */
static void read_uuid(const struct sw_nvml *nvml, struct nvml_device *handle,
		      char *uuid, unsigned int number, int instance)
{
	if (handle && nvml->uuid &&
	    nvml->uuid(handle, uuid, NVML_UUID_SIZE) == NVML_SUCCESS) {
		uuid[NVML_UUID_SIZE - 1] = '\0';
		return;
	}
	snprintf(uuid, NVML_UUID_SIZE, "%u/%d", number, instance);
}

static void read_texts(const struct sw_nvml *nvml, struct sw_gpu *gpu)
{
	struct nvml_pci pci;

	memset(&pci, 0, sizeof(pci));
	if (!nvml->name || nvml->name(gpu->handle, gpu->name,
				      sizeof(gpu->name)) != NVML_SUCCESS)
		gpu->name[0] = '\0';
	gpu->name[sizeof(gpu->name) - 1] = '\0';
	if (nvml->pci && nvml->pci(gpu->handle, &pci) == NVML_SUCCESS)
		memcpy(gpu->bus_id, pci.bus_id, sizeof(gpu->bus_id));
	gpu->bus_id[sizeof(gpu->bus_id) - 1] = '\0';
}

static void listen(struct sw_gpus *gpus, struct sw_gpu *gpu)
{
	const struct sw_nvml *nvml = &gpus->nvml;

	if (gpu->has_events || !gpus->events || !nvml->events_add ||
	    nvml->events_add(gpu->handle, NVML_EVENT_XID, gpus->events) !=
		    NVML_SUCCESS)
		return;
	gpu->has_events = true;
	gpu->xid_count = 0;
}

static void look_at_instance(struct sw_gpus *gpus, struct sw_gpu *parent,
			     unsigned int index)
{
	const struct sw_nvml *nvml = &gpus->nvml;
	struct nvml_device *handle = NULL;
	char uuid[NVML_UUID_SIZE];
	struct sw_gpu *gpu;

	/* Indices without an instance are common. */
	if (nvml->mig_handle(parent->handle, index, &handle) != NVML_SUCCESS)
		return;
	read_uuid(nvml, handle, uuid, parent->number, (int)index);
	gpu = find_slot(gpus, uuid);
	if (!gpu || gpu->is_there)
		return;
	gpu->is_there = gpu->is_mig = true;
	gpu->handle = handle;
	gpu->parent = (size_t)(parent - gpus->gpu);
	gpu->number = parent->number;
	gpu->instance = index;
	parent->has_instances = true;
	read_texts(nvml, gpu);
	memcpy(gpu->bus_id, parent->bus_id, sizeof(gpu->bus_id));
	if (nvml->gpu_instance)
		nvml->gpu_instance(handle, &gpu->gpu_instance);
	if (nvml->compute_instance)
		nvml->compute_instance(handle, &gpu->compute_instance);
	/* Its XIDs arrive as events of its GPU. */
	gpu->has_events = parent->has_events;
	if (gpu->has_events && sw_is_missing(gpu->xid_count))
		gpu->xid_count = 0;
}

static void look_for_instances(struct sw_gpus *gpus, struct sw_gpu *parent)
{
	const struct sw_nvml *nvml = &gpus->nvml;
	unsigned int mode = 0, pending = 0, count = 0, i;

	parent->has_instances = false;
	if (!nvml->mig_mode || !nvml->mig_count || !nvml->mig_handle ||
	    nvml->mig_mode(parent->handle, &mode, &pending) != NVML_SUCCESS ||
	    mode != NVML_MIG_ENABLED ||
	    nvml->mig_count(parent->handle, &count) != NVML_SUCCESS)
		return;
	for (i = 0; i < count && i < MIG_MAX; i++)
		look_at_instance(gpus, parent, i);
}

/* Find the slot of a GPU that has become unavailable, or always was. */
static struct sw_gpu *find_number(struct sw_gpus *gpus, unsigned int number)
{
	char uuid[NVML_UUID_SIZE];
	size_t i;

	for (i = 0; i < gpus->count; i++) {
		if (!gpus->gpu[i].is_mig && gpus->gpu[i].number == number)
			return &gpus->gpu[i];
	}
	read_uuid(&gpus->nvml, NULL, uuid, number, -1);
	return find_slot(gpus, uuid);
}

/* List an unavailable GPU, with its status: it may have fallen off the bus. */
static void look_at(struct sw_gpus *gpus, unsigned int number)
{
	const struct sw_nvml *nvml = &gpus->nvml;
	struct nvml_device *handle = NULL;
	char uuid[NVML_UUID_SIZE];
	unsigned int mhz;
	struct sw_gpu *gpu;
	int status = nvml->handle(number, &handle);

	if (status != NVML_SUCCESS) {
		handle = NULL;
		gpu = find_number(gpus, number);
	} else {
		read_uuid(nvml, handle, uuid, number, -1);
		gpu = find_slot(gpus, uuid);
	}
	if (!gpu || gpu->is_there)
		return;
	gpu->is_there = true;
	gpu->handle = handle;
	gpu->number = number;
	gpu->status = status;
	if (!handle)
		return;
	read_texts(nvml, gpu);
	if (nvml->clock_max && nvml->clock_max(handle, NVML_CLOCK_SM, &mhz) ==
			       NVML_SUCCESS)
		gpu->clock_max_mhz = mhz;
	listen(gpus, gpu);
	look_for_instances(gpus, gpu);
}

static void look(struct sw_gpus *gpus)
{
	unsigned int count = 0, i;

	if (gpus->nvml.count(&count) != NVML_SUCCESS)
		return;
	for (i = 0; i < gpus->count; i++)
		gpus->gpu[i].is_there = false;
	for (i = 0; i < count && i < SW_GPUS_MAX; i++)
		look_at(gpus, i);
}

static void close_all(struct sw_gpus *gpus)
{
	if (gpus->events && gpus->nvml.events_free)
		gpus->nvml.events_free(gpus->events);
	sw_nvml_close(&gpus->nvml);
	memset(gpus, 0, sizeof(*gpus));
}

bool sw_gpus_are_there(void)
{
	return access("/proc/" DRIVER, F_OK) == 0;
}

/* Return NULL if there are none, or no NVML. */
static struct sw_gpus *open_all(int proc_fd)
{
	struct sw_gpus *gpus = &the_gpus;

	if (gpus->users)
		return gpus;
	/* Without the driver, the library would load and then fail. */
	if (faccessat(proc_fd, DRIVER, F_OK, 0) < 0 ||
	    sw_nvml_open(&gpus->nvml) < 0)
		return NULL;
	if (gpus->nvml.events_create && gpus->nvml.events_wait &&
	    gpus->nvml.events_create(&gpus->events) != NVML_SUCCESS)
		gpus->events = NULL;
	look(gpus);
	if (gpus->count)
		return gpus;
	close_all(gpus);
	return NULL;
}

enum sw_read_status sw_gpus_open(void *state, const struct sw_target *target)
{
	struct sw_gpus **gpus = state;

	*gpus = open_all(target->proc_fd);
	if (!*gpus)
		return SW_READ_ABSENT;
	(*gpus)->users++;
	return SW_READ_OK;
}

void sw_gpus_refresh(struct sw_gpus *gpus)
{
	if (++gpus->looks % LOOK_EVERY == 0)
		look(gpus);
}

/* Return the instance if the driver names one, otherwise the GPU. */
static struct sw_gpu *find_event(struct sw_gpus *gpus,
				 const struct nvml_event *event)
{
	struct sw_gpu *found = NULL;
	size_t i;

	for (i = 0; i < gpus->count; i++) {
		struct sw_gpu *gpu = &gpus->gpu[i];

		if (!gpu->is_there)
			continue;
		if (!gpu->is_mig && gpu->handle == event->device)
			found = gpu;
		if (gpu->is_mig && event->gpu_instance != NVML_NO_INSTANCE &&
		    gpus->gpu[gpu->parent].handle == event->device &&
		    gpu->gpu_instance == event->gpu_instance &&
		    (event->compute_instance == NVML_NO_INSTANCE ||
		     event->compute_instance == gpu->compute_instance))
			return gpu;
	}
	return found;
}

void sw_gpus_take_events(struct sw_gpus *gpus)
{
	struct nvml_event event;
	struct sw_gpu *gpu;
	int i;

	for (i = 0; gpus->events && i < EVENTS_MAX; i++) {
		memset(&event, 0, sizeof(event));
		if (gpus->nvml.events_wait(gpus->events, &event, 0) !=
		    NVML_SUCCESS)
			return;
		gpu = event.type & NVML_EVENT_XID ? find_event(gpus, &event) :
						    NULL;
		if (!gpu)
			continue;
		gpu->xid_count = sw_is_missing(gpu->xid_count) ? 1 :
				 gpu->xid_count + 1;
		gpu->xid_last = event.data;
	}
}

bool sw_gpus_describe(void *state, uint64_t index, struct sw_subject *subject)
{
	const struct sw_gpus *gpus = *(struct sw_gpus **)state;
	const struct sw_gpu *gpu;

	if (!gpus || index >= gpus->count)
		return false;
	gpu = &gpus->gpu[index];
	memset(subject, 0, sizeof(*subject));
	snprintf(subject->kind, sizeof(subject->kind), "%s",
		 gpu->is_mig ? "mig" : "gpu");
	if (gpu->is_mig)
		snprintf(subject->name, sizeof(subject->name),
			 "GPU %u MIG %u", gpu->number, gpu->instance);
	else
		snprintf(subject->name, sizeof(subject->name), "GPU %u",
			 gpu->number);
	snprintf(subject->detail, sizeof(subject->detail), "%s, %s, %s",
		 gpu->name[0] ? gpu->name : "?",
		 gpu->bus_id[0] ? gpu->bus_id : "?", gpu->uuid);
	return true;
}

void sw_gpus_close(void *state)
{
	struct sw_gpus **gpus = state;

	if (*gpus && --(*gpus)->users == 0)
		close_all(*gpus);
	*gpus = NULL;
}
