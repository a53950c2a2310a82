/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells, with a key of texts and numbers. */
#include "analyzer/failures/failure_cell.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Big-endian, so that keys sort like the numbers. */
static char *put_number(char *to, uint64_t number)
{
	unsigned shift;

	for (shift = 64; shift > 0;) {
		shift -= 8;
		*to++ = (char)(number >> shift);
	}
	return to;
}

static uint64_t take_number(const char *from)
{
	uint64_t number = 0;
	size_t i;

	for (i = 0; i < 8; i++)
		number = number << 8 | (uint8_t)from[i];
	return number;
}

char *sw_cell_key(const char *const text[SW_CELL_TEXTS],
		  const struct sw_cell_numbers *numbers, size_t *size)
{
	uint64_t values[SW_CELL_NUMBERS];
	char *key, *to;
	size_t i;

	*size = SW_CELL_TEXTS + sizeof(values);
	for (i = 0; i < SW_CELL_TEXTS; i++)
		*size += strlen(text[i]);
	to = key = malloc(*size);
	if (!key)
		return NULL;
	for (i = 0; i < SW_CELL_TEXTS; i++)
		to = stpcpy(to, text[i]) + 1;
	memcpy(values, numbers, sizeof(values));
	for (i = 0; i < SW_CELL_NUMBERS; i++)
		to = put_number(to, values[i]);
	return key;
}

/* Point the cell into its key; false if the key is incomplete. */
static bool take_apart(struct sw_failure_cell *cell)
{
	uint64_t values[SW_CELL_NUMBERS];
	const char *at = cell->key, *end = cell->key + cell->entry.key_size;
	size_t i;

	for (i = 0; i < SW_CELL_TEXTS; i++) {
		cell->text[i] = at;
		at = memchr(at, '\0', (size_t)(end - at));
		if (!at)
			return false;
		at++;
	}
	if ((size_t)(end - at) != sizeof(values))
		return false;
	for (i = 0; i < SW_CELL_NUMBERS; i++)
		values[i] = take_number(at + 8 * i);
	memcpy(&cell->numbers, values, sizeof(values));
	return cell->numbers.class < SW_FAILURE_CLASSES;
}

static struct sw_failure_cell *new_cell(const char *key, size_t size)
{
	struct sw_failure_cell *cell =
		sw_keyed_new(key, size, sizeof(*cell),
			     offsetof(struct sw_failure_cell, key));

	if (!cell)
		return NULL;
	cell->sums.example_job_id = cell->sums.first_end_seconds = SW_MISSING;
	if (take_apart(cell))
		return cell;
	free(cell);
	errno = EINVAL;
	return NULL;
}

int sw_cell_add(struct sw_keyed *cells, const char *key, size_t size,
		const struct sw_cell_sums *sums)
{
	struct sw_failure_cell *cell;
	struct sw_cell_sums *to;

	cell = sw_cell_of(sw_keyed_find(cells, key, size));
	if (!cell) {
		cell = new_cell(key, size);
		if (!cell)
			return -1;
		if (sw_keyed_put(cells, &cell->entry) < 0) {
			free(cell);
			return -1;
		}
	}
	to = &cell->sums;
	to->count = sw_cell_plus(to->count, sums->count);
	to->core_seconds = sw_cell_plus(to->core_seconds, sums->core_seconds);
	to->mib_seconds = sw_cell_plus(to->mib_seconds, sums->mib_seconds);
	to->example_job_id =
		sw_min_u64(to->example_job_id, sums->example_job_id);
	to->first_end_seconds =
		sw_min_u64(to->first_end_seconds, sums->first_end_seconds);
	if (to->last_end_seconds < sums->last_end_seconds)
		to->last_end_seconds = sums->last_end_seconds;
	return 0;
}

int sw_cell_compare_causes(const struct sw_failure_cell *a,
			   const struct sw_failure_cell *b)
{
	int order = strcmp(a->text[SW_CELL_PROGRAM], b->text[SW_CELL_PROGRAM]);

	if (order == 0)
		order = strcmp(a->text[SW_CELL_MESSAGE],
			       b->text[SW_CELL_MESSAGE]);
	if (order == 0)
		order = sw_cell_order(a->numbers.class, b->numbers.class);
	if (order == 0)
		order = sw_cell_order(a->numbers.exit_code,
				      b->numbers.exit_code);
	return order ? order
		     : sw_cell_order(a->numbers.signal, b->numbers.signal);
}

void sw_cells_write(const struct sw_keyed *cells,
		    struct sw_keyed_entry *const *sorted, struct sw_pack *pack)
{
	uint64_t sums[SW_CELL_SUMS];
	size_t i, j;

	sw_pack_number(pack, cells->count);
	for (i = 0; i < cells->count; i++) {
		memcpy(sums, &sw_cell_of(sorted[i])->sums, sizeof(sums));
		sw_pack_text(pack, sorted[i]->key, sorted[i]->key_size);
		for (j = 0; j < SW_CELL_SUMS; j++)
			sw_pack_number(pack, sums[j]);
	}
}

int sw_cell_read(struct sw_unpack *unpack, const char **key, size_t *size,
		 struct sw_cell_sums *sums)
{
	uint64_t read[SW_CELL_SUMS];
	size_t i;

	*key = sw_unpack_text(unpack, size);
	for (i = 0; i < SW_CELL_SUMS; i++)
		read[i] = sw_unpack_number(unpack);
	memcpy(sums, read, sizeof(*sums));
	errno = EINVAL;
	return unpack->is_bad || sums->count == 0 ? -1 : 0;
}
