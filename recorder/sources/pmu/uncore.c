/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find counters outside the cores and encode their events, from sysfs. */
#include "recorder/sources/pmu/uncore.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/kernel/kernfile.h"

enum { TEXT_SIZE = 256, TERM_SIZE = 32, BITS = 64 };

int sw_uncore_devices(int sys_fd)
{
	if (sys_fd < 0)
		return -1;
	return openat(sys_fd, "bus/event_source/devices",
		      O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Read a file with one line, without its newline. */
static int read_line(int fd, const char *path, char *text, size_t size)
{
	if (sw_kernfile_slurp(fd, path, text, size) != SW_READ_OK)
		return -1;
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

/* Parse "0,24" or "0-1"; ranges are expanded. */
static int parse_cpus(const char *text, struct sw_uncore_box *box)
{
	uint64_t first, last;

	do {
		if (sw_kern_parse_u64(&text, &first) < 0)
			return -1;
		last = first;
		if (*text == '-') {
			text++;
			if (sw_kern_parse_u64(&text, &last) < 0)
				return -1;
		}
		for (; first <= last; first++) {
			if (box->cpu_count == SW_UNCORE_CPUS_MAX)
				return -1;
			box->cpus[box->cpu_count++] = (int)first;
		}
	} while (*text++ == ',');
	return text[-1] == '\0' ? 0 : -1;
}

int sw_uncore_box_open(struct sw_uncore_box *box, int devices_fd,
		       const char *name)
{
	char text[TEXT_SIZE];
	const char *at = text;
	uint64_t type;

	memset(box, 0, sizeof(*box));
	box->fd = openat(devices_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (box->fd < 0)
		return -1;
	snprintf(box->name, sizeof(box->name), "%s", name);
	if (read_line(box->fd, "type", text, sizeof(text)) == 0 &&
	    sw_kern_parse_u64(&at, &type) == 0 && type <= UINT32_MAX &&
	    read_line(box->fd, "cpumask", text, sizeof(text)) == 0 &&
	    parse_cpus(text, box) == 0) {
		box->type = (uint32_t)type;
		return 0;
	}
	sw_uncore_box_close(box);
	return -1;
}

void sw_uncore_box_close(struct sw_uncore_box *box)
{
	if (box->fd >= 0)
		close(box->fd);
	box->fd = -1;
}

static uint64_t *word_of(struct perf_event_attr *attr, const char *name,
			 size_t length)
{
	if (length == 6 && !strncmp(name, "config", 6))
		return (uint64_t *)&attr->config;
	if (length == 7 && !strncmp(name, "config1", 7))
		return (uint64_t *)&attr->config1;
	if (length == 7 && !strncmp(name, "config2", 7))
		return (uint64_t *)&attr->config2;
	return NULL;
}

/* Distribute a value to bit ranges, lowest first: "config:0-7,21". */
static int place(struct perf_event_attr *attr, const char *format,
		 uint64_t value)
{
	size_t length = strcspn(format, ":");
	uint64_t *word = word_of(attr, format, length), first, last;

	if (!word || format[length] != ':')
		return -1;
	format += length;
	do {
		format++;
		if (sw_kern_parse_u64(&format, &first) < 0)
			return -1;
		last = first;
		if (*format == '-') {
			format++;
			if (sw_kern_parse_u64(&format, &last) < 0)
				return -1;
		}
		for (; first <= last && last < BITS; first++) {
			*word |= (value & 1) << first;
			value >>= 1;
		}
	} while (*format == ',');
	/* A truncated value would be another event. */
	return *format == '\0' && value == 0 ? 0 : -1;
}

/* Parse "umask=0x03"; a term without a value is 1. */
static int take_term(const struct sw_uncore_box *box, const char *term,
		     struct perf_event_attr *attr)
{
	size_t length = strcspn(term, "=");
	char path[TERM_SIZE + 8], format[TEXT_SIZE], *end;
	uint64_t value = 1;

	if (length == 0 || length >= TERM_SIZE)
		return -1;
	if (term[length] == '=') {
		errno = 0;
		value = strtoull(term + length + 1, &end, 0);
		if (errno || end == term + length + 1 || *end != '\0')
			return -1;
	}
	snprintf(path, sizeof(path), "format/%.*s", (int)length, term);
	if (read_line(box->fd, path, format, sizeof(format)) < 0)
		return -1;
	return place(attr, format, value);
}

int sw_uncore_encode(const struct sw_uncore_box *box, const char *terms,
		     struct perf_event_attr *attr)
{
	char text[TEXT_SIZE], *rest = text, *term;

	memset(attr, 0, sizeof(*attr));
	attr->type = box->type;
	if (strlen(terms) >= sizeof(text))
		return -1;
	strcpy(text, terms);
	while ((term = strsep(&rest, ",")) != NULL) {
		if (take_term(box, term, attr) < 0)
			return -1;
	}
	return 0;
}

/* Return the bytes per count, from the scale and unit used by perf. */
static double bytes_of(const struct sw_uncore_box *box, const char *name)
{
	char path[TEXT_SIZE], text[TEXT_SIZE], *end;
	double scale;

	snprintf(path, sizeof(path), "events/%s.unit", name);
	if (read_line(box->fd, path, text, sizeof(text)) < 0 ||
	    strcmp(text, "MiB") != 0)
		return NAN;
	snprintf(path, sizeof(path), "events/%s.scale", name);
	if (read_line(box->fd, path, text, sizeof(text)) < 0)
		return NAN;
	scale = strtod(text, &end);
	return end != text && *end == '\0' && scale > 0 ? scale * 0x1p20 : NAN;
}

int sw_uncore_event(const struct sw_uncore_box *box, const char *name,
		    struct perf_event_attr *attr, double *bytes)
{
	char path[SW_UNCORE_NAME_SIZE + 8], terms[TEXT_SIZE];

	snprintf(path, sizeof(path), "events/%s", name);
	if (read_line(box->fd, path, terms, sizeof(terms)) < 0 ||
	    sw_uncore_encode(box, terms, attr) < 0)
		return -1;
	*bytes = bytes_of(box, name);
	return 0;
}
