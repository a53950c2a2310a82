/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "events": events and their times. */
#include "recorder/tables/events.h"

#include "common/clock.h"
#include "recorder/tables/privacy.h"
#include "recorder/tables/tables.h"

enum column { TIME, STEP, KIND, PROGRAM, PID, VALUE, DETAIL, COLUMN_COUNT };

static const struct sw_column columns[COLUMN_COUNT] = {
	[TIME] = { "time_usec", "usec", SW_KIND_TIME,
		   "When it happened, or was first seen." },
	[STEP] = { "step", "", SW_KIND_KEY, "The step." },
	[KIND] = { "kind", "", SW_KIND_TEXT,
		   "oom_kill, oom_killed, memory_max, memory_high, killed, "
		   "stopped, continued, gap (cpu_limit_percent: to keep to "
		   "that limit), source_absent, source_lost, "
		   "source_invalid, source_restored, source_partial, stall, "
		   "stall_end, "
		   "rows_skipped, lost, failures_lost (processes whose "
		   "failed calls could not be kept), leftover, "
		   "signal_forwarded, interrupted (its user pressed Ctrl-C or "
		   "Ctrl-\\)." },
	[PROGRAM] = { "program", "", SW_KIND_TEXT,
		      "The program it is about." },
	[PID] = { "pid", "", SW_KIND_STATE, "The process it is about." },
	[VALUE] = { "value", "", SW_KIND_STATE,
		    "The count so far, the signal, or the microseconds." },
	[DETAIL] = { "detail", "", SW_KIND_TEXT, "Further details." },
};

const struct sw_table sw_events_table = {
	.name = "events",
	.scope = SW_SCOPE_STEP,
	.source = "recorder",
	.columns = columns,
	.column_count = COLUMN_COUNT,
};

int sw_events_open(struct sw_events *events, struct sw_writer *writer,
		   struct sw_error *error)
{
	events->writer = writer;
	events->table = sw_writer_table(writer, &sw_events_table, error);
	return events->table < 0 ? -1 : 0;
}

void sw_events_add(struct sw_events *events, const struct sw_event *event)
{
	uint64_t now = sw_clock_boottime_usec();
	union sw_value values[COLUMN_COUNT] = {
		[TIME].number = event->time_usec ? event->time_usec : now,
		[STEP].number = events->step,
		[KIND].text = event->kind,
		[PROGRAM].text = sw_privacy_program(event->program),
		[PID].number = event->pid ? event->pid : SW_MISSING,
		[VALUE].number = event->value,
		[DETAIL].text = event->detail,
	};

	if (events->table >= 0)
		sw_writer_row(events->writer, events->table, values, now);
}
