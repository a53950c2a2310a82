/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of a view's parts, a row for each: which column it is read from,
 * what a sum does with it, and how the JSON report calls and writes it.
 */
#ifndef SW_ANALYZER_FIELDS_H
#define SW_ANALYZER_FIELDS_H

#include <stddef.h>

#include "analyzer/series/series.h"

/* What the member is. */
enum sw_field_type {
	SW_FIELD_END,		/* of the table */
	SW_FIELD_STOP,		/* here the report has something of its own */
	SW_FIELD_GROUP,		/* what follows is in an object "key"; NULL:
				 * no longer */
	SW_FIELD_NUMBER,	/* uint64_t; SW_MISSING */
	SW_FIELD_REAL,		/* double; NAN */
	SW_FIELD_BOOL,
	SW_FIELD_TEXT,		/* const char *; NULL */
	SW_FIELD_CHARS,		/* char[]; "" */
};

/* As what the report has it. */
enum sw_field_as {
	SW_AS_IS,
	SW_AS_SECONDS,		/* microseconds */
	SW_AS_JOULES_OF_UJ,
	SW_AS_JOULES_OF_MJ,
	SW_AS_BOOL,		/* 0 and 1 */
	SW_AS_COUNT,		/* not where it is 0 */
};

/* What it is in a sum of parts. */
enum sw_field_fold {
	SW_FOLD_OWN,		/* missing: who sums computes it, or nobody */
	SW_FOLD_FIRST,		/* the first part's */
	SW_FOLD_KNOWN,		/* that of the first part that knows it */
	SW_FOLD_ADD,		/* what one part does not know adds nothing */
	SW_FOLD_MAX,
	SW_FOLD_MIN,
	SW_FOLD_SAME,		/* missing unless all agree */
	SW_FOLD_ANY,		/* one part is, or all are */
	SW_FOLD_ALL,
};

struct sw_field {
	const char *key;	/* in the JSON report; NULL: it is not there */
	const char *column;	/* in the profile; NULL: it is computed */
	size_t offset;
	enum sw_field_type type;
	enum sw_field_as as;
	enum sw_field_fold fold;
};

/* The parts' tables, in the order of the report. */
extern const struct sw_field sw_view_fields[];
extern const struct sw_field sw_job_fields[];	/* of a struct sw_job_key */
extern const struct sw_field sw_slurm_fields[];
extern const struct sw_field sw_cpu_fields[];
extern const struct sw_field sw_memory_fields[];
extern const struct sw_field sw_io_fields[];
extern const struct sw_field sw_limit_fields[];
extern const struct sw_field sw_wait_fields[];
extern const struct sw_field sw_pressure_fields[];
extern const struct sw_field sw_kernel_fields[];	/* of the counters */
extern const struct sw_field sw_hardware_fields[];	/* likewise */
extern const struct sw_field sw_network_fields[];
extern const struct sw_field sw_energy_fields[];
extern const struct sw_field sw_surroundings_fields[];
extern const struct sw_field sw_link_fields[];
extern const struct sw_field sw_reading_fields[];
extern const struct sw_field sw_mount_fields[];
extern const struct sw_field sw_recording_fields[];
extern const struct sw_field sw_program_fields[];
extern const struct sw_field sw_gpu_fields[];
extern const struct sw_field sw_task_fields[];
extern const struct sw_field sw_place_task_fields[];
extern const struct sw_field sw_event_fields[];
extern const struct sw_field sw_hang_fields[];
extern const struct sw_field sw_pipe_fields[];

/* All that the table names is missing, or false. */
void sw_fields_clear(void *part, const struct sw_field *fields);

/* What has a column, from a row of the series. */
void sw_fields_read(void *part, const struct sw_field *fields,
		    const struct sw_series *series, size_t row);

/* A sum begins with its first part; to it others are added. */
void sw_fields_start(void *sum, const struct sw_field *fields,
		     const void *first);
void sw_fields_add(void *sum, const struct sw_field *fields,
		   const void *part);

#endif
