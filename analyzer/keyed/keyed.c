/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hash table; its internal order is never visible. */
#include "analyzer/keyed/keyed.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_FIRST = 64 };

uint64_t sw_fnv(uint64_t hash, const void *bytes, size_t size)
{
	const uint8_t *at = bytes, *end = at + size;

	for (; at < end; at++)
		hash = (hash ^ *at) * 0x100000001b3u;
	return hash;
}

uint64_t sw_keyed_hash(const char *key, size_t size)
{
	uint64_t hash = sw_fnv(SW_FNV_FIRST, key, size);

	return hash ^ hash >> 32;
}

static uint64_t load(const char *from, size_t size)
{
	uint64_t word = 0;

	memcpy(&word, from, size);
	return word;
}

/* 8 bytes at a time, times 2^64 / the golden ratio (Knuth, TAOCP 3, 6.4). */
uint64_t sw_keyed_hash_for_table(const char *key, size_t size)
{
	uint64_t hash = size;

	for (; size >= 8; size -= 8, key += 8) {
		hash = (hash ^ load(key, 8)) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	hash = (hash ^ load(key, size)) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/* Slot of the key, or the one to insert it in. */
static struct sw_keyed_entry **place(const struct sw_keyed *keyed,
				     const char *key, size_t size)
{
	size_t at = (size_t)sw_keyed_hash_for_table(key, size) &
		    (keyed->room - 1);
	struct sw_keyed_entry *entry;

	for (; (entry = keyed->slots[at]); at = (at + 1) & (keyed->room - 1)) {
		if (entry->key_size == size && !memcmp(entry->key, key, size))
			break;
	}
	return &keyed->slots[at];
}

struct sw_keyed_entry *sw_keyed_find(const struct sw_keyed *keyed,
				     const char *key, size_t key_size)
{
	return keyed->room ? *place(keyed, key, key_size) : NULL;
}

static int grow(struct sw_keyed *keyed)
{
	struct sw_keyed grown = { .count = keyed->count };
	size_t i;

	if (keyed->room > 2 * keyed->count)
		return 0;
	grown.room = keyed->room ? 2 * keyed->room : ROOM_FIRST;
	grown.slots = calloc(grown.room, sizeof(struct sw_keyed_entry *));
	if (!grown.slots)
		return -1;
	for (i = 0; i < keyed->room; i++) {
		struct sw_keyed_entry *entry = keyed->slots[i];

		if (entry)
			*place(&grown, entry->key, entry->key_size) = entry;
	}
	free(keyed->slots);
	*keyed = grown;
	return 0;
}

int sw_keyed_put(struct sw_keyed *keyed, struct sw_keyed_entry *entry)
{
	if (grow(keyed) < 0)
		return -1;
	*place(keyed, entry->key, entry->key_size) = entry;
	keyed->count++;
	return 0;
}

void *sw_keyed_new(const char *key, size_t key_size, size_t thing_size,
		   size_t key_offset)
{
	size_t size = key_offset + key_size + 1;
	char *thing = calloc(1, size > thing_size ? size : thing_size);

	if (!thing)
		return NULL;
	memcpy(thing + key_offset, key, key_size);
	*(struct sw_keyed_entry *)(void *)thing =
		(struct sw_keyed_entry){ thing + key_offset, key_size };
	return thing;
}

void *sw_keyed_need(struct sw_keyed *keyed, const char *key, size_t key_size,
		    size_t thing_size, size_t key_offset)
{
	void *thing = sw_keyed_find(keyed, key, key_size);

	if (thing)
		return thing;
	thing = sw_keyed_new(key, key_size, thing_size, key_offset);
	if (thing && sw_keyed_put(keyed, thing) < 0) {
		free(thing);
		return NULL;
	}
	return thing;
}

/* Move entries behind an empty slot up into it if needed. */
static void settle_again(struct sw_keyed *keyed, size_t at)
{
	struct sw_keyed_entry *entry;

	for (; (entry = keyed->slots[at]); at = (at + 1) & (keyed->room - 1)) {
		keyed->slots[at] = NULL;
		*place(keyed, entry->key, entry->key_size) = entry;
	}
}

void sw_keyed_filter(struct sw_keyed *keyed,
		     bool (*keep)(struct sw_keyed_entry *entry, void *context),
		     void *context)
{
	size_t i, emptied = 0;
	struct sw_keyed_entry *entry;

	for (i = 0; i < keyed->room; i++) {
		entry = keyed->slots[i];
		if (!entry || keep(entry, context))
			continue;
		keyed->slots[i] = NULL;
		emptied++;
	}
	keyed->count -= emptied;
	/* Twice: a run of full slots may wrap around the end of the table. */
	for (i = 0; emptied && i < 2 * keyed->room; i++) {
		if (!keyed->slots[i & (keyed->room - 1)])
			settle_again(keyed, (i + 1) & (keyed->room - 1));
	}
}

int sw_keyed_compare(const struct sw_keyed_entry *a,
		     const struct sw_keyed_entry *b)
{
	size_t size = a->key_size < b->key_size ? a->key_size : b->key_size;
	int order = memcmp(a->key, b->key, size);

	return order ? order
		     : (a->key_size > b->key_size) -
			       (a->key_size < b->key_size);
}

static int by_key(const void *a, const void *b)
{
	return sw_keyed_compare(*(struct sw_keyed_entry *const *)a,
				*(struct sw_keyed_entry *const *)b);
}

struct sw_keyed_entry **sw_keyed_sorted(const struct sw_keyed *keyed)
{
	struct sw_keyed_entry **sorted;
	size_t i, count = 0;

	sorted = calloc(keyed->count + 1, sizeof(struct sw_keyed_entry *));
	if (!sorted)
		return NULL;
	for (i = 0; i < keyed->room; i++) {
		if (keyed->slots[i])
			sorted[count++] = keyed->slots[i];
	}
	qsort(sorted, count, sizeof(*sorted), by_key);
	return sorted;
}

void sw_keyed_fini(struct sw_keyed *keyed,
		   void (*free_thing)(struct sw_keyed_entry *entry))
{
	int saved = errno;
	size_t i;

	for (i = 0; i < keyed->room; i++) {
		if (keyed->slots[i] && free_thing)
			free_thing(keyed->slots[i]);
		else
			free(keyed->slots[i]);
	}
	free(keyed->slots);
	*keyed = (struct sw_keyed){ 0 };
	errno = saved;
}
