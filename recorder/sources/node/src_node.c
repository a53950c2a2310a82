/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The node as a whole, including all users: CPU time, memory, load and
 * pressure, to compare a step with.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/units.h"
#include "recorder/kernel/kernlines.h"
#include "recorder/sources/source.h"

enum {
	USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, TIMES,
	PROCS_RUNNING = TIMES, PROCS_BLOCKED, LOAD, MEM_TOTAL, MEM_AVAILABLE,
	SWAP_TOTAL, SWAP_FREE, DIRTY, CPU_SOME, MEMORY_SOME, MEMORY_FULL,
	IO_SOME, IO_FULL, COLUMNS,
};

static const struct sw_column columns[COLUMNS] = {
	[USER] = { "user_usec", "usec", SW_KIND_COUNTER,
		   "CPU time in user mode, summed over the CPUs." },
	[NICE] = { "nice_usec", "usec", SW_KIND_COUNTER,
		   "CPU time in user mode at low priority." },
	[SYSTEM] = { "system_usec", "usec", SW_KIND_COUNTER,
		     "CPU time in the kernel." },
	[IDLE] = { "idle_usec", "usec", SW_KIND_COUNTER,
		   "Idle CPU time." },
	[IOWAIT] = { "iowait_usec", "usec", SW_KIND_COUNTER,
		     "Idle CPU time while a task of that CPU waited for I/O." },
	[IRQ] = { "irq_usec", "usec", SW_KIND_COUNTER,
		  "CPU time in interrupts." },
	[SOFTIRQ] = { "softirq_usec", "usec", SW_KIND_COUNTER,
		      "CPU time in soft interrupts." },
	[STEAL] = { "steal_usec", "usec", SW_KIND_COUNTER,
		    "CPU time stolen by the hypervisor." },
	[PROCS_RUNNING] = { "procs_running", "count", SW_KIND_GAUGE,
			    "Runnable threads." },
	[PROCS_BLOCKED] = { "procs_blocked", "count", SW_KIND_GAUGE,
			    "Threads blocked on I/O." },
	[LOAD] = { "load_milli", "1/1000", SW_KIND_GAUGE,
		   "Load average over one minute." },
	[MEM_TOTAL] = { "mem_total_bytes", "bytes", SW_KIND_GAUGE,
			"Memory of the node." },
	[MEM_AVAILABLE] = { "mem_available_bytes", "bytes", SW_KIND_GAUGE,
			    "Memory available without swapping." },
	[SWAP_TOTAL] = { "swap_total_bytes", "bytes", SW_KIND_GAUGE,
			 "Swap space of the node." },
	[SWAP_FREE] = { "swap_free_bytes", "bytes", SW_KIND_GAUGE,
			"Free swap space." },
	[DIRTY] = { "dirty_bytes", "bytes", SW_KIND_GAUGE,
		    "File pages waiting to be written." },
	[CPU_SOME] = { "cpu.some.total", "usec", SW_KIND_COUNTER,
		       "Pressure: some tasks waited for a CPU." },
	[MEMORY_SOME] = { "memory.some.total", "usec", SW_KIND_COUNTER,
			  "Pressure: some tasks waited for memory." },
	[MEMORY_FULL] = { "memory.full.total", "usec", SW_KIND_COUNTER,
			  "Pressure: all tasks waited for memory." },
	[IO_SOME] = { "io.some.total", "usec", SW_KIND_COUNTER,
		      "Pressure: some tasks waited for I/O." },
	[IO_FULL] = { "io.full.total", "usec", SW_KIND_COUNTER,
		      "Pressure: all tasks waited for I/O." },
};

/* The last three are pressure files, if enabled. */
enum { STAT, LOADAVG, MEMINFO, CPU, MEMORY, IO, FILES };

struct state {
	struct sw_kernfile file[FILES];
	struct sw_kernlines lines;
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;
	int fd = target->proc_fd;

	sw_kernfile_open(&state->file[LOADAVG], fd, "loadavg");
	sw_kernfile_open(&state->file[MEMINFO], fd, "meminfo");
	sw_kernfile_open(&state->file[CPU], fd, "pressure/cpu");
	sw_kernfile_open(&state->file[MEMORY], fd, "pressure/memory");
	sw_kernfile_open(&state->file[IO], fd, "pressure/io");
	return sw_kernfile_open(&state->file[STAT], fd, "stat");
}

