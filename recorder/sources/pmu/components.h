/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Components of PAPI that a site wants read: what its own build of libpapi has
 * beyond the processor.  Of the node, once a second, in the process for sources
 * that may block (src_papi.c).  A component that exists to set something
 * is refused, one that counts the process that reads it, and an event that
 * could be set.
 */
#ifndef SW_RECORDER_COMPONENTS_H
#define SW_RECORDER_COMPONENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SW_COMPONENTS_MAX = 8, SW_COMPONENT_EVENTS_MAX = 64 };

struct sw_component {
	char name[64];
	char why[160];	    /* none of its events is read; "" */
	size_t event_count; /* that are read */
	size_t settable;    /* refused, for they can be set */
	size_t left_out;    /* did not fit, or the component refused them */
	int set;	    /* the caller's */
};

struct sw_component_event {
	char name[192];
	char unit[32]; /* "": it does not say */
	size_t component;
	bool is_real; /* its value is a double's bits */
};

struct sw_components {
	size_t count, event_count;
	struct sw_component component[SW_COMPONENTS_MAX];
	/* Those of the first component, then of the second. */
	struct sw_component_event event[SW_COMPONENT_EVENTS_MAX];
};

/* libpapi, or a test's own. */
struct sw_component_calls {
	/* The names are there: fill in the rest, and begin. */
	void (*open)(struct sw_components *components);
	/* The values of its events.  False: it did not say. */
	bool (*read)(const struct sw_component *component, int64_t *values);
	void (*close)(struct sw_components *components);
};

/* NULL: libpapi's again.  For tests. */
void sw_components_use(const struct sw_component_calls *calls);

/* Names with commas between them; NULL or "": none. */
void sw_components_choose(const char *names);

/* Which of them are refused, and why; "". */
const char *sw_components_refused(void);

/* Why a component is never read; NULL: it may be. */
const char *sw_component_refusal(const char *name);

/* Name or description says that it can be set. */
bool sw_component_is_settable(const char *event, const char *description);

#endif
