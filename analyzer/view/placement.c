/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read where tasks were allowed to run from a profile's tables. */
#include "analyzer/view/placement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/series/series.h"
#include "analyzer/view/fields.h"
#include "common/delta.h"
#include "common/limits_looks.h"
#include "common/text.h"

/* Subject of the recorder's row about the step's cgroup. */
enum { STEP_SUBJECT = 255, SUBJECTS_MAX = 256, PUS_MAX = SW_CPUS_MAX };

static int compare_pus(const void *a, const void *b)
{
	const struct sw_place_pu *one = a, *two = b;

	return one->pu < two->pu ? -1 : one->pu > two->pu;
}

/* Two recorders wrote the profile: use the last row of each. */
static size_t keep_last(struct sw_place_pu *pus, size_t count)
{
	size_t i, kept = 0;

	for (i = 0; i < count; i++) {
		if (kept > 0 && pus[kept - 1].pu == pus[i].pu)
			kept--;
		pus[kept++] = pus[i];
	}
	return kept;
}

static int fill_pus(struct sw_placement *placement,
		    const struct sw_reader *reader)
{
	struct sw_series s = sw_series_open(reader, "topology", SW_ALL_STEPS);
	size_t i, count = sw_series_rows(&s);

	if (count == 0)
		return 0;
	if (count > 4 * PUS_MAX)
		count = 4 * PUS_MAX;
	placement->pus = calloc(count, sizeof(*placement->pus));
	if (!placement->pus)
		return -1;
	for (i = 0; i < count; i++) {
		struct sw_place_pu *pu =
			&placement->pus[placement->pu_count];

		*pu = (struct sw_place_pu){
			sw_series_at(&s, i, "pu"),
			sw_series_at(&s, i, "core"),
			sw_series_at(&s, i, "l3"),
			sw_series_at(&s, i, "numa"),
			sw_series_at(&s, i, "package"),
		};
		placement->pu_count += pu->pu < PUS_MAX;
	}
	qsort(placement->pus, placement->pu_count, sizeof(*placement->pus),
	      compare_pus);
	placement->pu_count = keep_last(placement->pus, placement->pu_count);
	s = sw_series_open(reader, "topology.node", SW_ALL_STEPS);
	placement->source = sw_series_last_text(&s, "source");
	placement->digest = sw_series_last_text(&s, "xml_digest");
	placement->cpu_model = sw_series_last_text(&s, "cpu_model");
	return 0;
}

/* Copy the list after "cpus="; false if there is none. */
static bool take_list(const char *detail, char *text, size_t size)
{
	size_t length;

	if (!detail || strncmp(detail, "cpus=", 5) != 0)
		return false;
	length = strcspn(detail + 5, " ");
	if (length >= size)
		return false;
	memcpy(text, detail + 5, length);
	text[length] = '\0';
	return true;
}

static struct sw_place_task *find_task(const struct sw_placement *placement,
				       uint64_t subject)
{
	size_t i;

	for (i = 0; i < placement->task_count; i++) {
		if (placement->tasks[i].subject == subject)
			return &placement->tasks[i];
	}
	return NULL;
}

static struct sw_place_task *add_task(struct sw_placement *placement,
				      uint64_t subject, const char *name)
{
	struct sw_place_task *task =
		&placement->tasks[placement->task_count++];
	char *end = NULL;

	sw_fields_clear(task, sw_place_task_fields);
	task->subject = subject;
	task->changes = 0;
	if (name && name[0] >= '0' && name[0] <= '9') {
		task->rank = strtoull(name, &end, 10);
		if (*end)
			task->rank = SW_MISSING;
	}
	return task;
}

