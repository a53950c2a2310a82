/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of a process, read from files that stay open.
 *
 * Opening fails if the process is gone; later, unreadable values are missing.
 */
#include "bench/trace_sample.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_SIZE = 8192 };

enum source {
	STAT,		/* words after the program's name */
	SCHEDSTAT,	/* words */
	IO,		/* lines of "key: number" */
	STATUS,
	SMAPS_ROLLUP,
	CPU_PRESSURE,	/* lines of "key ... total=number" */
	MEMORY_PRESSURE,
	IO_PRESSURE,
	FD,		/* entries of the folder */
	SOURCE_COUNT,
};

enum form { WORDS, KEYS, TOTALS };

static const struct {
	const char *path;
	bool is_of_node;
	enum form form;
} sources[FD] = {
	[STAT] = { .path = "stat", .form = WORDS },
	[SCHEDSTAT] = { .path = "schedstat", .form = WORDS },
	[IO] = { .path = "io", .form = KEYS },
	[STATUS] = { .path = "status", .form = KEYS },
	[SMAPS_ROLLUP] = { .path = "smaps_rollup", .form = KEYS },
	[CPU_PRESSURE] = { .path = "/proc/pressure/cpu", .is_of_node = true,
			   .form = TOTALS },
	[MEMORY_PRESSURE] = { .path = "/proc/pressure/memory",
			      .is_of_node = true, .form = TOTALS },
	[IO_PRESSURE] = { .path = "/proc/pressure/io", .is_of_node = true,
			  .form = TOTALS },
};

/* word is the index of a word, from 0; key is for the other forms. */
struct field {
	const char *name;
	const char *unit;
	enum sw_kind kind;
	enum source source;
	const char *key;
	unsigned int word;
};

static const struct field fields[TRACE_SAMPLE_COLUMNS] = {
	{ "minflt", "count", SW_KIND_COUNTER, STAT, NULL, 7 },
	{ "majflt", "count", SW_KIND_COUNTER, STAT, NULL, 9 },
	{ "utime", "ticks", SW_KIND_COUNTER, STAT, NULL, 11 },
	{ "stime", "ticks", SW_KIND_COUNTER, STAT, NULL, 12 },
	{ "num_threads", "count", SW_KIND_GAUGE, STAT, NULL, 17 },
	{ "vsize", "bytes", SW_KIND_GAUGE, STAT, NULL, 20 },
	{ "rss", "pages", SW_KIND_GAUGE, STAT, NULL, 21 },
	{ "processor", "", SW_KIND_STATE, STAT, NULL, 36 },
	{ "delayacct_blkio_ticks", "ticks", SW_KIND_COUNTER, STAT, NULL, 39 },
	{ "run_nsec", "nsec", SW_KIND_COUNTER, SCHEDSTAT, NULL, 0 },
	{ "run_queue_wait_nsec", "nsec", SW_KIND_COUNTER, SCHEDSTAT, NULL, 1 },
	{ "timeslices", "count", SW_KIND_COUNTER, SCHEDSTAT, NULL, 2 },
	{ "rchar", "bytes", SW_KIND_COUNTER, IO, "rchar", 0 },
	{ "wchar", "bytes", SW_KIND_COUNTER, IO, "wchar", 0 },
	{ "syscr", "count", SW_KIND_COUNTER, IO, "syscr", 0 },
	{ "syscw", "count", SW_KIND_COUNTER, IO, "syscw", 0 },
	{ "read_bytes", "bytes", SW_KIND_COUNTER, IO, "read_bytes", 0 },
	{ "write_bytes", "bytes", SW_KIND_COUNTER, IO, "write_bytes", 0 },
	{ "cancelled_write_bytes", "bytes", SW_KIND_COUNTER, IO,
	  "cancelled_write_bytes", 0 },
	{ "vm_hwm", "KiB", SW_KIND_PEAK, STATUS, "VmHWM", 0 },
	{ "rss_anon", "KiB", SW_KIND_GAUGE, STATUS, "RssAnon", 0 },
	{ "rss_file", "KiB", SW_KIND_GAUGE, STATUS, "RssFile", 0 },
	{ "rss_shmem", "KiB", SW_KIND_GAUGE, STATUS, "RssShmem", 0 },
	{ "vm_pte", "KiB", SW_KIND_GAUGE, STATUS, "VmPTE", 0 },
	{ "voluntary_ctxt_switches", "count", SW_KIND_COUNTER, STATUS,
	  "voluntary_ctxt_switches", 0 },
	{ "nonvoluntary_ctxt_switches", "count", SW_KIND_COUNTER, STATUS,
	  "nonvoluntary_ctxt_switches", 0 },
	{ "pss", "KiB", SW_KIND_GAUGE, SMAPS_ROLLUP, "Pss", 0 },
	{ "pss_anon", "KiB", SW_KIND_GAUGE, SMAPS_ROLLUP, "Pss_Anon", 0 },
	{ "pss_file", "KiB", SW_KIND_GAUGE, SMAPS_ROLLUP, "Pss_File", 0 },
	{ "shared_clean", "KiB", SW_KIND_GAUGE, SMAPS_ROLLUP,
	  "Shared_Clean", 0 },
	{ "private_clean", "KiB", SW_KIND_GAUGE, SMAPS_ROLLUP,
	  "Private_Clean", 0 },
	{ "private_dirty", "KiB", SW_KIND_GAUGE, SMAPS_ROLLUP,
	  "Private_Dirty", 0 },
	{ "referenced", "KiB", SW_KIND_GAUGE, SMAPS_ROLLUP, "Referenced", 0 },
	{ "open_files", "count", SW_KIND_GAUGE, FD, NULL, 0 },
	{ "cpu.some.total", "usec", SW_KIND_COUNTER, CPU_PRESSURE,
	  "some", 0 },
	{ "cpu.full.total", "usec", SW_KIND_COUNTER, CPU_PRESSURE,
	  "full", 0 },
	{ "memory.some.total", "usec", SW_KIND_COUNTER, MEMORY_PRESSURE,
	  "some", 0 },
	{ "memory.full.total", "usec", SW_KIND_COUNTER, MEMORY_PRESSURE,
	  "full", 0 },
	{ "io.some.total", "usec", SW_KIND_COUNTER, IO_PRESSURE, "some", 0 },
	{ "io.full.total", "usec", SW_KIND_COUNTER, IO_PRESSURE, "full", 0 },
};

