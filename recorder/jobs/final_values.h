/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Final values of a cgroup's counters, as read by the plugin's hooks. */
#ifndef SW_RECORDER_FINALS_H
#define SW_RECORDER_FINALS_H

#include <stdint.h>

#include "common/protocol.h"

/* Bytes, microseconds, counts; SW_MISSING: not in the text */
struct sw_final_values {
	uint64_t time_usec;
	uint64_t memory_peak_bytes;
	uint64_t events_max, events_oom, events_oom_kill;
	uint64_t usage_usec, user_usec, system_usec;
};

void sw_final_values_parse(struct sw_final_values *final_values,
			   const struct sw_message_final_values *message);

#endif