/* Rows of "subjects" are sorted by time: each is a new binding. */
static void take_binding(struct sw_placement *placement,
			 const struct sw_series *s, size_t row)
{
	uint64_t subject = sw_series_at(s, row, "subject");
	const char *kind = sw_series_text(s, row, "kind");
	struct sw_place_task *task;
	char list[sizeof(task->cpus_text)];

	if (subject >= SUBJECTS_MAX || !kind ||
	    !take_list(sw_series_text(s, row, "detail"), list, sizeof(list)))
		return;
	if (subject == STEP_SUBJECT && !strcmp(kind, "step")) {
		placement->has_step_cpus =
			sw_cpus_parse(&placement->step_cpus, list) == 0;
		return;
	}
	task = find_task(placement, subject);
	if (task)
		task->changes++;
	else
		task = add_task(placement, subject,
				sw_series_text(s, row, "name"));
	strcpy(task->cpus_text, list);
	task->since_usec = sw_series_at(s, row, "time_usec");
	if (sw_cpus_parse(&task->cpus, list) < 0)
		memset(&task->cpus, 0, sizeof(task->cpus));
}

enum { TIME, CPU, WAIT, MIGRATIONS, SPAN_VALUES, THREADS = SPAN_VALUES,
       LAST_CPU, COLUMNS };

static const char *const binding_columns[COLUMNS] = {
	[TIME] = "time_usec", [CPU] = "cpu_usec",
	[WAIT] = "run_queue_wait_usec", [MIGRATIONS] = "migrations",
	[THREADS] = "threads", [LAST_CPU] = "last_cpu",
};

/* Values of the first and last sample under the last binding. */
struct span {
	uint64_t first[SPAN_VALUES], last[SPAN_VALUES];
};

/* values: by column. */
static void take_sample(struct sw_place_task *task, struct span *span,
			const uint64_t values[COLUMNS])
{
	size_t i;

	/* The row of a binding precedes the sample that saw it. */
	if (values[TIME] < task->since_usec)
		return;
	for (i = 0; i < SPAN_VALUES; i++) {
		span->last[i] = values[i];
		if (sw_is_missing(span->first[i]))
			span->first[i] = values[i];
	}
	task->threads = sw_max_u64(task->threads, values[THREADS]);
	task->last_cpu = values[LAST_CPU];
}

static void take_samples(struct sw_placement *placement, struct span *spans,
			 const struct sw_series *s)
{
	const uint64_t *subject = sw_series_numbers(s, "subject");
	const uint64_t *numbers[COLUMNS];
	struct sw_place_task *task_of[SUBJECTS_MAX] = { NULL };
	uint64_t values[COLUMNS], index;
	size_t row, i;

	for (i = 0; i < placement->task_count; i++)
		task_of[placement->tasks[i].subject] = &placement->tasks[i];
	for (i = 0; i < COLUMNS; i++)
		numbers[i] = sw_series_numbers(s, binding_columns[i]);
	for (row = 0; row < sw_series_rows(s); row++) {
		index = sw_series_cell(s, subject, row);
		if (index >= SUBJECTS_MAX || !task_of[index])
			continue;
		for (i = 0; i < COLUMNS; i++)
			values[i] = sw_series_cell(s, numbers[i], row);
		take_sample(task_of[index], &spans[index], values);
	}
}

static int fill_tasks(struct sw_placement *placement,
		      const struct sw_reader *reader, uint64_t step_key)
{
	struct sw_series s = sw_series_open(reader, "subjects", step_key);
	struct span *spans;
	size_t row, i;

	if (!sw_series_open(reader, "series.binding", step_key).count)
		return 0;
	placement->tasks = calloc(SUBJECTS_MAX, sizeof(*placement->tasks));
	spans = malloc(SUBJECTS_MAX * sizeof(*spans));
	if (!placement->tasks || !spans) {
		free(spans);
		return -1;
	}
	sw_set_missing((uint64_t *)spans,
		       SUBJECTS_MAX * sizeof(*spans) / sizeof(uint64_t));
	for (row = 0; row < sw_series_rows(&s); row++) {
		const char *source = sw_series_text(&s, row, "source");

		if (source && !strcmp(source, "binding"))
			take_binding(placement, &s, row);
	}
	s = sw_series_open(reader, "series.binding", step_key);
	take_samples(placement, spans, &s);
	for (i = 0; i < placement->task_count; i++) {
		struct sw_place_task *task = &placement->tasks[i];
		const struct span *span = &spans[task->subject];

		task->seen_usec = sw_delta_u64(span->last[TIME],
					       span->first[TIME]);
		task->cpu_usec = sw_delta_u64(span->last[CPU],
					      span->first[CPU]);
		task->run_queue_wait_usec = sw_delta_u64(span->last[WAIT],
							 span->first[WAIT]);
		task->migrations = sw_delta_u64(span->last[MIGRATIONS],
						span->first[MIGRATIONS]);
	}
	free(spans);
	return 0;
}

