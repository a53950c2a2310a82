/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What counters are made of whose names users know: PAPI's presets, by libpapi,
 * and processors' own events ("spr::TOPDOWN:SLOTS"), by libpfm4.  PAPI is asked
 * for names and formulas alone; the recorder counts by itself (pmu.h).
 */
#ifndef SW_RECORDER_PMU_PAPI_H
#define SW_RECORDER_PMU_PAPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/sources/pmu/pmu_names.h"

enum {
	SW_PAPI_TERMS_MAX = 8, /* of a group of the kernel's counters */
	SW_PAPI_PRESETS_MAX = 256, /* PAPI 7.0 names 108 */
};

/* An event as the kernel wants it. */
struct sw_papi_term {
	char name[256];
	uint32_t type;
	uint64_t config, config1, config2;
	bool has_kernel, lacks_user;
};

struct sw_papi_counter {
	char name[64];	   /* the one to look for */
	char formula[120]; /* of common/postfix.h */
	char reason[160];  /* why it cannot be had; "" */
	bool has_formula;  /* a preset that PAPI has for this processor */
	unsigned term_count;
	struct sw_papi_term term[SW_PAPI_TERMS_MAX];
};

struct sw_papi_origin {
	const char *why;	 /* PAPI may not be used; NULL: it may */
	const char *events_file; /* in place of PAPI's; NULL: its own */
	const char *processor;	 /* libpfm4's name, for tests; NULL: this one */
};

struct perf_event_attr sw_papi_attr(const struct sw_papi_term *term);

/*
 * Fill in all but the names: terms and a formula, or a reason.  In a child without an environment and with a
 * bound on its time, for libpapi may take 12 ms, read anything and abort.
 */
void sw_papi_translate(struct sw_papi_counter *counters, size_t count,
		       const struct sw_papi_origin *origin);

struct sw_papi_library {
	char version[16]; /* "7.0.0"; "": it could not be asked */
	char why[160];	  /* why there are no presets; "" */
};

/* Likewise all presets of the processor, at most max: how many. */
size_t sw_papi_presets(struct sw_papi_counter *counters, size_t max,
		       const struct sw_papi_origin *origin,
		       struct sw_papi_library *library);

#endif
