/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The newest runs, in a sorted array. */
#include "analyzer/sweep/night/sample.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/compare/fingerprint.h"

#define AT(member) offsetof(struct sw_run, member)

/* Members of a run that are stored. */
static const size_t kept[] = {
	AT(start_seconds),
	AT(end_seconds),
	AT(elapsed_seconds),
	AT(submit_seconds),
	AT(exit_code),
	AT(requested_bytes),
	AT(first_requested_bytes),
	AT(need_bytes),
	AT(need_upper_bytes),
	AT(requested_seconds),
	AT(requested_cores),
	AT(used_core_seconds),
	AT(peak_cores),
	AT(nodes),
	AT(tasks),
	AT(slowest_task_ratio),
	AT(requested_gpus),
	AT(used_gpus),
	AT(gpu_busy_ratio),
	AT(gpu_memory_bytes),
	AT(cpu_share),
	AT(io_share),
	AT(network_share),
	AT(gpu_share),
	AT(waiting_share),
	AT(input_bytes),
	AT(memory_per),
	AT(open_bytes),
};

enum {
	KEPT = sizeof(kept) / sizeof(kept[0]),
	/* Spare slots, so that few additions move a full array. */
	SPARE = 16,
};

static double *number(struct sw_run *run, size_t i)
{
	return (double *)(void *)((char *)run + kept[i]);
}

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static uint64_t bits_at(const struct sw_run *run, size_t i)
{
	uint64_t bits;

	memcpy(&bits, (const char *)run + kept[i], sizeof(bits));
	return bits;
}