/* "cpu 1 2 3 4 5 6 7 8 ...", in ticks; fewer before Linux 2.6.11 */
static int take_times(const char *p, uint64_t *values)
{
	size_t i;

	if (sw_kern_next_u64s(&p, values, TIMES) < 0)
		return -1;
	for (i = 0; i < TIMES; i++)
		values[i] = sw_clock_ticks_usec(values[i]);
	return 0;
}

static int take_stat_line(const char *line, uint64_t *values)
{
	static const struct {
		const char *key;
		size_t column;
	} keys[] = {
		{ "procs_running ", PROCS_RUNNING },
		{ "procs_blocked ", PROCS_BLOCKED },
	};
	size_t i;

	if (!strncmp(line, "cpu ", 4))
		return take_times(line + 4, values);
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t length = strlen(keys[i].key);
		const char *p = line + length;

		if (!strncmp(line, keys[i].key, length))
			return sw_kern_next_u64(&p,
						&values[keys[i].column]);
	}
	return 0;
}

static enum sw_read_status read_stat(struct state *state, uint64_t *values)
{
	enum sw_read_status status;
	char *line;

	sw_kernlines_begin(&state->lines, &state->file[STAT]);
	for (;;) {
		status = sw_kernlines_next(&state->lines, &line);
		if (status != SW_READ_OK)
			return status;
		if (!line)
			return sw_is_missing(values[USER]) ? SW_READ_GARBAGE :
							     SW_READ_OK;
		if (take_stat_line(line, values) < 0)
			return SW_READ_GARBAGE;
	}
}

/* "0.43 1.42 ..." */
static void read_load(const struct sw_kernfile *file, uint64_t *milli)
{
	char text[128];
	const char *p = text;
	uint64_t whole, cents;

	if (sw_kernfile_read(file, text, sizeof(text)) != SW_READ_OK ||
	    sw_kern_parse_u64(&p, &whole) < 0 || *p++ != '.' ||
	    sw_kern_parse_u64(&p, &cents) < 0 || cents > 99 || whole > 1000000)
		return;
	*milli = whole * 1000 + cents * 10;
}

/* "MemAvailable:   12345 kB" */
static void read_meminfo(const struct sw_kernfile *file, uint64_t *values)
{
	static const struct {
		const char *key;
		size_t column;
	} keys[] = {
		{ "MemTotal:", MEM_TOTAL },
		{ "MemAvailable:", MEM_AVAILABLE },
		{ "SwapTotal:", SWAP_TOTAL },
		{ "SwapFree:", SWAP_FREE },
		{ "Dirty:", DIRTY },
	};
	char text[8192];
	uint64_t kib;
	size_t i;

	if (sw_kernfile_read(file, text, sizeof(text)) != SW_READ_OK)
		return;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *p = strstr(text, keys[i].key);

		if (!p || (p != text && p[-1] != '\n'))
			continue;
		p += strlen(keys[i].key);
		if (sw_kern_next_u64(&p, &kib) == 0 && !strncmp(p, " kB", 3))
			values[keys[i].column] = kib * SW_KIB;
	}
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       uint64_t *values)
{
	struct state *state = memory;
	enum sw_read_status status = read_stat(state, values);
	uint64_t cpu_full = SW_MISSING;

	(void)target;
	if (status != SW_READ_OK) {
		sw_set_missing(values, COLUMNS);
		return status;
	}
	read_load(&state->file[LOADAVG], &values[LOAD]);
	read_meminfo(&state->file[MEMINFO], values);
	sw_kernfile_pressure(&state->file[CPU], &values[CPU_SOME], &cpu_full);
	sw_kernfile_pressure(&state->file[MEMORY], &values[MEMORY_SOME],
			     &values[MEMORY_FULL]);
	sw_kernfile_pressure(&state->file[IO], &values[IO_SOME],
			     &values[IO_FULL]);
	return SW_READ_OK;
}

const struct sw_source sw_src_node = {
	.name = "node",
	.backend = "proc",
	.scope = SW_SCOPE_NODE,
	.cadence = SW_EVERY_TENTH,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.file_count = FILES,
	.open = open_source,
	.read = read_source,
	.absence = "no /proc/stat, /proc/meminfo or /proc/pressure",
};
