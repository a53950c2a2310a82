/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A topology as lines of text. */
#include "recorder/topology/topology_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/missing.h"

static const char magic[] = "stepwell topology 2";

static void put_number(FILE *file, uint64_t number)
{
	if (sw_is_missing(number))
		fputs(" -", file);
	else
		fprintf(file, " %" PRIu64, number);
}

static void put_all(const struct sw_topology *topology, const char *key,
		    FILE *file)
{
	size_t i;

	fprintf(file, "%s\nkey %s\nsource %s\nreason %s\ndigest %s\n"
		"model %s\nunits %zu\n", magic, key, topology->source,
		topology->reason, topology->digest, topology->cpu_model,
		topology->pu_count);
	for (i = 0; i < topology->pu_count; i++) {
		const struct sw_topology_pu *pu = &topology->pus[i];

		fprintf(file, "unit %" PRIu64, pu->pu);
		put_number(file, pu->core);
		put_number(file, pu->l3);
		put_number(file, pu->numa);
		put_number(file, pu->package);
		fputc('\n', file);
	}
	for (i = 0; i < topology->device_count; i++) {
		const struct sw_topology_device *device = &topology->device[i];

		fprintf(file, "device %s", device->address);
		put_number(file, device->class_code);
		put_number(file, device->vendor);
		put_number(file, device->device);
		put_number(file, device->numa);
		fputc('\n', file);
	}
	fprintf(file, "end %" PRIu64 "\n", topology->skipped_devices);
}

int sw_topology_text_write(const struct sw_topology *topology,
			   const char *key, int fd)
{
	int copy = dup(fd);
	FILE *file = copy < 0 ? NULL : fdopen(copy, "w");

	if (!file) {
		if (copy >= 0)
			close(copy);
		return -1;
	}
	put_all(topology, key, file);
	return fclose(file) == 0 ? 0 : -1;
}

/* Return the next line without its newline, or NULL at the end. */
static char *next_line(char **text)
{
	char *line = *text, *end = strchr(line, '\n');

	if (!end)
		return NULL;
	*end = '\0';
	*text = end + 1;
	return line;
}

/* Return the text after word in the next line, or NULL if it has another. */
static char *next_value(char **text, const char *word)
{
	char *line = next_line(text);
	size_t length = strlen(word);

	if (!line || strncmp(line, word, length) || line[length] != ' ')
		return NULL;
	return line + length + 1;
}

/* Parse exactly count numbers or "-", separated by single spaces. */
static int take_numbers(char *at, uint64_t *numbers, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		char *end = at + 1;

		if (i > 0 && *at++ != ' ')
			return -1;
		if (*at == '-') {
			numbers[i] = SW_MISSING;
			end = at + 1;
		} else if (*at >= '0' && *at <= '9') {
			numbers[i] = strtoull(at, &end, 10);
		} else {
			return -1;
		}
		at = end;
	}
	return *at == '\0' ? 0 : -1;
}

static int take_text(char *out, size_t size, const char *value)
{
	if (!value || strlen(value) >= size)
		return -1;
	strcpy(out, value);
	return 0;
}

static int parse_units(struct sw_topology *topology, char **text)
{
	char *value = next_value(text, "units");
	uint64_t count, numbers[5];
	size_t i;

	if (!value || take_numbers(value, &count, 1) < 0 || count == 0 ||
	    count > SW_CPUS_MAX || sw_topology_reserve(topology, count) < 0)
		return -1;
	for (i = 0; i < count; i++) {
		value = next_value(text, "unit");
		if (!value || take_numbers(value, numbers, 5) < 0 ||
		    numbers[0] >= SW_CPUS_MAX ||
		    (i > 0 && numbers[0] <= topology->pus[i - 1].pu))
			return -1;
		topology->pus[i] = (struct sw_topology_pu){
			numbers[0], numbers[1], numbers[2], numbers[3],
			numbers[4] };
	}
	return 0;
}

static int parse_device(struct sw_topology *topology, char *value)
{
	struct sw_topology_device *device;
	char *numbers = strchr(value, ' ');
	uint64_t number[4];

	if (!numbers || topology->device_count == SW_TOPOLOGY_DEVICES_MAX)
		return -1;
	*numbers = '\0';
	device = &topology->device[topology->device_count];
	if (take_text(device->address, sizeof(device->address), value) < 0 ||
	    take_numbers(numbers + 1, number, 4) < 0)
		return -1;
	device->class_code = number[0];
	device->vendor = number[1];
	device->device = number[2];
	device->numa = number[3];
	topology->device_count++;
	return 0;
}

/* Parse the devices, and the last line, which shows that nothing is missing. */
static int parse_devices(struct sw_topology *topology, char **text)
{
	char *line;

	while ((line = next_line(text))) {
		if (!strncmp(line, "end ", 4))
			return **text ? -1 :
			       take_numbers(line + 4,
					    &topology->skipped_devices, 1);
		if (strncmp(line, "device ", 7) != 0 ||
		    parse_device(topology, line + 7) < 0)
			return -1;
	}
	return -1;
}

int sw_topology_text_parse(struct sw_topology *topology, const char *key,
			   char *text)
{
	char *line = next_line(&text), *value;

	memset(topology, 0, sizeof(*topology));
	if (!line || strcmp(line, magic) != 0)
		return -1;
	value = next_value(&text, "key");
	if (!value || strcmp(value, key) != 0 ||
	    take_text(topology->source, sizeof(topology->source),
		      next_value(&text, "source")) < 0 ||
	    take_text(topology->reason, sizeof(topology->reason),
		      next_value(&text, "reason")) < 0 ||
	    take_text(topology->digest, sizeof(topology->digest),
		      next_value(&text, "digest")) < 0 ||
	    take_text(topology->cpu_model, sizeof(topology->cpu_model),
		      next_value(&text, "model")) < 0 ||
	    parse_units(topology, &text) < 0 ||
	    parse_devices(topology, &text) < 0) {
		sw_topology_fini(topology);
		return -1;
	}
	return 0;
}