static double of_bits(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static int order_of(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_prints(const struct sw_sample_run *a,
			  const struct sw_sample_run *b)
{
	int order = order_of(a->fingerprint_size, b->fingerprint_size);

	if (order || !a->fingerprint_size)
		return order;
	return memcmp(a->fingerprint, b->fingerprint, a->fingerprint_size);
}

/*
 * Total order: the runs kept must not depend on insertion order.  Bits of
 * nonnegative doubles sort like the numbers.
 */
static int compare(const struct sw_sample_run *a,
		   const struct sw_sample_run *b)
{
	const struct sw_run *one = &a->run, *two = &b->run;
	int order = order_of(bits_of(one->end_seconds),
			     bits_of(two->end_seconds));
	size_t i;

	if (!order)
		order = order_of(a->job_id, b->job_id);
	if (!order)
		order = order_of(a->restart, b->restart);
	if (!order)
		order = order_of(one->state, two->state);
	for (i = 0; !order && i < KEPT; i++)
		order = order_of(bits_at(one, i), bits_at(two, i));
	return order ? order : compare_prints(a, b);
}

int sw_sample_put_print(struct sw_sample_run *run, const uint8_t *bytes,
			size_t size)
{
	run->fingerprint = NULL;
	run->fingerprint_size = 0;
	if (!size)
		return 0;
	run->fingerprint = malloc(size);
	if (!run->fingerprint)
		return -1;
	memcpy(run->fingerprint, bytes, size);
	run->fingerprint_size = size;
	return 0;
}

/* Grow by powers of two, and finally to the maximum with spare slots. */
static int make_room(struct sw_sample *sample)
{
	size_t room = sample->count ? 2 * sample->count : 1;
	struct sw_sample_run *items;

	if (sample->count & (sample->count - 1))
		return 0;
	if (room >= SW_SAMPLE_RUNS_MAX)
		room = SW_SAMPLE_RUNS_MAX + SPARE;
	items = reallocarray(sample->items, room, sizeof(*items));
	if (!items)
		return -1;
	sample->items = items;
	return 0;
}

/* Drop the oldest of a full array; a new run is nearly always the newest. */
static void replace_oldest(struct sw_sample *sample, size_t at,
			   const struct sw_sample_run *run)
{
	struct sw_sample_run *items = sample->items;

	free(items->fingerprint);
	if (sample->before == SPARE) {
		items -= SPARE;
		memmove(items, &sample->items[1],
			(sample->count - 1) * sizeof(*items));
		sample->before = 0;
	} else {
		items++;
		sample->before++;
	}
	at--;
	memmove(&items[at + 1], &items[at],
		(sample->count - 1 - at) * sizeof(*items));
	items[at] = *run;
	sample->items = items;
}

static int insert(struct sw_sample *sample, size_t at,
		  const struct sw_sample_run *run)
{
	if (sample->count == SW_SAMPLE_RUNS_MAX) {
		replace_oldest(sample, at, run);
		return 0;
	}
	if (make_room(sample) < 0)
		return -1;
	memmove(&sample->items[at + 1], &sample->items[at],
		(sample->count - at) * sizeof(*run));
	sample->items[at] = *run;
	sample->count++;
	return 0;
}

int sw_sample_add(struct sw_sample *sample, const struct sw_sample_run *run)
{
	struct sw_sample_run own = *run;
	size_t at = sample->count;

	while (at > 0 && compare(&sample->items[at - 1], run) > 0)
		at--;
	if (at == 0 && sample->count == SW_SAMPLE_RUNS_MAX)
		return 0;
	if (sw_sample_put_print(&own, run->fingerprint,
				run->fingerprint_size) < 0)
		return -1;
	if (insert(sample, at, &own) == 0)
		return 0;
	free(own.fingerprint);
	return -1;
}

int sw_sample_merge(struct sw_sample *sample, const struct sw_sample *other)
{
	size_t i;

	for (i = 0; i < other->count; i++) {
		if (sw_sample_add(sample, &other->items[i]) < 0)
			return -1;
	}
	return 0;
}

void sw_sample_fini(struct sw_sample *sample)
{
	while (sample->count)
		free(sample->items[--sample->count].fingerprint);
	if (sample->items)
		free(sample->items - sample->before);
	*sample = (struct sw_sample){ 0 };
}

/* Adding one turns missing into 0, which is short. */
static void pack_key(struct sw_pack *pack, const struct sw_sample_run *run)
{
	sw_pack_number(pack, run->array_job_id + 1);
	sw_pack_number(pack, run->array_task_id + 1);
	sw_pack_number(pack, run->het_job_id + 1);
	sw_pack_number(pack, run->het_component + 1);
	sw_pack_number(pack, run->uid + 1);
	sw_pack_number(pack, run->is_recorded);
}

static void unpack_key(struct sw_sample_run *run, struct sw_unpack *unpack)
{
	run->array_job_id = sw_unpack_number(unpack) - 1;
	run->array_task_id = sw_unpack_number(unpack) - 1;
	run->het_job_id = sw_unpack_number(unpack) - 1;
	run->het_component = sw_unpack_number(unpack) - 1;
	run->uid = sw_unpack_number(unpack) - 1;
	run->is_recorded = sw_unpack_number(unpack) != 0;
}

int sw_sample_write(const struct sw_sample *sample, struct sw_pack *pack)
{
	struct sw_run run;
	size_t i, j;

	sw_pack_number(pack, sample->count);
	for (i = 0; i < sample->count; i++) {
		run = sample->items[i].run;
		sw_pack_number(pack, sample->items[i].job_id);
		sw_pack_number(pack, sample->items[i].restart);
		pack_key(pack, &sample->items[i]);
		sw_pack_number(pack, run.state);
		sw_pack_number(pack, run.attempt);
		sw_pack_number(pack, run.is_lower_bound);
		for (j = 0; j < KEPT; j++)
			sw_pack_number(pack, bits_of(*number(&run, j)));
		sw_pack_text(pack, (const char *)sample->items[i].fingerprint,
			     sample->items[i].fingerprint_size);
	}
	return 0;
}

/* The bytes stay where they are: the sample makes its own copy. */
static void unpack_print(struct sw_sample_run *run, struct sw_unpack *unpack)
{
	const char *bytes = sw_unpack_text(unpack, &run->fingerprint_size);

	run->fingerprint = (uint8_t *)(uintptr_t)bytes;
	unpack->is_bad |= run->fingerprint_size > SW_FINGERPRINT_BYTES;
}

static bool read_run(struct sw_sample_run *to, struct sw_unpack *unpack,
		     bool has_prints)
{
	uint64_t state;
	size_t i;

	*to = (struct sw_sample_run){ .run = sw_run_unknown };
	to->job_id = sw_unpack_number(unpack);
	to->restart = sw_unpack_number(unpack);
	unpack_key(to, unpack);
	state = sw_unpack_number(unpack);
	to->run.attempt = (unsigned)sw_unpack_number(unpack);
	to->run.is_lower_bound = sw_unpack_number(unpack) != 0;
	for (i = 0; i < KEPT; i++)
		*number(&to->run, i) = of_bits(sw_unpack_number(unpack));
	if (has_prints)
		unpack_print(to, unpack);
	to->run.state = (enum sw_run_state)state;
	return !unpack->is_bad && state <= SW_RUN_CANCELLED;
}

int sw_sample_read(struct sw_sample *sample, struct sw_unpack *unpack,
		   bool has_prints)
{
	uint64_t count = sw_unpack_number(unpack);
	struct sw_sample_run run;

	for (; count > 0; count--) {
		errno = EINVAL;
		if (!read_run(&run, unpack, has_prints))
			return -1;
		if (sw_sample_add(sample, &run) < 0)
			return -1;
	}
	return 0;
}