/* Rows of one reading have nearly the same time.  Chosen by hand. */
#define ONE_READ_USEC 50000

static size_t read_length(const struct sw_series *s, size_t first)
{
	uint64_t start = sw_series_at(s, first, "time_usec");
	uint64_t subject = sw_series_at(s, first, "subject");
	size_t row;

	for (row = first + 1; row < sw_series_rows(s); row++) {
		/* Nodes are in order: a lower one starts a new reading. */
		if (sw_series_at(s, row, "subject") <= subject ||
		    sw_excess_u64(sw_series_at(s, row, "time_usec"), start) >
		    ONE_READ_USEC)
			break;
		subject = sw_series_at(s, row, "subject");
	}
	return row - first;
}

static int fill_memory(struct sw_placement *placement,
		       const struct sw_reader *reader, uint64_t step_key)
{
	struct sw_series s = sw_series_open(reader, "series.numa", step_key);
	uint64_t most = 0, sum;
	size_t row, count, i, best = 0, best_count = 0;

	for (row = 0; row < sw_series_rows(&s); row += count) {
		count = read_length(&s, row);
		for (i = 0, sum = 0; i < count; i++)
			sum = sw_add_u64(sum, sw_zero_if_missing(
				sw_series_at(&s, row + i, "anon")));
		if (best_count && sum <= most)
			continue;
		most = sum;
		best = row;
		best_count = count;
	}
	if (!best_count)
		return 0;
	placement->memory = calloc(best_count, sizeof(*placement->memory));
	if (!placement->memory)
		return -1;
	placement->memory_count = best_count;
	for (i = 0; i < best_count; i++)
		placement->memory[i] = (struct sw_place_memory){
			sw_series_at(&s, best + i, "subject"),
			sw_series_at(&s, best + i, "anon"),
			sw_series_at(&s, best + i, "file"),
		};
	return 0;
}

static void fill_crowded(struct sw_placement *placement,
			 const struct sw_reader *reader, uint64_t step_key)
{
	struct sw_series s = sw_series_open(reader, "series.runnable",
					    step_key);
	const uint64_t *threads = sw_series_numbers(&s, "threads");
	const uint64_t *cpus = sw_series_numbers(&s, "cpus");
	struct sw_crowd crowd = { .looks = 0 };
	size_t row;

	for (row = 0; row < sw_series_rows(&s); row++)
		sw_crowd_add(&crowd, sw_series_cell(&s, threads, row),
			     sw_series_cell(&s, cpus, row));
	placement->knows_bound = sw_crowd_is_known(&crowd);
	placement->crowded_cpus = sw_crowd_cpus(&crowd);
}

int sw_placement_init(struct sw_placement *placement,
		      const struct sw_reader *reader, uint64_t step_key)
{
	memset(placement, 0, sizeof(*placement));
	fill_crowded(placement, reader, step_key);
	if (fill_tasks(placement, reader, step_key) < 0 ||
	    fill_memory(placement, reader, step_key) < 0)
		return -1;
	/* Without either, a step's topology is of no use. */
	if (!placement->task_count && !placement->memory_count)
		return 0;
	return fill_pus(placement, reader);
}

void sw_placement_fini(struct sw_placement *placement)
{
	free(placement->pus);
	free(placement->tasks);
	free(placement->memory);
	memset(placement, 0, sizeof(*placement));
}

