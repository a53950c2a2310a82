/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells by group, and the strata kept of a large group. */
#include "analyzer/failures/evidence.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL_MAX = 64 }; /* at this level nothing is kept */

static struct sw_evidence *evidence_of(struct sw_keyed_entry *entry)
{
	return (struct sw_evidence *)entry; /* its first member */
}

/* A key begins with cluster and group, which are the group's key. */
static size_t prefix_size(const char *cluster, const char *group)
{
	return strlen(cluster) + strlen(group) + 2;
}

/* Levels use the trailing zeros; finalizer of MurmurHash3. */
static uint64_t mix(uint64_t hash)
{
	hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
	hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53u;
	return hash ^ hash >> 33;
}

static bool is_kept(const struct sw_evidence *evidence, const char *request,
		    uint64_t time)
{
	uint64_t hash;

	if (evidence->level == 0)
		return true;
	hash = mix(mix(time) ^ sw_keyed_hash(request, strlen(request)));
	return evidence->level < LEVEL_MAX &&
	       !(hash & ((UINT64_C(1) << evidence->level) - 1));
}

static bool keep_cell(struct sw_keyed_entry *entry, void *context)
{
	const struct sw_failure_cell *cell = sw_cell_of(entry);

	if (is_kept(context, cell->text[SW_CELL_REQUEST], cell->numbers.time))
		return true;
	free(entry);
	return false;
}

static void rise(struct sw_evidence *evidence, uint64_t level)
{
	if (level <= evidence->level)
		return;
	evidence->level = level;
	sw_keyed_filter(&evidence->cells, keep_cell, evidence);
}

static int add(struct sw_evidence *evidence, const char *key, size_t size,
	       const struct sw_cell_sums *sums)
{
	if (sw_cell_add(&evidence->cells, key, size, sums) < 0)
		return -1;
	while (evidence->cells.count > SW_EVIDENCE_CELLS_MAX)
		rise(evidence, evidence->level + 1);
	return 0;
}

static struct sw_evidence *find_or_add(struct sw_keyed *all, const char *key,
				       size_t size)
{
	return sw_keyed_need(all, key, size, sizeof(struct sw_evidence),
			     offsetof(struct sw_evidence, key));
}

int sw_evidence_add_job(struct sw_keyed *all,
			const char *const text[SW_CELL_TEXTS],
			const struct sw_cell_numbers *numbers)
{
	static const struct sw_cell_sums one = {
		.count = 1,
		.example_job_id = SW_MISSING,
		.first_end_seconds = SW_MISSING,
	};
	size_t prefix = prefix_size(text[SW_CELL_CLUSTER], text[SW_CELL_GROUP]);
	size_t size;
	char *key = sw_cell_key(text, numbers, &size);
	struct sw_evidence *evidence =
		key ? find_or_add(all, key, prefix) : NULL;
	int rc = evidence ? 0 : -1;

	if (rc == 0 && is_kept(evidence, text[SW_CELL_REQUEST], numbers->time))
		rc = add(evidence, key, size, &one);
	free(key);
	return rc;
}

const struct sw_evidence *sw_evidence_of(const struct sw_keyed *all,
					 const struct sw_failure_cell *cell)
{
	return evidence_of(
		sw_keyed_find(all, cell->key,
			      prefix_size(cell->text[SW_CELL_CLUSTER],
					  cell->text[SW_CELL_GROUP])));
}

static int merge(struct sw_keyed *all, const struct sw_evidence *from)
{
	struct sw_evidence *to =
		find_or_add(all, from->key, from->entry.key_size);
	size_t i;

	if (!to)
		return -1;
	rise(to, from->level);
	for (i = 0; i < from->cells.room; i++) {
		const struct sw_failure_cell *cell =
			sw_cell_of(from->cells.slots[i]);

		if (cell &&
		    is_kept(to, cell->text[SW_CELL_REQUEST],
			    cell->numbers.time) &&
		    add(to, cell->key, cell->entry.key_size, &cell->sums) < 0)
			return -1;
	}
	return 0;
}

int sw_evidence_merge(struct sw_keyed *all, const struct sw_keyed *other)
{
	size_t i;

	for (i = 0; i < other->room; i++) {
		if (other->slots[i] &&
		    merge(all, evidence_of(other->slots[i])) < 0)
			return -1;
	}
	return 0;
}

static int write_one(const struct sw_evidence *evidence, struct sw_pack *pack)
{
	struct sw_keyed_entry **sorted = sw_keyed_sorted(&evidence->cells);

	if (!sorted)
		return -1;
	sw_pack_text(pack, evidence->key, evidence->entry.key_size);
	sw_pack_number(pack, evidence->level);
	sw_cells_write(&evidence->cells, sorted, pack);
	free(sorted);
	return 0;
}

int sw_evidence_write(const struct sw_keyed *all, struct sw_pack *pack)
{
	struct sw_keyed_entry **sorted = sw_keyed_sorted(all);
	size_t i;
	int rc = 0;

	if (!sorted)
		return -1;
	sw_pack_number(pack, all->count);
	for (i = 0; rc == 0 && i < all->count; i++)
		rc = write_one(evidence_of(sorted[i]), pack);
	free(sorted);
	return rc;
}

/* Reject cells of another group: they would never be found. */
static int read_cells(struct sw_evidence *evidence, struct sw_unpack *unpack)
{
	uint64_t count = sw_unpack_number(unpack);
	size_t size, prefix = evidence->entry.key_size;
	struct sw_cell_sums sums;
	const char *key;

	for (; count > 0; count--) {
		if (sw_cell_read(unpack, &key, &size, &sums) < 0)
			return -1;
		errno = EINVAL;
		if (size < prefix || memcmp(key, evidence->key, prefix) != 0 ||
		    add(evidence, key, size, &sums) < 0)
			return -1;
	}
	return 0;
}

static bool is_prefix(const char *key, size_t size)
{
	const char *end = size ? memchr(key, '\0', size) : NULL;

	return end && memchr(end + 1, '\0', size - (size_t)(end + 1 - key)) ==
			      key + size - 1;
}

static int read_all(struct sw_keyed *all, struct sw_unpack *unpack)
{
	uint64_t count = sw_unpack_number(unpack), level;
	struct sw_evidence *evidence;
	const char *key;
	size_t size;

	for (; count > 0; count--) {
		key = sw_unpack_text(unpack, &size);
		level = sw_unpack_number(unpack);
		errno = EINVAL;
		if (unpack->is_bad || level > LEVEL_MAX ||
		    !is_prefix(key, size))
			return -1;
		evidence = find_or_add(all, key, size);
		if (!evidence)
			return -1;
		rise(evidence, level);
		if (read_cells(evidence, unpack) < 0)
			return -1;
	}
	return 0;
}

int sw_evidence_read(struct sw_keyed *all, struct sw_unpack *unpack)
{
	struct sw_keyed read = { 0 };
	int rc = read_all(&read, unpack);

	if (rc == 0)
		rc = sw_evidence_merge(all, &read);
	sw_evidence_fini(&read);
	return rc;
}

static void free_evidence(struct sw_keyed_entry *entry)
{
	sw_keyed_fini(&evidence_of(entry)->cells, NULL);
	free(entry);
}

void sw_evidence_fini(struct sw_keyed *all)
{
	sw_keyed_fini(all, free_evidence);
}
