/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translate names that users know to counters: PAPI's presets, by libpapi, and
 * events of processors ("spr::TOPDOWN:SLOTS"), by libpfm4.  PAPI only provides
 * names and formulas; the recorder does the counting (pmu.h).
 */
#ifndef SW_RECORDER_PMU_PAPI_H
#define SW_RECORDER_PMU_PAPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/sources/pmu/pmu_names.h"

enum {
	SW_PAPI_TERMS_MAX = 8, /* size of a group in the kernel */
	SW_PAPI_PRESETS_MAX = 256, /* PAPI 7.0 has 108 */
};

/* An event, as passed to the kernel */
struct sw_papi_term {
	char name[256];
	uint32_t type;
	uint64_t config, config1, config2;
	bool has_kernel, lacks_user;
};

struct sw_papi_counter {
	char name[64];	   /* requested name */
	char formula[120]; /* see common/postfix.h */
	char reason[160];  /* why it is unavailable; "" */
	bool has_formula;  /* preset is known for this processor */
	unsigned term_count;
	struct sw_papi_term term[SW_PAPI_TERMS_MAX];
};

struct sw_papi_origin {
	const char *why;	 /* why PAPI must not be used; NULL: it may */
	const char *events_file; /* replaces PAPI's; NULL: PAPI's own */
	const char *processor;	 /* libpfm4's name, for tests; NULL: this one */
};

struct perf_event_attr sw_papi_attr(const struct sw_papi_term *term);

/*
 * Fill in everything but the names: terms and formula, or the reason.  Runs in
 * a child without environment and with limited time, since libpapi may take 12
 * ms, read anything and abort.
 */
void sw_papi_translate(struct sw_papi_counter *counters, size_t count,
		       const struct sw_papi_origin *origin);

struct sw_papi_library {
	char version[16]; /* "7.0.0"; "": unavailable */
	char why[160];	  /* why there are no presets; "" */
};

/* Likewise for at most max presets of the processor.  Return the number. */
size_t sw_papi_presets(struct sw_papi_counter *counters, size_t max,
		       const struct sw_papi_origin *origin,
		       struct sw_papi_library *library);

#endif
