/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AMD GPUs, from the files of their driver (amdgpu) in /sys/class/drm; needs no
 * library.  Columns have the same names as in "gpu".
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/missing.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/sources/source.h"

enum {
	BUSY, MEMORY_BUSY, MEMORY_TOTAL, MEMORY_USED, POWER, POWER_LIMIT,
	TEMPERATURE, CLOCK_SM, CLOCK_MEM, ECC_CORRECTED, ECC_UNCORRECTED,
	COLUMNS
};

static const struct sw_column columns[COLUMNS] = {
	[BUSY] = { "utilization.gpu", "percent", SW_KIND_GAUGE,
		   "gpu_busy_percent." },
	[MEMORY_BUSY] = { "utilization.memory", "percent", SW_KIND_GAUGE,
			  "mem_busy_percent." },
	[MEMORY_TOTAL] = { "memory.total", "bytes", SW_KIND_GAUGE,
			   "mem_info_vram_total." },
	[MEMORY_USED] = { "memory.used", "bytes", SW_KIND_GAUGE,
			  "mem_info_vram_used, of all processes." },
	[POWER] = { "power.usage", "mW", SW_KIND_GAUGE,
		    "power1_average, otherwise power1_input." },
	[POWER_LIMIT] = { "power.limit", "mW", SW_KIND_GAUGE, "power1_cap." },
	[TEMPERATURE] = { "temperature.gpu", "celsius", SW_KIND_GAUGE,
			  "temp1_input." },
	[CLOCK_SM] = { "clocks.sm", "MHz", SW_KIND_GAUGE, "freq1_input." },
	[CLOCK_MEM] = { "clocks.mem", "MHz", SW_KIND_GAUGE, "freq2_input." },
	[ECC_CORRECTED] = { "ecc.corrected", "count", SW_KIND_COUNTER,
			    "ras/umc_err_count, ce." },
	[ECC_UNCORRECTED] = { "ecc.uncorrected", "count", SW_KIND_COUNTER,
			      "ras/umc_err_count, ue." },
};

enum {
	CARDS_MAX = 64,		/* cardN, N below this */
	PLACES_MAX = 16,	/* GPUs recorded */
	SENSORS_MAX = 256,	/* hwmonN, N below this */
	AMD = 0x1002,		/* PCI vendor (pci.ids) */
};

/* A file with one number, in the device's directory or that of its sensors */
struct number {
	const char *name;
	bool is_sensor;
	size_t column;
	uint64_t divisor;	/* to get the column's unit */
};

/* The first existing file of a column is used. */
static const struct number numbers[] = {
	{ "gpu_busy_percent", false, BUSY, 1 },
	{ "mem_busy_percent", false, MEMORY_BUSY, 1 },
	{ "mem_info_vram_total", false, MEMORY_TOTAL, 1 },
	{ "mem_info_vram_used", false, MEMORY_USED, 1 },
	{ "power1_average", true, POWER, 1000 },	/* microwatts */
	{ "power1_input", true, POWER, 1000 },
	{ "power1_cap", true, POWER_LIMIT, 1000 },
	{ "temp1_input", true, TEMPERATURE, 1000 },	/* millidegrees */
	{ "freq1_input", true, CLOCK_SM, 1000000 },	/* Hz */
	{ "freq2_input", true, CLOCK_MEM, 1000000 },
};

enum { NUMBERS = sizeof(numbers) / sizeof(numbers[0]) };

struct card {
	unsigned int number;	/* N of cardN */
	char id[64], model[64];
	struct sw_kernfile files[NUMBERS];
	struct sw_kernfile errors;
};

struct state {
	size_t count;
	struct card cards[PLACES_MAX];
};

