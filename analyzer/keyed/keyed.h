/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hash table with keys of bytes, and iteration in key order. */
#ifndef SW_ANALYZER_KEYED_H
#define SW_ANALYZER_KEYED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* First member of every entry, which owns the key. */
struct sw_keyed_entry {
	const char *key;
	size_t key_size;
};

/* Zeroed: empty. */
struct sw_keyed {
	struct sw_keyed_entry **slots;
	size_t count, room; /* room is 0 or a power of two */
};

/* Return NULL if not found. */
struct sw_keyed_entry *sw_keyed_find(const struct sw_keyed *keyed,
				     const char *key, size_t key_size);

/*
 * Allocate a thing of thing_size bytes, all zero but its entry and a copy of
 * the key at key_offset, with a NUL behind it.  NULL (ENOMEM).
 */
void *sw_keyed_new(const char *key, size_t key_size, size_t thing_size,
		   size_t key_offset);

/* Find the thing of a key, or add a new one.  NULL (ENOMEM). */
void *sw_keyed_need(struct sw_keyed *keyed, const char *key, size_t key_size,
		    size_t thing_size, size_t key_offset);

/* Add an entry whose key is not in the table.  0, or -1 (errno ENOMEM). */
int sw_keyed_put(struct sw_keyed *keyed, struct sw_keyed_entry *entry);

/*
 * Remove the entries for which keep() returns false after freeing them.  Never
 * fails.
 */
void sw_keyed_filter(struct sw_keyed *keyed,
		     bool (*keep)(struct sw_keyed_entry *entry, void *context),
		     void *context);

/* Allocate an array of all entries sorted by key; NULL (ENOMEM). */
struct sw_keyed_entry **sw_keyed_sorted(const struct sw_keyed *keyed);

int sw_keyed_compare(const struct sw_keyed_entry *a,
		     const struct sw_keyed_entry *b);

/*
 * FNV-1a of 64 bits (Fowler, Noll, Vo), from SW_FNV_FIRST on over
 * one or more ranges of bytes.
 */
#define SW_FNV_FIRST UINT64_C(0xcbf29ce484222325)
uint64_t sw_fnv(uint64_t hash, const void *bytes, size_t size);

/* Likewise for a key, with its high bits mixed into the low ones. */
uint64_t sw_keyed_hash(const char *key, size_t size);

/* A faster hash for internal tables only: it may change. */
uint64_t sw_keyed_hash_for_table(const char *key, size_t size);

/*
 * Free the table and all of its things, each by free_thing; NULL: by free(3).
 * Keeps errno.
 */
void sw_keyed_fini(struct sw_keyed *keyed,
		   void (*free_thing)(struct sw_keyed_entry *entry));

#endif
