/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cost of the recording itself. */
#include "recorder/tables/self.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/units.h"
#include "recorder/processes/helpers.h"
#include "recorder/tables/tables.h"

enum { STATUS_SIZE = 4096 };

enum column { TIME, STEP, CPU, RSS, HIWATER, WAKEUPS, LATE, DROPPED, COUNT };

static const struct sw_column columns[COUNT] = {
	[TIME] = { "time_usec", "usec", SW_KIND_TIME, "When it was read." },
	[STEP] = { "step", "", SW_KIND_KEY, "The step." },
	[CPU] = { "cpu_usec", "usec", SW_KIND_COUNTER,
		  "CPU time of the recorder." },
	[RSS] = { "rss_bytes", "bytes", SW_KIND_GAUGE,
		  "The recorder's resident memory." },
	[HIWATER] = { "hiwater_bytes", "bytes", SW_KIND_PEAK,
		      "The largest it has been." },
	[WAKEUPS] = { "wakeups", "count", SW_KIND_COUNTER,
		      "Wake-ups of the recorder." },
	[LATE] = { "late_usec", "usec", SW_KIND_GAUGE,
		   "How late this row was." },
	[DROPPED] = { "rows_dropped", "count", SW_KIND_COUNTER,
		      "Rows that could not be written." },
};

const struct sw_table sw_self_table = {
	.name = "series.recorder", .scope = SW_SCOPE_STEP, .source = "self",
	.columns = columns, .column_count = COUNT,
};

uint64_t sw_self_cpu_usec(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) < 0)
		return SW_MISSING;
	return sw_clock_timeval_usec(usage.ru_utime) +
	       sw_clock_timeval_usec(usage.ru_stime) + sw_helpers_cpu_usec();
}

/* "VmHWM:     1234 kB" */
static uint64_t status_bytes(const char *text, const char *name)
{
	const char *line = strstr(text, name);
	uint64_t kib;

	if (!line || sscanf(line + strlen(name), "%" SCNu64, &kib) != 1)
		return SW_MISSING;
	return kib * SW_KIB;
}

void sw_self_memory(int status_fd, uint64_t *rss_bytes,
		    uint64_t *hiwater_bytes)
{
	/* With several threads the value of the kernel is off by some pages. */
	static uint64_t largest_bytes = SW_MISSING;
	char text[STATUS_SIZE];
	ssize_t length = pread(status_fd, text, sizeof(text) - 1, 0);

	text[length > 0 ? length : 0] = '\0';
	*rss_bytes = status_bytes(text, "\nVmRSS:");
	largest_bytes = sw_max_u64(largest_bytes,
				   status_bytes(text, "\nVmHWM:"));
	*hiwater_bytes = largest_bytes;
}

void sw_self_open(struct sw_self *self, int proc_fd, struct sw_writer *writer)
{
	self->status_fd = openat(proc_fd, "self/status", O_RDONLY | O_CLOEXEC);
	self->table = sw_writer_table(writer, &sw_self_table, NULL);
}

void sw_self_write(struct sw_self *self, struct sw_writer *writer,
		   const struct sw_sampler_self *loop)
{
	uint64_t now = sw_clock_boottime_usec();
	struct sw_writer_stats stats;
	union sw_value values[COUNT] = {
		[TIME].number = now,
		[CPU].number = sw_excess_u64(sw_self_cpu_usec(),
					     loop->cpu_before_usec),
		[WAKEUPS].number = loop->wakeups,
		[LATE].number = loop->late_usec,
	};

	if (self->table < 0)
		return;
	sw_writer_stats(writer, &stats);
	sw_self_memory(self->status_fd, &values[RSS].number,
		       &values[HIWATER].number);
	values[DROPPED].number = stats.rows_dropped;
	sw_writer_row(writer, self->table, values, now);
}

void sw_self_close(struct sw_self *self)
{
	if (self->status_fd >= 0)
		close(self->status_fd);
	self->status_fd = -1;
}
