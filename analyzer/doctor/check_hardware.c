/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Check libraries and devices that only some nodes have. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/doctor/doctor.h"

#define PCI_FOLDER "/sys/bus/pci/devices"

/* PCI ids (pci.ids): vendors; classes with subclass. */
enum {
	VENDOR_AMD = 0x1002,
	VENDOR_NVIDIA = 0x10de,
	CLASS_VGA = 0x0300,
	CLASS_3D = 0x0302,
	CLASS_DISPLAY_OTHER = 0x0380,
	CLASS_ACCELERATOR = 0x1200,
};

struct gpus {
	unsigned nvidia_cards, amd_cards;	/* on the PCI bus */
	size_t nvidia_files, amd_files;		/* created by the drivers */
};

/* "PAPI 7.0.0: 53 presets for this processor, 41 count here" */
static bool ask_recorder(const struct sw_doctor *doctor,
			 struct sw_answer *answer)
{
	static const char *const argv[] = {
		PKGLIBEXECDIR "/stepwell-recorder", "--node", "--presets", NULL,
	};
	char line[sizeof(answer->text)];

	if (!doctor->probes.run ||
	    doctor->probes.run(argv, line, sizeof(line)) < 0 || !line[0])
		return false;
	if (strstr(line, " count here"))
		sw_answer_ok(answer, "%s", line);
	else
		sw_answer_skip(answer, "no presets of PAPI", "%s; counters by "
			       "PAPI's names are not available", line);
	return true;
}

void sw_check_papi(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	static const char *const patterns[] = {
		"/usr/lib/*/libpapi.so.[0-9]*", "/usr/lib64/libpapi.so.[0-9]*",
		"/usr/lib/libpapi.so.[0-9]*", "/usr/local/lib*/libpapi.so.*",
		"/opt/papi/lib*/libpapi.so.*", NULL,
	};
	char path[PATH_MAX];

	if (sw_doctor_find(doctor, patterns, path, sizeof(path))) {
		if (!ask_recorder(doctor, answer))
			sw_answer_ok(answer, "%s", path);
		return;
	}
	sw_answer_skip(answer, "no PAPI",
		       "libpapi is not installed; only hardware counters by "
		       "PAPI's names need it");
}

static long read_number(const struct sw_doctor *doctor, const char *name,
			const char *file)
{
	char path[PATH_MAX], text[32];

	snprintf(path, sizeof(path), PCI_FOLDER "/%s/%s", name, file);
	if (sw_doctor_read(doctor, path, text, sizeof(text)) <= 0)
		return -1;
	return strtol(text, NULL, 16);
}

/* An AMD VGA card serves a console, not computing. */
static void count_card(struct gpus *gpus, long vendor, long class)
{
	bool is_computing = class == CLASS_3D || class == CLASS_ACCELERATOR;

	if (vendor == VENDOR_NVIDIA && (is_computing || class == CLASS_VGA))
		gpus->nvidia_cards++;
	if (vendor == VENDOR_AMD &&
	    (is_computing || class == CLASS_DISPLAY_OTHER))
		gpus->amd_cards++;
}

static void count_cards(const struct sw_doctor *doctor, struct gpus *gpus)
{
	int fd = sw_doctor_open(doctor, PCI_FOLDER, O_RDONLY | O_DIRECTORY);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!folder) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(folder)) != NULL) {
		if (entry->d_name[0] != '.')
			count_card(gpus, read_number(doctor, entry->d_name,
						     "vendor"),
				   read_number(doctor, entry->d_name,
					       "class") >> 8);
	}
	closedir(folder);
}

static bool has_nvml(const struct sw_doctor *doctor)
{
	static const char *const patterns[] = {
		"/usr/lib/*/libnvidia-ml.so.1", "/usr/lib64/libnvidia-ml.so.1",
		"/usr/lib/libnvidia-ml.so.1",
		"/usr/lib/*/nvidia/*/libnvidia-ml.so.1", NULL,
	};
	char path[PATH_MAX];

	return sw_doctor_find(doctor, patterns, path, sizeof(path)) > 0;
}

static void count_files(const struct sw_doctor *doctor, struct gpus *gpus)
{
	static const char *const nvidia[] = { "/dev/nvidia[0-9]*", NULL };
	static const char *const amd[] = { "/dev/kfd", NULL };
	char path[PATH_MAX];

	gpus->nvidia_files = sw_doctor_find(doctor, nvidia, path,
					    sizeof(path));
	gpus->amd_files = sw_doctor_find(doctor, amd, path, sizeof(path));
}

void sw_check_gpus(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	struct gpus gpus = { .nvidia_cards = 0 };

	count_cards(doctor, &gpus);
	count_files(doctor, &gpus);
	if (gpus.nvidia_cards && !gpus.nvidia_files)
		sw_answer_warn(answer, "no NVIDIA driver",
			       "%u NVIDIA cards, but no /dev/nvidia0: the "
			       "driver is not loaded, so jobs cannot use them",
			       gpus.nvidia_cards);
	else if (gpus.amd_cards && !gpus.amd_files)
		sw_answer_warn(answer, "no AMD driver",
			       "%u AMD cards, but no /dev/kfd: the driver is "
			       "not loaded, so jobs cannot use them",
			       gpus.amd_cards);
	else if (gpus.nvidia_files && !has_nvml(doctor))
		sw_answer_warn(answer, "no NVML",
			       "%zu NVIDIA GPUs, but no libnvidia-ml.so.1: "
			       "their use cannot be read", gpus.nvidia_files);
	else if (gpus.nvidia_files)
		sw_answer_ok(answer, "%zu NVIDIA GPUs, with NVML",
			     gpus.nvidia_files);
	else if (gpus.amd_files)
		sw_answer_ok(answer, "AMD GPUs, with /dev/kfd");
	else
		sw_answer_skip(answer, "no GPU", "no compute GPU here");
}
