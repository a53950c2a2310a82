/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters chosen by name, of each task with all its threads and children.  A
 * counter is a group, whose events are counted simultaneously; its formula is
 * in the detail of the subjects, the same for all tasks.
 */
#include "recorder/sources/pmu/counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "recorder/sources/pmu/pmu_tasks.h"
#include "recorder/sources/pmu/wanted.h"
#include "recorder/sources/source.h"

enum { ENABLED, RUNNING, EVENTS = RUNNING + SW_COUNTERS_MAX,
       COLUMNS = EVENTS + SW_PMU_EVENTS_MAX };

#define TIME(name, help) { name, "usec", SW_KIND_COUNTER, help }
#define RAN(number) \
	TIME("running_usec." #number, \
	     "Time in which the events of counter " #number " were counted.")
#define EVENT(number) \
	{ "event." #number, "count", SW_KIND_COUNTER, \
	  "What N" #number " in the formulas counted." }

static const struct sw_column columns[COLUMNS] = {
	[ENABLED] = TIME("enabled_usec", "CPU time that was to be counted."),
	[RUNNING] = RAN(0), RAN(1), RAN(2), RAN(3), RAN(4), RAN(5), RAN(6),
	RAN(7),
	[EVENTS] = EVENT(0), EVENT(1), EVENT(2), EVENT(3), EVENT(4), EVENT(5),
	EVENT(6), EVENT(7), EVENT(8), EVENT(9), EVENT(10), EVENT(11),
	EVENT(12), EVENT(13), EVENT(14), EVENT(15), EVENT(16), EVENT(17),
	EVENT(18), EVENT(19), EVENT(20), EVENT(21), EVENT(22), EVENT(23),
	EVENT(24), EVENT(25), EVENT(26), EVENT(27), EVENT(28), EVENT(29),
	EVENT(30), EVENT(31),
};

/* Chosen counters, process-wide */
static struct {
	bool is_any;
	struct sw_papi_counter counter[SW_COUNTERS_MAX];
	size_t count;
	struct sw_pmu_event event[SW_PMU_EVENTS_MAX];
	struct perf_event_attr attr[SW_PMU_EVENTS_MAX];
	struct sw_pmu_plan plan;
	char formulas[sizeof(((struct sw_subject *)NULL)->detail)];
	char refused[768];
} chosen;

struct state {
	struct sw_pmu_tasks tasks;	/* first: used as sw_pmu_tasks */
	char reason[sizeof(chosen.refused) + 512];
};

static void refuse(const char *name, const char *why)
{
	sw_wanted_refuse(chosen.refused, sizeof(chosen.refused), name, why);
}

static void take_name(const struct sw_wanted *wanted)
{
	struct sw_papi_counter *counter = &chosen.counter[chosen.count];

	chosen.is_any = true;
	if (wanted->why) {
		refuse(wanted->text, wanted->why);
	} else if (chosen.count == SW_COUNTERS_MAX) {
		refuse(wanted->text, "at most 8 counters are taken");
	} else {
		memset(counter, 0, sizeof(*counter));
		strcpy(counter->name, wanted->text);
		chosen.count++;
	}
}

/* Renumber: "N1" of a counter is "N5" of all. */
static bool add_formula(const struct sw_papi_counter *counter, size_t first)
{
	const size_t size = sizeof(chosen.formulas);
	size_t before = strlen(chosen.formulas);
	const char *from;

	sw_text_add(chosen.formulas, size, "%s%s ", before ? " " : "",
		    counter->name);
	for (from = counter->formula; *from; from++) {
		char *end = (char *)from + 1;

		if (*from != 'N') {
			sw_text_add(chosen.formulas, size, "%c", *from);
			continue;
		}
		sw_text_add(chosen.formulas, size, "N%zu",
			    first + strtoul(from + 1, &end, 10));
		from = end - 1;
	}
	if (strlen(chosen.formulas) + 1 < size)
		return true;
	chosen.formulas[before] = '\0';
	return false;
}

static void add_event(const struct sw_papi_term *term)
{
	size_t index = chosen.plan.event_count++;

	chosen.attr[index] = sw_papi_attr(term);
	chosen.event[index] = (struct sw_pmu_event){
		.group = chosen.plan.group_count,
		.column = EVENTS + (unsigned)index,
		.choice = { { .name = term->name } },
	};
}

/* Groups are the available counters, in their order. */
static void plan_counter(const struct sw_papi_counter *counter)
{
	struct sw_pmu_plan *plan = &chosen.plan;
	unsigned i;

	if (counter->reason[0]) {
		refuse(counter->name, counter->reason);
		return;
	}
	if (plan->event_count + counter->term_count > SW_PMU_EVENTS_MAX ||
	    !add_formula(counter, plan->event_count)) {
		refuse(counter->name, "too many events for one recording");
		return;
	}
	for (i = 0; i < counter->term_count; i++)
		add_event(&counter->term[i]);
	plan->running_column[plan->group_count] = RUNNING + plan->group_count;
	plan->group_count++;
}

static void forget(void)
{
	memset(&chosen, 0, sizeof(chosen));
	chosen.plan = (struct sw_pmu_plan){
		.events = chosen.event,
		.attrs = chosen.attr,
		.is_first_optional = true,
		.enabled_column = ENABLED,
		.switches_column = SW_PMU_NONE,
	};
}

void sw_counters_choose(const char *names, const struct sw_papi_origin *origin)
{
	struct sw_wanted wanted;
	size_t i;

	forget();
	while (sw_wanted_next(&names, &wanted))
		take_name(&wanted);
	if (chosen.count)
		sw_papi_translate(chosen.counter, chosen.count, origin);
	for (i = 0; i < chosen.count; i++)
		plan_counter(&chosen.counter[i]);
}

void sw_counters_take(const struct sw_papi_counter *counters, size_t count)
{
	forget();
	chosen.is_any = true;
	while (chosen.count < count && chosen.count < SW_COUNTERS_MAX) {
		chosen.counter[chosen.count] = counters[chosen.count];
		plan_counter(&chosen.counter[chosen.count++]);
	}
}

const char *sw_counters_refused(void)
{
	return chosen.refused;
}

static bool is_wanted(void)
{
	return chosen.is_any;
}

/* A counter has no value if the kernel does not count one of its events. */
static void note_events(struct state *state)
{
	size_t i;

	for (i = 0; i < chosen.plan.event_count; i++) {
		if (chosen.event[i].group < state->tasks.groups &&
		    !state->tasks.won[i])
			sw_text_add(state->reason, sizeof(state->reason),
				    "%sthe kernel does not count %s here",
				    state->reason[0] ? "; " : "",
				    chosen.event[i].choice[0].name);
	}
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	enum sw_read_status status = SW_READ_ABSENT;
	struct state *state = memory;

	if (chosen.plan.event_count)
		status = sw_pmu_tasks_open(&state->tasks, &chosen.plan, target);
	sw_text_add(state->reason, sizeof(state->reason), "%s",
		    chosen.refused);
	if (status == SW_READ_OK)
		note_events(state);
	return status;
}

/* Describe the task as for other counters, with the formulas as detail. */
static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	if (!sw_pmu_tasks_describe(memory, index, subject))
		return false;
	snprintf(subject->detail, sizeof(subject->detail), "%s",
		 chosen.formulas);
	return true;
}

static const char *reason(const void *memory, enum sw_read_status status)
{
	const struct state *state = memory;
	const char *tasks;

	if (status == SW_READ_ABSENT && !chosen.plan.event_count)
		return state->reason;
	tasks = sw_pmu_tasks_reason(&state->tasks, status);
	return tasks[0] || status != SW_READ_OK ? tasks : state->reason;
}

const struct sw_source sw_src_counters = {
	.name = "counters",
	.backend = "perf.inherit",
	.scope = SW_SCOPE_TASK,
	/* A read interrupts all processors that run its threads. */
	.cadence = SW_EVERY_TENTH,
	.is_wanted = is_wanted,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.open = open_source,
	.rows_max = SW_SUBJECTS_MAX,
	.read_rows = sw_pmu_tasks_read,
	.describe = describe,
	.is_due = sw_pmu_tasks_is_due,
	.reason = reason,
	.close = sw_pmu_tasks_close,
};
