/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PAPI components requested by a site: what its own build of libpapi has beyond
 * the processor.  They are node sources, read once per second in the helper
 * process (src_papi.c).  Refused are components that exist to set something or
 * count the reading process itself, and events that can be set.
 */
#ifndef SW_RECORDER_COMPONENTS_H
#define SW_RECORDER_COMPONENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SW_COMPONENTS_MAX = 8, SW_COMPONENT_EVENTS_MAX = 64 };

struct sw_component {
	char name[64];
	char why[160];	    /* reason why no event is read; "" */
	size_t event_count; /* number read */
	size_t settable;    /* refused because they can be set */
	size_t left_out;    /* no room, or refused by the component */
	int set;	    /* for the caller's use */
};

struct sw_component_event {
	char name[192];
	char unit[32]; /* "": not provided */
	size_t component;
	bool is_real; /* value is the bits of a double */
};

struct sw_components {
	size_t count, event_count;
	struct sw_component component[SW_COMPONENTS_MAX];
	/* Those of the first component, then of the second */
	struct sw_component_event event[SW_COMPONENT_EVENTS_MAX];
};

/* libpapi, or a replacement for tests */
struct sw_component_calls {
	/* Names are set: fill in the rest, and start. */
	void (*open)(struct sw_components *components);
	/* Read the values of its events.  Return false on failure. */
	bool (*read)(const struct sw_component *component, int64_t *values);
	void (*close)(struct sw_components *components);
};

/* Replace libpapi for tests; NULL: restore it. */
void sw_components_use(const struct sw_component_calls *calls);

/* Set the comma-separated names; NULL or "": none. */
void sw_components_choose(const char *names);

/* Return the refused ones with reasons, or "". */
const char *sw_components_refused(void);

/* Return the reason why a component is refused, or NULL. */
const char *sw_component_refusal(const char *name);

/* Return whether the name or description says that it can be set. */
bool sw_component_is_settable(const char *event, const char *description);

#endif
