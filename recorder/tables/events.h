/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table "events": events and their times. */
#ifndef SW_RECORDER_EVENTS_H
#define SW_RECORDER_EVENTS_H

#include <stdint.h>

#include "common/error.h"
#include "profiles/writer.h"

struct sw_events {
	struct sw_writer *writer;
	int table;
	uint64_t step;		/* the key of their step */
};

struct sw_event {
	uint64_t time_usec;	/* 0: now */
	const char *kind;	/* "oom_kill", "gap": see the table's help */
	const char *program;	/* NULL: none; untrusted */
	uint64_t pid;		/* SW_MISSING or 0: none */
	uint64_t value;
	const char *detail;	/* NULL: none */
};

/* Return 0, or -1 with *error; events are then silently dropped. */
int sw_events_open(struct sw_events *events, struct sw_writer *writer,
		   struct sw_error *error);

void sw_events_add(struct sw_events *events, const struct sw_event *event);

#endif
