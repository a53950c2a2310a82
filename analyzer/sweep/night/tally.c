/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tallies, indexed by what their jobs have in common.  A cell is a tally of
 * jobs with everything in common: its key contains all names.
 */
#include "analyzer/sweep/night/tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_TEXTS = 4 };

static struct sw_tally *tally_of(struct sw_keyed_entry *entry)
{
	return (struct sw_tally *)entry; /* its first member */
}

/* A digit for the kind, and four NUL-terminated texts. */
static char *make_key(const struct sw_tally_names *names, size_t *size)
{
	const char *const text[KEY_TEXTS] = { names->cluster, names->name,
					      names->user, names->label };
	char *key, *to;
	size_t i;

	*size = 1 + KEY_TEXTS;
	for (i = 0; i < KEY_TEXTS; i++)
		*size += text[i] ? strlen(text[i]) : 0;
	to = key = malloc(*size);
	if (!key)
		return NULL;
	*to++ = (char)('0' + names->of);
	for (i = 0; i < KEY_TEXTS; i++)
		to = stpcpy(to, text[i] ? text[i] : "") + 1;
	return key;
}

/* Point the tally into its key; false if the key is incomplete. */
static bool take_apart(struct sw_tally *tally)
{
	const char **const text[KEY_TEXTS] = { &tally->cluster, &tally->name,
					       &tally->user, &tally->label };
	const char *at = tally->key, *end = at + tally->entry.key_size;
	size_t i;

	if (at == end || *at < '0' || *at >= '0' + SW_TALLY_OFS)
		return false;
	tally->of = (enum sw_tally_of)(*at++ - '0');
	for (i = 0; i < KEY_TEXTS; i++) {
		*text[i] = at;
		at = memchr(at, '\0', (size_t)(end - at));
		if (!at)
			return false;
		at++;
	}
	return at == end;
}

static void free_tally(struct sw_tally *tally)
{
	size_t i;

	for (i = 0; i < SW_TALLY_SKETCHES; i++)
		sw_quantiles_fini(&tally->sketch[i]);
	sw_sample_fini(&tally->sample);
	free(tally);
}

static struct sw_tally *new_tally(const char *key, size_t size)
{
	struct sw_tally *tally = sw_keyed_new(key, size, sizeof(*tally),
					      offsetof(struct sw_tally, key));

	if (!tally)
		return NULL;
	if (take_apart(tally))
		return tally;
	free(tally);
	errno = EINVAL;
	return NULL;
}

static struct sw_tally *find_or_add(struct sw_keyed *tallies, const char *key,
				    size_t size)
{
	struct sw_keyed_entry *entry = sw_keyed_find(tallies, key, size);
	struct sw_tally *tally;

	if (entry)
		return tally_of(entry);
	tally = new_tally(key, size);
	if (tally && sw_keyed_put(tallies, &tally->entry) < 0) {
		free_tally(tally);
		return NULL;
	}
	return tally;
}

/* Return NULL (ENOMEM). */
static struct sw_tally *tally_named(struct sw_keyed *tallies,
				    const struct sw_tally_names *names)
{
	size_t size;
	char *key = make_key(names, &size);
	struct sw_tally *tally = key ? find_or_add(tallies, key, size) : NULL;

	free(key);
	return tally;
}

struct sw_tally *sw_tally_find(const struct sw_keyed *tallies,
			       const struct sw_tally_names *names)
{
	struct sw_keyed_entry *entry = NULL;
	size_t size;
	char *key = make_key(names, &size);

	if (key)
		entry = sw_keyed_find(tallies, key, size);
	free(key);
	return entry ? tally_of(entry) : NULL;
}

void sw_tally_number_add(uint64_t to[SW_TALLY_NUMBERS],
			 const uint64_t other[SW_TALLY_NUMBERS],
			 enum sw_tally_number number)
{
	if (number < SW_TALLY_LATEST_JOB_ID)
		to[number] = sw_tally_plus(to[number], other[number]);
	else if (other[number] > to[number])
		to[number] = other[number];
}

void sw_tally_numbers_add(uint64_t to[SW_TALLY_NUMBERS],
			  const uint64_t other[SW_TALLY_NUMBERS])
{
	size_t i;

	for (i = 0; i < SW_TALLY_NUMBERS; i++)
		sw_tally_number_add(to, other, (enum sw_tally_number)i);
}

