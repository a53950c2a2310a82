/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PAPI components requested by the site (components.h).  The first rows are the
 * components, with the reason if nothing is read; the others are their events.
 */
#include "recorder/sources/pmu/components.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/missing.h"
#include "common/text.h"
#include "recorder/sources/pmu/papi_library.h"
#include "recorder/sources/pmu/wanted.h"
#include "recorder/sources/source.h"

enum { EVENTS, VALUE, COLUMNS };

static const struct sw_column columns[COLUMNS] = {
	[EVENTS] = { "events", "count", SW_KIND_GAUGE,
		     "Of a component: its events that are read." },
	[VALUE] = { "value", "", SW_KIND_GAUGE,
		    "Of an event: what PAPI reads, in the unit of the "
		    "subject's detail; a whole number, missing if below 0." },
};

static const struct sw_component_calls *calls = &sw_papi_component_calls;

/* From the settings, process-wide */
static struct {
	struct sw_components components;
	char refused[768];
} chosen;

void sw_components_use(const struct sw_component_calls *other)
{
	calls = other ? other : &sw_papi_component_calls;
}

static void take_name(const struct sw_wanted *wanted)
{
	struct sw_components *components = &chosen.components;
	struct sw_component *component =
		&components->component[components->count];
	const char *why = wanted->why;

	if (!why && components->count == SW_COMPONENTS_MAX)
		why = "at most 8 components are read";
	if (!why) {
		strcpy(component->name, wanted->text);
		components->count++;
		why = sw_component_refusal(wanted->text);
		if (why)
			strcpy(component->why, why);
	}
	if (why)
		sw_wanted_refuse(chosen.refused, sizeof(chosen.refused),
				 wanted->text, why);
}

void sw_components_choose(const char *names)
{
	struct sw_wanted wanted;

	memset(&chosen, 0, sizeof(chosen));
	while (sw_wanted_next(&names, &wanted))
		take_name(&wanted);
}

const char *sw_components_refused(void)
{
	return chosen.refused;
}

static bool is_wanted(void)
{
	return chosen.components.count > 0;
}

/* Clear the environment, which can redirect libpapi and its drivers. */
static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	static char *nothing[] = { NULL };
	struct sw_components *components = memory;
	char **environment = environ;

	(void)target;
	*components = chosen.components;
	if (!components->count)
		return SW_READ_ABSENT;
	environ = nothing;
	calls->open(components);
	environ = environment;
	return SW_READ_OK;
}

/* Return the value, or SW_MISSING if it is not a nonnegative integer. */
static uint64_t value_of(const struct sw_component_event *event, int64_t raw)
{
	double real;

	if (!event->is_real)
		return raw < 0 ? SW_MISSING : (uint64_t)raw;
	memcpy(&real, &raw, sizeof(real));
	return real >= 0 && real < (double)INT64_MAX ? (uint64_t)llround(real)
						     : SW_MISSING;
}

static void read_component(const struct sw_components *components, size_t index,
			   size_t first, struct sw_rows *rows)
{
	const struct sw_component *component = &components->component[index];
	int64_t raw[SW_COMPONENT_EVENTS_MAX];
	uint64_t *values;
	size_t i;

	if (!component->event_count || !calls->read(component, raw))
		return;
	for (i = 0; i < component->event_count; i++) {
		values = sw_rows_add(rows, SW_COMPONENTS_MAX + first + i);
		if (values)
			values[VALUE] =
				value_of(&components->event[first + i], raw[i]);
	}
}

static enum sw_read_status
read_source(void *memory, const struct sw_target *target, struct sw_rows *rows)
{
	const struct sw_components *components = memory;
	size_t i, first = 0;
	uint64_t *values;

	(void)target;
	for (i = 0; i < components->count; i++) {
		values = sw_rows_add(rows, i);
		/* Without a read the number is missing, not 0. */
		if (values && !components->component[i].why[0])
			values[EVENTS] = components->component[i].event_count;
	}
	for (i = 0; i < components->count; i++) {
		read_component(components, i, first, rows);
		first += components->component[i].event_count;
	}
	return SW_READ_OK;
}

/* "2 events not read: can be set" */
static void add_count(struct sw_subject *subject, size_t count, const char *why)
{
	if (count)
		sw_text_add(subject->detail, sizeof(subject->detail),
			    "%s%zu %s %s", subject->detail[0] ? "; " : "",
			    count, count == 1 ? "event" : "events", why);
}

static void describe_component(const struct sw_component *component,
			       struct sw_subject *subject)
{
	snprintf(subject->kind, sizeof(subject->kind), "component");
	snprintf(subject->name, sizeof(subject->name), "%s", component->name);
	snprintf(subject->detail, sizeof(subject->detail), "%s",
		 component->why);
	add_count(subject, component->settable, "not read: can be set");
	add_count(subject, component->left_out,
		  "not read: cannot be counted here");
}

static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	const struct sw_components *components = memory;
	const struct sw_component_event *event;

	if (index < components->count) {
		describe_component(&components->component[index], subject);
		return true;
	}
	if (index < SW_COMPONENTS_MAX ||
	    index - SW_COMPONENTS_MAX >= components->event_count)
		return false;
	event = &components->event[index - SW_COMPONENTS_MAX];
	snprintf(subject->kind, sizeof(subject->kind), "event");
	snprintf(subject->name, sizeof(subject->name), "%s", event->name);
	snprintf(subject->detail, sizeof(subject->detail), "%s", event->unit);
	return true;
}

static void close_source(void *memory)
{
	struct sw_components *components = memory;

	if (components->count)
		calls->close(components);
	components->count = components->event_count = 0;
}

const struct sw_source sw_src_papi = {
	.name = "papi",
	.backend = "libpapi",
	.scope = SW_SCOPE_NODE,
	.cadence = SW_EVERY_PERIOD,
	.is_out_of_process = true,
	.is_there = is_wanted,
	.is_wanted = is_wanted,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct sw_components),
	.open = open_source,
	.rows_max = SW_COMPONENTS_MAX + SW_COMPONENT_EVENTS_MAX,
	.read_rows = read_source,
	.describe = describe,
	.absence = "no component of PAPI was named that could be read",
	.close = close_source,
};