static int open_folder(int dirfd, const char *name)
{
	/* "device" is a symlink, as in all class directories. */
	return openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Return the directory of the card's sensors, or -1. */
static int open_sensors(int device)
{
	char name[32];
	int fd, i;

	for (i = 0; i < SENSORS_MAX; i++) {
		snprintf(name, sizeof(name), "hwmon/hwmon%d", i);
		if (faccessat(device, name, F_OK, 0) == 0 &&
		    (fd = open_folder(device, name)) >= 0)
			return fd;
	}
	return -1;
}

static bool is_amd(int device)
{
	char text[16];

	return sw_kernfile_slurp(device, "vendor", text, sizeof(text)) ==
		       SW_READ_OK && strtol(text, NULL, 16) == AMD;
}

/* Read a line without its newline; "" if not available. */
static void read_line(int device, const char *name, char *text, size_t size)
{
	if (sw_kernfile_slurp(device, name, text, size) != SW_READ_OK)
		text[0] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

static void open_files(struct card *card, int device)
{
	int sensors = open_sensors(device);
	size_t i;

	for (i = 0; i < NUMBERS; i++)
		sw_kernfile_open(&card->files[i],
				 numbers[i].is_sensor ? sensors : device,
				 numbers[i].name);
	sw_kernfile_open(&card->errors, device, "ras/umc_err_count");
	if (sensors >= 0)
		close(sensors);
}

static void close_files(struct card *card)
{
	size_t i;

	for (i = 0; i < NUMBERS; i++)
		sw_kernfile_close(&card->files[i]);
	sw_kernfile_close(&card->errors);
}

/* Ignore cards that have neither utilization nor memory size. */
static void open_card(struct state *state, int sys_fd, unsigned int number)
{
	struct card *card = &state->cards[state->count];
	char name[40];
	int device;

	snprintf(name, sizeof(name), "class/drm/card%u/device", number);
	device = open_folder(sys_fd, name);
	if (device < 0)
		return;
	if (is_amd(device)) {
		card->number = number;
		read_line(device, "unique_id", card->id, sizeof(card->id));
		read_line(device, "product_name", card->model,
			  sizeof(card->model));
		open_files(card, device);
		if (card->files[BUSY].fd >= 0 &&
		    card->files[MEMORY_TOTAL].fd >= 0)
			state->count++;
		else
			close_files(card);
	}
	close(device);
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;
	unsigned int i;

	if (target->sys_fd < 0)
		return SW_READ_ABSENT;
	for (i = 0; i < CARDS_MAX && state->count < PLACES_MAX; i++)
		open_card(state, target->sys_fd, i);
	return state->count ? SW_READ_OK : SW_READ_ABSENT;
}

static void read_errors(const struct card *card, uint64_t *values)
{
	static const struct sw_kernkey keys[] = {
		{ "ce:", ECC_CORRECTED }, { "ue:", ECC_UNCORRECTED },
	};

	sw_kernfile_keyed(&card->errors, keys, 2, values);
}

static void read_card(const struct card *card, uint64_t *values)
{
	size_t i;

	for (i = 0; i < NUMBERS; i++) {
		uint64_t *value = &values[numbers[i].column], number;

		if (sw_is_missing(*value) &&
		    sw_kernfile_number(&card->files[i], &number) ==
			    SW_READ_OK && !sw_is_missing(number))
			*value = number / numbers[i].divisor;
	}
	if (!sw_is_missing(values[BUSY]) && values[BUSY] > 100)
		values[BUSY] = SW_MISSING;
	if (!sw_is_missing(values[MEMORY_BUSY]) && values[MEMORY_BUSY] > 100)
		values[MEMORY_BUSY] = SW_MISSING;
	read_errors(card, values);
}

static bool is_empty(const uint64_t *values)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		if (!sw_is_missing(values[i]))
			return false;
	}
	return true;
}

static enum sw_read_status read_rows(void *memory,
				     const struct sw_target *target,
				     struct sw_rows *rows)
{
	struct state *state = memory;
	size_t i, silent = 0;

	(void)target;
	for (i = 0; i < state->count; i++) {
		uint64_t *values = sw_rows_add(rows, i);

		if (!values)
			continue;
		read_card(&state->cards[i], values);
		silent += is_empty(values);
	}
	return silent < state->count ? SW_READ_OK : SW_READ_GARBAGE;
}

static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	const struct state *state = memory;
	const struct card *card;

	if (index >= state->count)
		return false;
	card = &state->cards[index];
	memset(subject, 0, sizeof(*subject));
	snprintf(subject->kind, sizeof(subject->kind), "gpu");
	snprintf(subject->name, sizeof(subject->name), "card%u", card->number);
	snprintf(subject->detail, sizeof(subject->detail), "%s, %s",
		 card->model[0] ? card->model : "AMD",
		 card->id[0] ? card->id : "?");
	return true;
}

static void close_source(void *memory)
{
	struct state *state = memory;
	size_t i;

	for (i = 0; i < state->count; i++)
		close_files(&state->cards[i]);
	state->count = 0;
}

/* Check for the driver without blocking. */
static bool is_there(void)
{
	return access("/sys/module/amdgpu", F_OK) == 0;
}

const struct sw_source sw_src_gpu_amd = {
	.name = "gpu_amd",
	.backend = "sysfs",
	.scope = SW_SCOPE_NODE,
	.cadence = SW_EVERY_PERIOD,
	/* Readers have to wait while the driver resets the GPU. */
	.is_out_of_process = true,
	.is_there = is_there,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.rows_max = PLACES_MAX,
	.read_rows = read_rows,
	.describe = describe,
	.absence = "no AMD GPU on this node",
	.close = close_source,
};
