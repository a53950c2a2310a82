/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determine the speed of the node's link. */
#include "recorder/jobs/step_link.h"

#include <stdbool.h>
#include <string.h>

#include "common/delta.h"
#include "common/limits.h"
#include "common/missing.h"
#include "common/units.h"
#include "recorder/sources/reading.h"
#include "recorder/sources/shared.h"

/* Slowest possible link of a node: 10 Mbit/s */
static const double SLOWEST_BYTES_PER_SEC = 10e6 / 8;

/* Interval of queries: the speed comes from a driver, so do not read it at each
 * sample. */
#define ASK_USEC (10 * SW_USEC_PER_SEC)

/* Check each direction by itself: links are full duplex. */
static bool moves_much(const struct sw_step_link *link,
		       uint64_t received_bytes, uint64_t sent_bytes,
		       uint64_t now_usec)
{
	uint64_t bytes = sw_max_u64(
		sw_delta_u64(received_bytes, link->received_bytes),
		sw_delta_u64(sent_bytes, link->sent_bytes));

	return link->usec && now_usec > link->usec && !sw_is_missing(bytes) &&
	       (double)bytes * SW_USEC_PER_SEC >=
		       SW_LINK_FULL_RATIO * SLOWEST_BYTES_PER_SEC *
			       (double)(now_usec - link->usec);
}

static uint64_t value_of(const uint64_t *values, const char *column)
{
	return values[sw_source_column(&sw_src_interface, column)];
}

static bool is_device(struct sw_shared *shared, uint64_t index)
{
	struct sw_subject subject;

	return sw_shared_describe(shared, &sw_src_interface, index, &subject) &&
	       !strcmp(subject.detail, "device");
}

/* Traffic of a device; SW_MISSING if it is none, or of unknown speed. */
static uint64_t traffic(struct sw_shared *shared, const struct sw_rows *rows,
			size_t row)
{
	const uint64_t *values = sw_rows_values(rows, row);
	uint64_t index = sw_rows_index(rows, row);

	if (index >= SW_STEP_LINKS || !is_device(shared, index) ||
	    sw_is_missing(value_of(values, "speed_bits_per_sec")))
		return SW_MISSING;
	return sw_add_u64(value_of(values, "rx_bytes"),
			  value_of(values, "tx_bytes"));
}

/* Note the traffic before the step; rows come once the helper has answered. */
static void note_start(struct sw_step_link *link, struct sw_shared *shared)
{
	const struct sw_rows *rows;
	uint64_t total;
	size_t i;

	if (sw_shared_take(shared, &sw_src_interface, &rows) != SW_READ_OK)
		return;
	for (i = 0; i < rows->count; i++) {
		total = traffic(shared, rows, i);
		if (!sw_is_missing(total))
			link->start_bytes[sw_rows_index(rows, i)] = total;
	}
	link->has_start = rows->count > 0;
}

/* Use the traffic since the step's start, as the report does. */
static void ask(struct sw_step_link *link, struct sw_shared *shared)
{
	const struct sw_rows *rows;
	uint64_t most = 0, moved;
	size_t i;

	if (sw_shared_take(shared, &sw_src_interface, &rows) != SW_READ_OK)
		return;
	for (i = 0; i < rows->count; i++) {
		uint64_t total = traffic(shared, rows, i);

		if (sw_is_missing(total))
			continue;
		moved = sw_excess_u64(total,
			link->start_bytes[sw_rows_index(rows, i)]);
		if (moved <= most)
			continue;
		most = moved;
		link->bytes_per_sec = value_of(sw_rows_values(rows, i),
					       "speed_bits_per_sec") / 8;
	}
}

void sw_step_link_take(struct sw_step_link *link, struct sw_shared *shared,
		       uint64_t received_bytes, uint64_t sent_bytes,
		       uint64_t now_usec)
{
	if (shared && !link->has_start &&
	    !sw_is_missing(sw_max_u64(received_bytes, sent_bytes)))
		note_start(link, shared);
	else if (shared && link->has_start &&
	    moves_much(link, received_bytes, sent_bytes, now_usec) &&
	    (!link->asked_usec || now_usec - link->asked_usec >= ASK_USEC)) {
		link->asked_usec = now_usec;
		ask(link, shared);
	}
	link->usec = now_usec;
	link->received_bytes = received_bytes;
	link->sent_bytes = sent_bytes;
}
