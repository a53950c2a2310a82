/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parse memory requests of LSF: "rusage[mem=4000:swp=1GB]".  IBM Spectrum LSF
 * 10.1, "Usage string" and LSF_UNIT_FOR_LIMITS in lsf.conf(5): a number without
 * a unit is in MB unless the site sets that, and is reserved for each host
 * unless the site, or "/task" or "/job" after the number, says otherwise.
 */
#ifndef SW_COMMON_LSF_MEMORY_H
#define SW_COMMON_LSF_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

enum sw_lsf_per {
	SW_LSF_PER_SITE, /* not given: the site's default */
	SW_LSF_PER_HOST,
	SW_LSF_PER_TASK,
	SW_LSF_PER_JOB,
};

struct sw_lsf_memory {
	uint64_t bytes; /* SW_MISSING: none, or not one number */
	bool has_unit;	/* behind the number */
	bool is_bad;	/* there is a value, and it is no amount of memory */
	enum sw_lsf_per per;
};

/* Site settings that determine what a request means. */
struct sw_lsf_site {
	uint64_t unit_bytes;	/* LSF_UNIT_FOR_LIMITS; 0: not set */
	bool reserves_per_task; /* RESOURCE_RESERVE_PER_TASK */
};

/* Default unit of a number of rusage[mem=]: MB. */
#define SW_LSF_UNIT_DEFAULT ((uint64_t)1 << 20)

/* Return the bytes of "MB" etc., as in LSF_UNIT_FOR_LIMITS; 0 if unknown. */
uint64_t sw_lsf_unit_bytes(const char *word);

/*
 * Parse a resource requirement string; a bare number is in unit_bytes.  Several
 * alternatives, phases or kinds of hosts are not a single number.
 */
struct sw_lsf_memory sw_lsf_memory_read(const char *res_req,
					uint64_t unit_bytes);

#endif
