/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of two runs, or of two sets of runs, side by side. */
#include "analyzer/compare/beside.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice/sample.h"
#include "analyzer/compare/compare_internal.h"
#include "analyzer/compare/difference_words.h"
#include "analyzer/view/bottleneck_words.h"
#include "common/grow.h"
#include "common/delta.h"
#include "common/missing.h"
#include "common/text.h"

/* Values that differ by less are equal; counters vary more. */
static const double EQUAL_RATIO = 1.05, EQUAL_COUNTERS = 1.25,
		    EQUAL_SHARE = 0.05;

/* Smaller amounts are alike, and of shorter runs there are few samples. */
static const double EQUAL_USEC = 5e4, EQUAL_BYTES = 16384, SAMPLED_USEC = 1e6;

/* CPU time that others used, in thousandths. */
#define PERMILLE 1000.0

/* Values of one run in a row; "which" tells rows of one kind apart. */
typedef double (*number_f)(const struct sw_fingerprint *run, const char *name,
			   unsigned which);
typedef void (*text_f)(char text[SW_FINGERPRINT_TEXT],
		       const struct sw_fingerprint *run);

struct sides {
	struct sw_beside *beside;
	const struct sw_beside_set *a, *b, *past;
};

static double of_step(const struct sw_fingerprint *run, const char *name,
		      unsigned which)
{
	(void)name;
	return sw_real_u64(run->amount[which]);
}

static double of_input(const struct sw_fingerprint *run, const char *name,
		       unsigned which)
{
	(void)name;
	(void)which;
	return sw_real_u64(run->input_bytes);
}

static double of_limit(const struct sw_fingerprint *run, const char *name,
		       unsigned which)
{
	(void)name;
	return of_step(run, NULL, SW_STEP_ELAPSED_USEC) >= SAMPLED_USEC
		       ? run->limited[which]
		       : NAN;
}

/* A program that is known not to have run did nothing. */
static double of_program(const struct sw_fingerprint *run, const char *name,
			 unsigned which)
{
	const struct sw_fingerprint_program *program =
		sw_fingerprint_find(run, name);

	if (program)
		return sw_real_u64(program->amount[which]);
	return sw_fingerprint_lacks(run, name) ? 0 : NAN;
}

static double of_failures(const struct sw_fingerprint *run, const char *name,
			  unsigned which)
{
	const struct sw_fingerprint_program *program =
		sw_fingerprint_find(run, name);

	(void)which;
	if (program && run->is_complete)
		return sw_real_u64(sw_fingerprint_failures(program));
	return sw_fingerprint_lacks(run, name) ? 0 : NAN;
}

static double of_cpus(const struct sw_fingerprint *run, const char *name,
		      unsigned which)
{
	(void)name;
	(void)which;
	return sw_real_u64(run->environment.cpus_milli) / 1000;
}

static double of_binding(const struct sw_fingerprint *run, const char *name,
			 unsigned which)
{
	(void)name;
	(void)which;
	return sw_real_u64(run->environment.bound_cpus);
}

static double of_neighbors(const struct sw_fingerprint *run, const char *name,
			   unsigned which)
{
	(void)name;
	(void)which;
	return sw_real_u64(run->environment.neighbors_permille) / PERMILLE;
}

static double of_state(const struct sw_fingerprint *run, const char *name,
		       unsigned which)
{
	(void)name;
	(void)which;
	return run->state == SW_RUN_UNKNOWN ? NAN
					    : !sw_fingerprint_teaches(run);
}

/* Known values of a set; return their number. */
static size_t gather(double values[SW_EXPECTED_RUNS],
		     const struct sw_beside_set *set, number_f number,
		     const char *name, unsigned which)
{
	size_t count = 0, i;

	for (i = 0; i < set->count && count < SW_EXPECTED_RUNS; i++) {
		values[count] = number(set->runs[i], name, which);
		if (!isnan(values[count]))
			count++;
	}
	return count;
}

static double median_of(const struct sw_beside_set *set, number_f number,
			const char *name, unsigned which)
{
	double values[SW_EXPECTED_RUNS], scratch[SW_EXPECTED_RUNS];
	size_t count = gather(values, set, number, name, which);

	return count ? sw_sample_median(scratch, values, count) : NAN;
}

static void put_past(struct sw_beside_row *row, const struct sw_beside_set *set,
		     number_f number, unsigned which)
{
	double values[SW_EXPECTED_RUNS];
	size_t count = gather(values, set, number, row->program, which), i;

	for (i = 0; i < count; i++) {
		row->least = fmin(row->least, values[i]);
		row->most = fmax(row->most, values[i]);
	}
}

static double ratio_of(const struct sw_beside_row *row)
{
	if (row->part == SW_BESIDE_COUNTERS)
		return EQUAL_COUNTERS;
	/* Numbers of processes and of CPUs are exact. */
	return row->unit == SW_BESIDE_COUNT ? 1 : EQUAL_RATIO;
}