static uint64_t part_of(const struct sw_place_pu *pu, enum sw_place_part part)
{
	switch (part) {
	case SW_PART_CORE:
		return pu->core;
	case SW_PART_L3:
		return pu->l3;
	case SW_PART_NUMA:
		return pu->numa;
	case SW_PART_PACKAGE:
		return pu->package;
	}
	return SW_MISSING;
}

/* SW_MISSING: unknown. */
static uint64_t part_with(const struct sw_placement *placement, uint64_t pu,
			  enum sw_place_part part)
{
	const struct sw_place_pu key = { .pu = pu }, *found;

	if (!placement->pu_count)
		return SW_MISSING;
	found = bsearch(&key, placement->pus, placement->pu_count,
			sizeof(key), compare_pus);
	return found ? part_of(found, part) : SW_MISSING;
}

static void add_one(struct sw_cpus *set, uint64_t number)
{
	set->word[number / 64] |= UINT64_C(1) << number % 64;
}

void sw_place_parts(const struct sw_placement *placement,
		    const struct sw_cpus *cpus, enum sw_place_part part,
		    struct sw_cpus *parts)
{
	uint64_t cpu, of;

	memset(parts, 0, sizeof(*parts));
	for (cpu = 0; cpu < SW_CPUS_MAX; cpu++) {
		if (!sw_cpus_has(cpus, cpu))
			continue;
		of = part_with(placement, cpu, part);
		if (of >= SW_CPUS_MAX) {
			memset(parts, 0, sizeof(*parts));
			return;
		}
		add_one(parts, of);
	}
}

size_t sw_place_count(const struct sw_placement *placement,
		      enum sw_place_part part)
{
	struct sw_cpus parts = { { 0 } };
	size_t i;

	for (i = 0; i < placement->pu_count; i++) {
		uint64_t of = part_of(&placement->pus[i], part);

		if (of >= SW_CPUS_MAX)
			return 0;
		add_one(&parts, of);
	}
	return sw_cpus_count(&parts);
}

/* "0-3,8" */
static void add_ranges(char *text, size_t size, const struct sw_cpus *set)
{
	const char *before = "";
	uint64_t i, end;

	for (i = 0; i < SW_CPUS_MAX; i = end + 1) {
		end = i;
		if (!sw_cpus_has(set, i))
			continue;
		while (end + 1 < SW_CPUS_MAX && sw_cpus_has(set, end + 1))
			end++;
		sw_text_add(text, size, "%s%llu", before,
			    (unsigned long long)i);
		if (end > i)
			sw_text_add(text, size, "-%llu",
				    (unsigned long long)end);
		before = ",";
	}
}

char *sw_place_name(char *buf, size_t size,
		    const struct sw_placement *placement,
		    const struct sw_cpus *cpus, size_t i)
{
	static const struct {
		const char *name;
		enum sw_place_part part;
	} parts[SW_PLACE_NAMES - 1] = {
		{ "Package L#", SW_PART_PACKAGE },
		{ "NUMANode P#", SW_PART_NUMA },
		{ "L3Cache L#", SW_PART_L3 },
		{ "Core L#", SW_PART_CORE },
	};
	struct sw_cpus set = *cpus;

	buf[0] = '\0';
	if (i < SW_PLACE_NAMES - 1)
		sw_place_parts(placement, cpus, parts[i].part, &set);
	if (!placement->pu_count || !sw_cpus_count(&set))
		return buf;
	sw_text_add(buf, size, "%s",
		    i < SW_PLACE_NAMES - 1 ? parts[i].name : "PU P#");
	add_ranges(buf, size, &set);
	return buf;
}

double sw_place_rate(const struct sw_place_task *task)
{
	if (sw_is_missing(task->cpu_usec) || sw_is_missing(task->seen_usec) ||
	    task->seen_usec == 0)
		return NAN;
	return (double)task->cpu_usec / (double)task->seen_usec;
}