static int add_job(struct sw_tally *tally, const struct sw_tally_job *job)
{
	size_t i;

	sw_tally_numbers_add(tally->n, job->n);
	for (i = 0; i < SW_TALLY_SKETCHES; i++) {
		if (job->has_value[i] &&
		    sw_quantiles_add(&tally->sketch[i], job->value[i]) < 0)
			return -1;
	}
	return 0;
}

int sw_tally_add(struct sw_keyed *tallies, const struct sw_tally_names *names,
		 const struct sw_tally_job *job)
{
	struct sw_tally *tally = tally_named(tallies, names);

	return tally ? add_job(tally, job) : -1;
}

static int merge(struct sw_tally *to, const struct sw_tally *from)
{
	size_t i;

	sw_tally_numbers_add(to->n, from->n);
	for (i = 0; i < SW_TALLY_SKETCHES; i++) {
		if (sw_quantiles_merge(&to->sketch[i], &from->sketch[i]) < 0)
			return -1;
	}
	return to->of == SW_TALLY_GROUP ?
		       sw_sample_merge(&to->sample, &from->sample) : 0;
}

int sw_tallies_merge(struct sw_keyed *tallies, const struct sw_keyed *other)
{
	size_t i;

	for (i = 0; i < other->room; i++) {
		struct sw_keyed_entry *entry = other->slots[i];
		struct sw_tally *to;

		if (!entry)
			continue;
		to = find_or_add(tallies, entry->key, entry->key_size);
		if (!to || merge(to, tally_of(entry)) < 0)
			return -1;
	}
	return 0;
}

enum { CELL_TEXTS = sizeof(struct sw_tally_of_job) / sizeof(char *) };

/* Concatenate the names with their NULs, in buf or allocated; NULL (ENOMEM). */
static char *cell_key(const struct sw_tally_of_job *names, char *buf,
		      size_t room, size_t *size)
{
	const char *text[CELL_TEXTS];
	char *key, *to;
	size_t i;

	memcpy(text, names, sizeof(text));
	*size = CELL_TEXTS;
	for (i = 0; i < CELL_TEXTS; i++)
		*size += strlen(text[i]);
	to = key = *size <= room ? buf : malloc(*size);
	for (i = 0; key && i < CELL_TEXTS; i++)
		to = stpcpy(to, text[i]) + 1;
	return key;
}

int sw_tally_cells_add(struct sw_keyed *cells,
		       const struct sw_tally_of_job *names,
		       const struct sw_tally_job *job)
{
	char buf[512];
	size_t size;
	char *key = cell_key(names, buf, sizeof(buf), &size);
	struct sw_tally *cell;

	if (!key)
		return -1;
	cell = sw_keyed_need(cells, key, size, sizeof(*cell),
			     offsetof(struct sw_tally, key));
	if (key != buf)
		free(key);
	if (!cell || add_job(cell, job) < 0)
		return -1;
	return job->run ? sw_sample_add(&cell->sample, job->run) : 0;
}

static struct sw_tally_of_job names_of(const struct sw_tally *cell)
{
	const char *text[CELL_TEXTS], *at = cell->key;
	struct sw_tally_of_job names;
	size_t i;

	for (i = 0; i < CELL_TEXTS; i++) {
		text[i] = at;
		at += strlen(at) + 1;
	}
	memcpy(&names, text, sizeof(names));
	return names;
}

int sw_tally_merge_as(struct sw_keyed *tallies,
		      const struct sw_tally_names *names,
		      const struct sw_tally *tally)
{
	struct sw_tally *to = tally_named(tallies, names);

	return to ? merge(to, tally) : -1;
}

static int expand(struct sw_keyed *tallies, const struct sw_tally *cell)
{
	const struct sw_tally_of_job of = names_of(cell);
	const struct sw_tally_names all[] = {
		{ SW_TALLY_ALL, of.cluster, "", NULL, NULL },
		{ SW_TALLY_USER, of.cluster, of.user, NULL, NULL },
		{ SW_TALLY_ACCOUNT, of.cluster, of.account, NULL, NULL },
		{ SW_TALLY_PARTITION, of.cluster, of.partition, NULL, NULL },
		{ SW_TALLY_QOS, of.cluster, of.qos, NULL, NULL },
		{ SW_TALLY_GROUP, of.cluster, of.group, of.user, of.label },
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (sw_tally_merge_as(tallies, &all[i], cell) < 0)
			return -1;
	}
	return 0;
}