static bool is_equal(const struct sw_beside_row *row)
{
	double difference = fabs(row->a - row->b);

	if (row->unit == SW_BESIDE_TEXT)
		return !strcmp(row->text_a, row->text_b);
	if (row->unit == SW_BESIDE_SHARE)
		return difference < EQUAL_SHARE;
	if (row->unit == SW_BESIDE_USEC && difference < EQUAL_USEC)
		return true;
	if (row->unit == SW_BESIDE_BYTES && difference < EQUAL_BYTES)
		return true;
	return difference == 0 || fmax(row->a, row->b) <
					  ratio_of(row) * fmin(row->a, row->b);
}

static void append(struct sw_beside *beside, struct sw_beside_row *row)
{
	row->is_equal = is_equal(row);
	if (beside->has_failed ||
	    sw_grow(&beside->rows, beside->count, sizeof(*row)) < 0) {
		beside->has_failed = true;
		return;
	}
	beside->rows[beside->count++] = *row;
}

static struct sw_beside_row row_of(enum sw_beside_part part, const char *name,
				   enum sw_beside_unit unit)
{
	return (struct sw_beside_row){
		.part = part,
		.name = name,
		.unit = unit,
		.a = NAN,
		.b = NAN,
		.least = NAN,
		.most = NAN,
	};
}

void sw_beside_add(struct sw_beside *beside, const char *name,
		   enum sw_beside_unit unit, double a, double b)
{
	struct sw_beside_row row = row_of(SW_BESIDE_COUNTERS, name, unit);

	row.a = a;
	row.b = b;
	if (!isnan(a) || !isnan(b))
		append(beside, &row);
}

/* Add a row unless it is unknown in both, or (least) negligible. */
static void add_number(const struct sides *sides, struct sw_beside_row row,
		       number_f number, unsigned which, double least)
{
	row.a = median_of(sides->a, number, row.program, which);
	row.b = median_of(sides->b, number, row.program, which);
	put_past(&row, sides->past, number, which);
	if (fmax(row.a, row.b) >= least)
		append(sides->beside, &row);
}

static void text_of(char text[SW_FINGERPRINT_TEXT],
		    const struct sw_beside_set *set, text_f of)
{
	char one[SW_FINGERPRINT_TEXT];
	size_t i;

	text[0] = '\0';
	for (i = 0; i < set->count; i++) {
		of(one, set->runs[i]);
		if (!one[0] || !strcmp(one, text))
			continue;
		snprintf(text, SW_FINGERPRINT_TEXT, "%s",
			 text[0] ? "several" : one);
	}
}

static void add_text(const struct sides *sides, enum sw_beside_part part,
		     const char *name, text_f of)
{
	struct sw_beside_row row = row_of(part, name, SW_BESIDE_TEXT);

	text_of(row.text_a, sides->a, of);
	text_of(row.text_b, sides->b, of);
	if (row.text_a[0] && row.text_b[0])
		append(sides->beside, &row);
}

static void end_text(char text[SW_FINGERPRINT_TEXT],
		     const struct sw_fingerprint *run)
{
	text[0] = '\0';
	if (run->state == SW_RUN_UNKNOWN)
		return;
	snprintf(text, SW_FINGERPRINT_TEXT, "%s",
		 sw_run_state_words(run->state));
	if (sw_zero_if_missing(run->exit_code))
		sw_text_add(text, SW_FINGERPRINT_TEXT, " (%" PRIu64 ")",
			    run->exit_code);
}

static void node_text(char text[SW_FINGERPRINT_TEXT],
		      const struct sw_fingerprint *run)
{
	memcpy(text, run->environment.node, SW_FINGERPRINT_TEXT);
}

static void kind_text(char text[SW_FINGERPRINT_TEXT],
		      const struct sw_fingerprint *run)
{
	memcpy(text, run->environment.kind, SW_FINGERPRINT_TEXT);
}

static void kernel_text(char text[SW_FINGERPRINT_TEXT],
			const struct sw_fingerprint *run)
{
	memcpy(text, run->environment.kernel, SW_FINGERPRINT_TEXT);
}

static void mount_text(char text[SW_FINGERPRINT_TEXT],
		       const struct sw_fingerprint *run)
{
	memcpy(text, run->environment.mount, SW_FINGERPRINT_TEXT);
}

static struct sw_beside_row run_row(const char *name, enum sw_beside_unit unit)
{
	return row_of(SW_BESIDE_RUN, name, unit);
}

