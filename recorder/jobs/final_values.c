/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse the final values of a cgroup's counters. */
#include "recorder/jobs/final_values.h"

#include "common/clock.h"
#include "common/units.h"
#include "recorder/kernel/kernfile.h"

enum { USAGE, USER, SYSTEM, MAX, OOM, OOM_KILL, VALUES };

static const struct sw_kernkey cpu_keys[] = {
	{ "usage_usec", USAGE },
	{ "user_usec", USER },
	{ "system_usec", SYSTEM },
};

static const struct sw_kernkey event_keys[] = {
	{ "max", MAX },
	{ "oom", OOM },
	{ "oom_kill", OOM_KILL },
};

static const struct sw_kernkey ticks_keys[] = {
	{ "user", USER },
	{ "system", SYSTEM },
};

/* Parse cpu.stat; for cgroup v1 nanoseconds followed by clock ticks. */
static void parse_cpu(const char *text, uint64_t *values)
{
	uint64_t nsec;

	if (sw_kern_parse_u64(&text, &nsec) < 0) {
		sw_kern_parse_keyed(text, cpu_keys,
				    sizeof(cpu_keys) / sizeof(cpu_keys[0]),
				    values);
		return;
	}
	values[USAGE] = nsec / SW_NSEC_PER_USEC;
	if (*text == '\n')
		sw_kern_parse_keyed(text + 1, ticks_keys,
				    sizeof(ticks_keys) / sizeof(ticks_keys[0]),
				    values);
	values[USER] = sw_clock_ticks_usec(values[USER]);
	values[SYSTEM] = sw_clock_ticks_usec(values[SYSTEM]);
}

void sw_final_values_parse(struct sw_final_values *final_values,
			   const struct sw_message_final_values *message)
{
	const char *peak = message->memory_peak;
	uint64_t values[VALUES], bytes = SW_MISSING;

	sw_set_missing(values, VALUES);
	/* Values behind a truncation stay missing. */
	parse_cpu(message->cpu_stat, values);
	sw_kern_parse_keyed(message->memory_events, event_keys,
			    sizeof(event_keys) / sizeof(event_keys[0]), values);
	if (sw_kern_parse_u64(&peak, &bytes) < 0)
		bytes = SW_MISSING;
	*final_values = (struct sw_final_values){
		.time_usec = message->time_usec,
		.memory_peak_bytes = bytes,
		.events_max = values[MAX],
		.events_oom = values[OOM],
		.events_oom_kill = values[OOM_KILL],
		.usage_usec = values[USAGE],
		.user_usec = values[USER],
		.system_usec = values[SYSTEM],
	};
}