int sw_tallies_expand(struct sw_keyed *tallies, struct sw_keyed *cells)
{
	struct sw_tally *cell;
	size_t i;

	/* Cell by cell, so that memory is never doubled. */
	for (i = 0; i < cells->room; i++) {
		if (!cells->slots[i])
			continue;
		cell = tally_of(cells->slots[i]);
		if (expand(tallies, cell) < 0)
			return -1;
		cells->slots[i] = NULL;
		cells->count--;
		free_tally(cell);
	}
	sw_tallies_fini(cells);
	return 0;
}

struct sw_tally **sw_tallies_sorted(const struct sw_keyed *tallies)
{
	return (struct sw_tally **)sw_keyed_sorted(tallies);
}

static int write_sketch(const struct sw_quantiles *sketch,
			struct sw_pack *pack)
{
	size_t size = sw_quantiles_size_bytes(sketch);
	uint8_t *bytes = malloc(size);

	if (!bytes)
		return -1;
	sw_quantiles_write(sketch, bytes);
	sw_pack_text(pack, (const char *)bytes, size);
	free(bytes);
	return 0;
}

static int write_tally(const struct sw_tally *tally, struct sw_pack *pack)
{
	size_t i;

	sw_pack_text(pack, tally->key, tally->entry.key_size);
	for (i = 0; i < SW_TALLY_NUMBERS; i++)
		sw_pack_number(pack, tally->n[i]);
	for (i = 0; i < SW_TALLY_SKETCHES; i++) {
		if (write_sketch(&tally->sketch[i], pack) < 0)
			return -1;
	}
	return sw_sample_write(&tally->sample, pack);
}

int sw_tallies_write(const struct sw_keyed *tallies, struct sw_pack *pack)
{
	struct sw_tally **sorted = sw_tallies_sorted(tallies);
	size_t i;
	int rc = 0;

	if (!sorted)
		return -1;
	sw_pack_number(pack, tallies->count);
	for (i = 0; rc == 0 && i < tallies->count; i++)
		rc = write_tally(sorted[i], pack);
	free(sorted);
	return rc;
}

static int read_tally(struct sw_tally *tally, struct sw_unpack *unpack,
		      bool has_prints)
{
	struct sw_quantiles sketch;
	const char *bytes;
	size_t i, size;
	int rc = 0;

	for (i = 0; i < SW_TALLY_NUMBERS; i++) {
		if (has_prints || i != SW_TALLY_DEADLINE)
			tally->n[i] = sw_unpack_number(unpack);
	}
	for (i = 0; rc == 0 && i < SW_TALLY_SKETCHES; i++) {
		bytes = sw_unpack_text(unpack, &size);
		memset(&sketch, 0, sizeof(sketch));
		rc = sw_quantiles_read(&sketch, (const uint8_t *)bytes, size);
		if (rc == 0)
			tally->sketch[i] = sketch;
	}
	return rc == 0 ? sw_sample_read(&tally->sample, unpack, has_prints) :
			 rc;
}

int sw_tallies_read(struct sw_keyed *tallies, struct sw_unpack *unpack,
		    bool has_prints)
{
	struct sw_keyed read = { 0 };
	uint64_t count = sw_unpack_number(unpack);
	int rc = 0;

	for (; rc == 0 && count > 0; count--) {
		size_t size;
		const char *key = sw_unpack_text(unpack, &size);
		struct sw_tally *tally;

		errno = EINVAL;
		if (unpack->is_bad || sw_keyed_find(&read, key, size)) {
			rc = -1;
			break;
		}
		tally = find_or_add(&read, key, size);
		rc = tally ? read_tally(tally, unpack, has_prints) : -1;
	}
	if (rc == 0)
		rc = sw_tallies_merge(tallies, &read);
	sw_tallies_fini(&read);
	return rc;
}

struct filter {
	bool (*keep)(const struct sw_tally *tally, void *context);
	void *context;
};

static bool keep_or_free(struct sw_keyed_entry *entry, void *context)
{
	const struct filter *filter = context;

	if (filter->keep(tally_of(entry), filter->context))
		return true;
	free_tally(tally_of(entry));
	return false;
}

void sw_tallies_filter(struct sw_keyed *tallies,
		       bool (*keep)(const struct sw_tally *tally,
				    void *context),
		       void *context)
{
	struct filter filter = { keep, context };

	sw_keyed_filter(tallies, keep_or_free, &filter);
}

static void free_entry(struct sw_keyed_entry *entry)
{
	free_tally(tally_of(entry));
}

void sw_tallies_fini(struct sw_keyed *tallies)
{
	sw_keyed_fini(tallies, free_entry);
}
