/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values read by a sampler: rows, and lookup by column name. */
#include <string.h>

#include "common/clock.h"
#include "recorder/sampler/sampler_internal.h"

void sw_slot_write_only(const struct sw_sampler *sampler,
			const struct slot *slot, uint64_t time_usec,
			uint64_t index, const uint64_t *numbers)
{
	size_t i, first = sw_reading_first_column(slot->source);
	union sw_value values[SW_TABLE_COLUMNS_MAX];

	values[0].number = time_usec;
	values[1].number = sampler->target->step;
	values[SW_READING_SUBJECT].number = index;
	for (i = 0; i < slot->source->column_count; i++)
		values[first + i].number = numbers[i];
	sw_writer_row(sampler->writer, slot->table, values, time_usec);
}

void sw_slot_write(const struct sw_sampler *sampler, struct slot *slot,
		   uint64_t time_usec, uint64_t index,
		   const uint64_t *numbers)
{
	memcpy(slot->last, numbers,
	       slot->source->column_count * sizeof(*numbers));
	slot->has_rows = true;
	slot->last_usec = time_usec;
	sw_slot_write_only(sampler, slot, time_usec, index, numbers);
}

static struct slot *find_slot(const struct sw_sampler *sampler,
			      const char *source)
{
	size_t i;

	for (i = 0; i < sampler->count; i++) {
		if (!strcmp(sampler->slots[i].source->name, source))
			return &sampler->slots[i];
	}
	return NULL;
}

static void put_value(const struct sw_source *source, uint64_t *numbers,
		      const struct sw_sampler_value *value)
{
	size_t i;

	for (i = 0; i < source->column_count; i++) {
		if (!strcmp(source->columns[i].name, value->column))
			numbers[i] = value->number;
	}
}

bool sw_sampler_put(struct sw_sampler *sampler, const char *source,
		    const struct sw_sampler_value *values, size_t count)
{
	uint64_t numbers[SW_TABLE_COLUMNS_MAX];
	struct slot *slot = find_slot(sampler, source);
	size_t i;

	if (!slot || slot->table < 0 || slot->bad == 0)
		return false;
	sw_set_missing(numbers, slot->source->column_count);
	for (i = 0; i < count; i++)
		put_value(slot->source, numbers, &values[i]);
	sw_slot_write(sampler, slot, sw_clock_boottime_usec(), SW_MISSING,
		      numbers);
	return true;
}

uint64_t sw_sampler_last(const struct sw_sampler *sampler, const char *source,
			 const char *column)
{
	const struct slot *slot = find_slot(sampler, source);
	size_t i;

	if (!slot || !slot->has_rows)
		return SW_MISSING;
	i = sw_source_column(slot->source, column);
	return i < slot->source->column_count ? slot->last[i] : SW_MISSING;
}

const struct sw_rows *sw_sampler_rows(const struct sw_sampler *sampler,
				      const char *source)
{
	const struct slot *slot = find_slot(sampler, source);

	return slot && slot->source->scope != SW_SCOPE_NODE ? &slot->reading.rows : NULL;
}

uint64_t sw_sampler_last_usec(const struct sw_sampler *sampler,
			      const char *source)
{
	const struct slot *slot = find_slot(sampler, source);

	return slot && slot->has_rows ? slot->last_usec : SW_MISSING;
}

uint64_t sw_sampler_began_usec(const struct sw_sampler *sampler,
			       const char *source)
{
	const struct slot *slot = find_slot(sampler, source);

	return slot && !slot->has_rows && slot->later_usec ? slot->later_usec :
							     SW_MISSING;
}

uint64_t sw_sampler_count(const struct sw_sampler *sampler)
{
	return sampler->round;
}

bool sw_sampler_has(const struct sw_sampler *sampler, const char *backend)
{
	size_t i;

	for (i = 0; i < sampler->count; i++) {
		if (sampler->slots[i].table >= 0 && !sampler->slots[i].bad &&
		    !strcmp(sampler->slots[i].backend, backend))
			return true;
	}
	return false;
}
