/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe the memory of a view. */
#include "analyzer/view/memory_words.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/view/shares.h"
#include "common/delta.h"
#include "common/units.h"

uint64_t sw_need_upper_told(const struct sw_view_memory *memory)
{
	return sw_is_missing(memory->need_upper_bytes) ||
			       sw_is_missing(memory->need_bytes) ?
		       memory->need_upper_bytes :
		       sw_view_memory_base(memory);
}

char *sw_need_words(char *buf, size_t size,
		    const struct sw_view_memory *memory)
{
	char low[SW_UNITS_TEXT_SIZE], high[SW_UNITS_TEXT_SIZE];

	sw_size_format(low, sizeof(low), memory->need_bytes);
	sw_size_format(high, sizeof(high), sw_need_upper_told(memory));
	if (sw_is_missing(memory->need_bytes) &&
	    sw_is_missing(memory->need_upper_bytes))
		snprintf(buf, size, "an unknown amount");
	else if (memory->need_is_lower_bound)
		snprintf(buf, size, "at least %s", sw_is_missing(
				 memory->need_bytes) ? high : low);
	else if (sw_is_missing(memory->need_bytes))
		snprintf(buf, size, "at most %s", high);
	else if (sw_is_missing(memory->need_upper_bytes))
		snprintf(buf, size, "at least %s", low);
	else if (!strcmp(low, high))
		snprintf(buf, size, "%s", low);
	else
		snprintf(buf, size, "at most %s", high);
	return buf;
}

char *sw_need_least_words(char *buf, size_t size,
			  const struct sw_view_memory *memory)
{
	char low[SW_UNITS_TEXT_SIZE], high[SW_UNITS_TEXT_SIZE];

	sw_size_format(low, sizeof(low), memory->need_bytes);
	sw_size_format(high, sizeof(high), sw_need_upper_told(memory));
	buf[0] = '\0';
	if (!memory->need_is_lower_bound &&
	    sw_zero_if_missing(memory->need_bytes) > 0 &&
	    !sw_is_missing(memory->need_upper_bytes) && strcmp(low, high) != 0)
		snprintf(buf, size, "at least %s", low);
	return buf;
}

char *sw_seen_words(char *buf, size_t size,
		    const struct sw_view_memory *memory)
{
	char low[SW_UNITS_TEXT_SIZE], seen[SW_UNITS_TEXT_SIZE];

	sw_size_format(low, sizeof(low), memory->need_bytes);
	sw_size_format(seen, sizeof(seen), memory->peak_bytes);
	buf[0] = '\0';
	if (sw_is_missing(memory->need_upper_bytes) &&
	    !sw_is_missing(memory->peak_bytes) && strcmp(low, seen) != 0)
		snprintf(buf, size, "up to %s were seen in memory", seen);
	return buf;
}

uint64_t sw_mapped_unknown(const struct sw_view_memory *memory)
{
	return sw_zero_if_missing(sw_excess_u64(memory->floor_bytes,
						memory->need_bytes));
}

char *sw_gap_words(char *buf, size_t size, const struct sw_view_memory *memory)
{
	char text[SW_UNITS_TEXT_SIZE];
	double gap = (double)sw_excess_u64(sw_need_upper_told(memory),
					   memory->need_bytes);
	uint64_t mapped = sw_mapped_unknown(memory);

	if ((double)mapped >= SW_MOST * gap)
		snprintf(buf, size, "includes %s of mapped files, which may or "
			 "may not have been in use",
			 sw_size_format(text, sizeof(text), mapped));
	else
		snprintf(buf, size, "was reached between two samples");
	return buf;
}

const char *sw_memory_peak_counter(const struct sw_view_memory *memory)
{
	static const struct {
		const char *source, *counter;
	} counters[] = {
		{ "cgroup.v1", "memory.max_usage_in_bytes" },
		{ "process.tree", "RSS of the processes, peak" },
		{ "rusage", "ru_maxrss" },
	};
	size_t i;

	for (i = 0; memory->source && i < sizeof(counters) / sizeof(counters[0]);
	     i++) {
		if (!strcmp(memory->source, counters[i].source))
			return counters[i].counter;
	}
	return "memory.peak";
}

uint64_t sw_memory_reference(const struct sw_view_memory *memory,
			     const char **name)
{
	if (!sw_is_missing(memory->requested_bytes)) {
		*name = "requested";
		return memory->requested_bytes;
	}
	if (!sw_is_missing(memory->limit_bytes)) {
		*name = "allowed";
		return memory->limit_bytes;
	}
	*name = "available";
	return memory->available_bytes;
}

char *sw_reference_words(char *buf, size_t size,
			 const struct sw_view_memory *memory)
{
	char text[SW_UNITS_TEXT_SIZE];
	const char *name;
	uint64_t bytes = sw_memory_reference(memory, &name);

	buf[0] = '\0';
	if (!sw_is_missing(bytes))
		snprintf(buf, size, " of the %s %s",
			 sw_size_format(text, sizeof(text), bytes), name);
	return buf;
}
