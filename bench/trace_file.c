/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of recorded traces.
 *
 * Reading fails if a file is not a trace or is shorter than it states.
 */
#include "bench/trace_file.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "SWTRACE1" as bytes of the file. */
static const uint64_t trace_magic = 0x3145434152545753u;

enum { WORDS_AT_ONCE = 4096 };

const struct sw_column trace_file_time_column = {
	.name = "time_usec", .unit = "usec", .kind = SW_KIND_TIME,
};

static int read_all(int fd, void *buffer, size_t size)
{
	char *to = buffer;

	while (size > 0) {
		ssize_t got = read(fd, to, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			if (got == 0)
				errno = ENODATA;
			return -1;
		}
		to += got;
		size -= (size_t)got;
	}
	return 0;
}

static int write_all(int fd, const void *buffer, size_t size)
{
	const char *from = buffer;

	while (size > 0) {
		ssize_t put = write(fd, from, size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -1;
		from += put;
		size -= (size_t)put;
	}
	return 0;
}

static int read_header(int fd, struct trace *trace, struct sw_error *error)
{
	struct trace_file_header header;

	if (read_all(fd, &header, sizeof(header)) < 0)
		return sw_error_errno(error, "the header cannot be read");
	if (le64toh(header.magic) != trace_magic) {
		errno = EINVAL;
		return sw_error_set(error, "this is not a trace");
	}
	trace->period_usec = le64toh(header.period_usec);
	trace->tick_count = le64toh(header.tick_count);
	trace->task_count = le64toh(header.task_count);
	trace->column_count = le64toh(header.column_count);
	if (trace->column_count == 0 ||
	    trace->column_count > TRACE_COLUMNS_MAX ||
	    trace->task_count == 0 || trace->task_count > UINT16_MAX ||
	    trace->tick_count == 0 || trace->tick_count > UINT32_MAX) {
		errno = EINVAL;
		return sw_error_set(error, "the header is out of range");
	}
	return 0;
}

static int read_columns(int fd, struct trace *trace, struct sw_error *error)
{
	size_t size = trace->column_count * sizeof(*trace->stored_columns);

	trace->stored_columns = malloc(size);
	if (trace->stored_columns == NULL ||
	    read_all(fd, trace->stored_columns, size) < 0)
		return sw_error_errno(error, "the columns cannot be read");
	for (uint64_t i = 0; i < trace->column_count; i++) {
		struct trace_file_column *stored = &trace->stored_columns[i];
		uint64_t kind = le64toh(stored->kind);

		stored->name[TRACE_NAME_SIZE - 1] = '\0';
		stored->unit[TRACE_UNIT_SIZE - 1] = '\0';
		if (kind < SW_KIND_COUNTER || kind > SW_KIND_TIME) {
			errno = EINVAL;
			return sw_error_set(error, "column %llu has no kind",
					    (unsigned long long)i);
		}
		trace->columns[i].name = stored->name;
		trace->columns[i].unit = stored->unit;
		trace->columns[i].kind = (enum sw_kind)kind;
	}
	return 0;
}

static int read_values(int fd, struct trace *trace, struct sw_error *error)
{
	uint64_t count = trace->tick_count * trace->task_count *
		trace->column_count;
	uint64_t size = count * sizeof(*trace->values);
	off_t begin = lseek(fd, 0, SEEK_CUR);
	struct stat status;

	if (begin < 0 || fstat(fd, &status) < 0)
		return sw_error_errno(error, "its size is not known");
	if ((uint64_t)status.st_size - (uint64_t)begin != size) {
		errno = EINVAL;
		return sw_error_set(error, "not of the size its header says");
	}
	trace->values = malloc(size);
	if (trace->values == NULL || read_all(fd, trace->values, size) < 0)
		return sw_error_errno(error, "the values cannot be read");
	for (uint64_t i = 0; i < count; i++)
		trace->values[i] = le64toh(trace->values[i]);
	return 0;
}

int trace_file_read(const char *path, struct trace *trace,
		    struct sw_error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int result = -1;

	memset(trace, 0, sizeof(*trace));
	if (fd < 0)
		return sw_error_errno(error, "the trace cannot be opened");
	if (read_header(fd, trace, error) == 0 &&
	    read_columns(fd, trace, error) == 0 &&
	    read_values(fd, trace, error) == 0)
		result = 0;
	else
		trace_file_free(trace);
	close(fd);
	return result;
}

void trace_file_free(struct trace *trace)
{
	int saved_errno = errno;

	free(trace->values);
	free(trace->stored_columns);
	memset(trace, 0, sizeof(*trace));
	errno = saved_errno;
}

static int write_columns(int fd, const struct trace *trace)
{
	for (uint64_t i = 0; i < trace->column_count; i++) {
		const struct sw_column *column = &trace->columns[i];
		struct trace_file_column stored = {
			.kind = htole64((uint64_t)column->kind),
		};

		snprintf(stored.name, sizeof(stored.name), "%s", column->name);
		snprintf(stored.unit, sizeof(stored.unit), "%s", column->unit);
		if (write_all(fd, &stored, sizeof(stored)) < 0)
			return -1;
	}
	return 0;
}

int trace_file_write_header(int fd, const struct trace *trace)
{
	const struct trace_file_header header = {
		.magic = htole64(trace_magic),
		.period_usec = htole64(trace->period_usec),
		.tick_count = htole64(trace->tick_count),
		.task_count = htole64(trace->task_count),
		.column_count = htole64(trace->column_count),
	};

	if (lseek(fd, 0, SEEK_SET) < 0 ||
	    write_all(fd, &header, sizeof(header)) < 0)
		return -1;
	return write_columns(fd, trace);
}

int trace_file_write_values(int fd, const uint64_t *values, size_t count)
{
	uint64_t words[WORDS_AT_ONCE];

	while (count > 0) {
		size_t now = count < WORDS_AT_ONCE ? count : WORDS_AT_ONCE;

		for (size_t i = 0; i < now; i++)
			words[i] = htole64(values[i]);
		if (write_all(fd, words, now * sizeof(*words)) < 0)
			return -1;
		values += now;
		count -= now;
	}
	return 0;
}