struct trace_sampler {
	int fds[FD];	/* -1 if the kernel has no such file */
	DIR *fd_folder;
};

void trace_sample_columns(struct sw_column columns[TRACE_SAMPLE_COLUMNS])
{
	for (size_t i = 0; i < TRACE_SAMPLE_COLUMNS; i++)
		columns[i] = (struct sw_column){
			.name = fields[i].name,
			.unit = fields[i].unit,
			.kind = fields[i].kind,
		};
}

struct trace_sampler *trace_sample_open(pid_t pid)
{
	struct trace_sampler *sampler = calloc(1, sizeof(*sampler));
	char path[64];

	if (sampler == NULL)
		return NULL;
	for (size_t i = 0; i < FD; i++) {
		if (sources[i].is_of_node)
			snprintf(path, sizeof(path), "%s", sources[i].path);
		else
			snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid,
				 sources[i].path);
		sampler->fds[i] = open(path, O_RDONLY | O_CLOEXEC);
	}
	snprintf(path, sizeof(path), "/proc/%ld/fd", (long)pid);
	sampler->fd_folder = opendir(path);
	if (sampler->fds[STAT] < 0) {
		trace_sample_close(sampler);
		errno = ESRCH;
		return NULL;
	}
	return sampler;
}

void trace_sample_close(struct trace_sampler *sampler)
{
	if (sampler == NULL)
		return;
	for (size_t i = 0; i < FD; i++)
		if (sampler->fds[i] >= 0)
			close(sampler->fds[i]);
	if (sampler->fd_folder != NULL)
		closedir(sampler->fd_folder);
	free(sampler);
}

/* Return the text or NULL; that of stat starts after the program's name. */
static const char *read_text(const struct trace_sampler *sampler,
			     enum source source, char *text)
{
	const char *name_end;
	ssize_t got;

	if (sampler->fds[source] < 0)
		return NULL;
	got = pread(sampler->fds[source], text, TEXT_SIZE - 1, 0);
	if (got <= 0)
		return NULL;
	text[got] = '\0';
	if (source != STAT)
		return text;
	name_end = strrchr(text, ')');
	return name_end == NULL ? NULL : name_end + 1;
}

static uint64_t parse_number(const char *text)
{
	char *end;
	uint64_t value;

	text += strspn(text, " \t");
	if (*text < '0' || *text > '9')
		return SW_MISSING;
	value = strtoull(text, &end, 10);
	return end == text ? SW_MISSING : value;
}

static uint64_t find_word(const char *text, unsigned int word)
{
	text += strspn(text, " ");
	for (; word > 0 && *text != '\0'; word--) {
		text += strcspn(text, " \n");
		text += strspn(text, " \n");
	}
	return parse_number(text);
}

/* Return the text after the key at the start of a line, or NULL. */
static const char *find_line(const char *text, const char *key)
{
	size_t length = strlen(key);

	while (text != NULL) {
		if (strncmp(text, key, length) == 0 &&
		    (text[length] == ':' || text[length] == ' '))
			return text + length + 1;
		text = strchr(text, '\n');
		if (text != NULL)
			text++;
	}
	return NULL;
}

static uint64_t find_key(const char *text, const char *key)
{
	const char *line = find_line(text, key);

	return line == NULL ? SW_MISSING : parse_number(line);
}

static uint64_t find_total(const char *text, const char *key)
{
	static const char total[] = "total=";
	const char *line = find_line(text, key);

	if (line != NULL)
		line = strstr(line, total);
	return line == NULL ? SW_MISSING :
		parse_number(line + strlen(total));
}

static uint64_t find_value(const char *text, const struct field *field)
{
	if (text == NULL)
		return SW_MISSING;
	switch (sources[field->source].form) {
	case WORDS:
		return find_word(text, field->word);
	case KEYS:
		return find_key(text, field->key);
	case TOTALS:
		return find_total(text, field->key);
	}
	return SW_MISSING;
}

static uint64_t count_open_files(DIR *folder)
{
	const struct dirent *entry;
	uint64_t count = 0;

	if (folder == NULL)
		return SW_MISSING;
	rewinddir(folder);
	while ((entry = readdir(folder)) != NULL)
		if (entry->d_name[0] != '.')
			count++;
	return count;
}

/* Fields of one source are adjacent, so each file is read once. */
void trace_sample_take(struct trace_sampler *sampler,
		       uint64_t values[TRACE_SAMPLE_COLUMNS])
{
	char buffer[TEXT_SIZE];
	const char *text = NULL;
	enum source last = SOURCE_COUNT;

	for (size_t i = 0; i < TRACE_SAMPLE_COLUMNS; i++) {
		const struct field *field = &fields[i];

		if (field->source == FD) {
			values[i] = count_open_files(sampler->fd_folder);
			continue;
		}
		if (field->source != last)
			text = read_text(sampler, field->source, buffer);
		last = field->source;
		values[i] = find_value(text, field);
	}
}
