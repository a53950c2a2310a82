/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of a view's parts, one row each: the column it is read from, how it is
 * summed, and its name and form in the JSON report.
 */
#ifndef SW_ANALYZER_FIELDS_H
#define SW_ANALYZER_FIELDS_H

#include <stddef.h>

#include "analyzer/series/series.h"

/* Type of the member. */
enum sw_field_type {
	SW_FIELD_END,		/* end of the table */
	SW_FIELD_STOP,		/* the report inserts something here */
	SW_FIELD_GROUP,		/* opens object "key"; NULL closes it */
	SW_FIELD_NUMBER,	/* uint64_t; SW_MISSING */
	SW_FIELD_REAL,		/* double; NAN */
	SW_FIELD_BOOL,
	SW_FIELD_TEXT,		/* const char *; NULL */
	SW_FIELD_CHARS,		/* char[]; "" */
};

/* Form in the report. */
enum sw_field_as {
	SW_AS_IS,
	SW_AS_SECONDS,		/* from microseconds */
	SW_AS_JOULES_OF_UJ,
	SW_AS_JOULES_OF_MJ,
	SW_AS_BOOL,		/* from 0 and 1 */
	SW_AS_COUNT,		/* omitted if 0 */
};

/* Rule for a sum over parts. */
enum sw_field_fold {
	SW_FOLD_OWN,		/* missing, unless computed by the caller */
	SW_FOLD_FIRST,		/* value of the first part */
	SW_FOLD_KNOWN,		/* of the first part where it is known */
	SW_FOLD_ADD,		/* missing values add nothing */
	SW_FOLD_MAX,
	SW_FOLD_MIN,
	SW_FOLD_SAME,		/* missing unless all are equal */
	SW_FOLD_ANY,		/* true for any part, or for all */
	SW_FOLD_ALL,
};

struct sw_field {
	const char *key;	/* in the JSON report; NULL: not in it */
	const char *column;	/* in the profile; NULL: computed */
	size_t offset;
	enum sw_field_type type;
	enum sw_field_as as;
	enum sw_field_fold fold;
};

/* Tables of the parts, in the order of the report. */
extern const struct sw_field sw_view_fields[];
extern const struct sw_field sw_job_fields[];	/* for struct sw_job_key */
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

/* Set all fields of the table to missing, or false. */
void sw_fields_clear(void *part, const struct sw_field *fields);

/* Read the fields with a column from a row of the series. */
void sw_fields_read(void *part, const struct sw_field *fields,
		    const struct sw_series *series, size_t row);

/* Start a sum with its first part; add another part to it. */
void sw_fields_start(void *sum, const struct sw_field *fields,
		     const void *first);
void sw_fields_add(void *sum, const struct sw_field *fields,
		   const void *part);

#endif