static void add_step(const struct sides *sides)
{
	static const struct {
		const char *name;
		enum sw_beside_unit unit;
	} rows[SW_STEP_AMOUNTS] = {
		[SW_STEP_ELAPSED_USEC] = { "elapsed", SW_BESIDE_USEC },
		[SW_STEP_CPU_USEC] = { "CPU time", SW_BESIDE_USEC },
		[SW_STEP_NEED_BYTES] = { "memory need", SW_BESIDE_BYTES },
		[SW_STEP_READ_BYTES] = { "read", SW_BESIDE_BYTES },
		[SW_STEP_WRITTEN_BYTES] = { "written", SW_BESIDE_BYTES },
		[SW_STEP_MOUNT_USEC] = { "waiting for I/O", SW_BESIDE_USEC },
	};
	size_t i;

	if (sides->a->count == 1 && sides->b->count == 1)
		add_text(sides, SW_BESIDE_RUN, "end", end_text);
	else
		add_number(sides, run_row("failed", SW_BESIDE_SHARE), of_state,
			   0, 0);
	add_number(sides, run_row("input", SW_BESIDE_BYTES), of_input, 0, 0);
	for (i = 0; i < SW_STEP_AMOUNTS; i++)
		add_number(sides, run_row(rows[i].name, rows[i].unit), of_step,
			   (unsigned)i, 0);
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		add_number(sides,
			   row_of(SW_BESIDE_LIMITS,
				  sw_limited_by_words((enum sw_limited_by)i),
				  SW_BESIDE_SHARE),
			   of_limit, (unsigned)i, EQUAL_SHARE);
}

static bool matters(const struct sides *sides, const char *name,
		    enum sw_program_amount amount)
{
	return sw_amount_matters(sides->a->runs, sides->a->count, name,
				 amount) ||
	       sw_amount_matters(sides->b->runs, sides->b->count, name, amount);
}

static struct sw_beside_row program_row(const char *program, const char *name,
					enum sw_beside_unit unit)
{
	struct sw_beside_row row = row_of(SW_BESIDE_PROGRAMS, name, unit);

	row.program = program;
	return row;
}

static void add_program(const struct sides *sides, const char *name)
{
	static const struct {
		const char *name;
		enum sw_beside_unit unit;
	} rows[SW_PROGRAM_AMOUNTS] = {
		[SW_PROGRAM_COUNT] = { "processes", SW_BESIDE_COUNT },
		[SW_PROGRAM_CPU_USEC] = { "CPU time", SW_BESIDE_USEC },
		[SW_PROGRAM_READ_BYTES] = { "read", SW_BESIDE_BYTES },
		[SW_PROGRAM_WRITTEN_BYTES] = { "written", SW_BESIDE_BYTES },
		[SW_PROGRAM_LONGEST_USEC] = { "longest", SW_BESIDE_USEC },
	};
	struct sw_beside_row row = program_row(name, "failed", SW_BESIDE_COUNT);
	size_t i;

	add_number(sides, row, of_failures, 0, 0);
	for (i = 0; i < SW_PROGRAM_AMOUNTS; i++) {
		row = program_row(name, rows[i].name, rows[i].unit);
		if (matters(sides, name, (enum sw_program_amount)i))
			add_number(sides, row, of_program, (unsigned)i, 0);
	}
}

/* Has a row the program already? */
static bool has_come(const struct sw_beside *beside, const char *name)
{
	size_t i;

	for (i = beside->count; i > 0; i--) {
		const char *program = beside->rows[i - 1].program;

		if (program && !strcmp(program, name))
			return true;
	}
	return false;
}

static void add_programs(const struct sides *sides,
			 const struct sw_beside_set *set)
{
	size_t i, j;

	for (i = set->count; i > 0; i--) {
		const struct sw_fingerprint *run = set->runs[i - 1];

		sides->beside->more_programs += run->more_programs;
		for (j = 0; j < run->program_count; j++) {
			if (!has_come(sides->beside, run->programs[j].name))
				add_program(sides, run->programs[j].name);
		}
	}
}

static void add_environment(const struct sides *sides)
{
	static const struct {
		const char *name;
		number_f number;
		enum sw_beside_unit unit;
	} numbers[] = {
		{ "CPUs", of_cpus, SW_BESIDE_COUNT },
		{ "CPUs bound to", of_binding, SW_BESIDE_COUNT },
		{ "CPU use of others", of_neighbors, SW_BESIDE_SHARE },
	};
	static const struct {
		const char *name;
		text_f text;
	} texts[] = {
		{ "node", node_text },
		{ "kind of node", kind_text },
		{ "kernel", kernel_text },
		{ "main mount", mount_text },
	};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		add_number(sides,
			   row_of(SW_BESIDE_ENVIRONMENT, numbers[i].name,
				  numbers[i].unit),
			   numbers[i].number, 0, 0);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		add_text(sides, SW_BESIDE_ENVIRONMENT, texts[i].name,
			 texts[i].text);
}

int sw_beside_init(struct sw_beside *beside, const struct sw_beside_set *a,
		   const struct sw_beside_set *b,
		   const struct sw_beside_set *past)
{
	const struct sides sides = { beside, a, b, past };

	memset(beside, 0, sizeof(*beside));
	beside->past_count = past->count;
	add_step(&sides);
	add_environment(&sides);
	add_programs(&sides, b);
	add_programs(&sides, a);
	return beside->has_failed ? -1 : 0;
}

void sw_beside_fini(struct sw_beside *beside)
{
	free(beside->rows);
	memset(beside, 0, sizeof(*beside));
}
