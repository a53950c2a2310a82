/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lineages; merge, write and read them. */
#include "analyzer/retries/retries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/keyed/pack.h"

void sw_retries_init(struct sw_retries *retries,
		     const struct sw_retry_settings *settings)
{
	*retries = (struct sw_retries){
		.settings = settings ? *settings : sw_retry_defaults,
	};
}

static struct sw_lineage *lineage_of(struct sw_keyed_entry *entry)
{
	return (struct sw_lineage *)entry; /* its first member */
}

static struct sw_lineage *find_or_add(struct sw_retries *retries,
				      const char *key, size_t size)
{
	struct sw_keyed_entry *entry;
	struct sw_lineage *lineage;

	entry = sw_keyed_find(&retries->lineages, key, size);
	if (entry)
		return lineage_of(entry);
	lineage = sw_lineage_new(key, size);
	if (lineage && sw_keyed_put(&retries->lineages, &lineage->entry) < 0) {
		sw_lineage_free(lineage);
		return NULL;
	}
	return lineage;
}

/* Take ownership of the attempt, even on failure. */
static int put(struct sw_retries *retries, const char *key, size_t size,
	       struct sw_attempt *attempt)
{
	struct sw_lineage *lineage = find_or_add(retries, key, size);

	if (lineage && sw_lineage_add(lineage, attempt) == 0)
		return 0;
	free(attempt);
	return -1;
}

int sw_retries_add(struct sw_retries *retries, const struct sw_job_record *job)
{
	struct sw_attempt *attempt;
	size_t size;
	char *key;
	int rc = -1;

	if (!sw_attempt_is_one(job)) {
		retries->never_ran++;
		return 0;
	}
	key = sw_lineage_key(job, &size);
	if (!key)
		return -1;
	attempt = sw_attempt_new(job);
	if (attempt)
		rc = put(retries, key, size, attempt);
	free(key);
	return rc;
}

static void add_cost(uint64_t *to, uint64_t more)
{
	if (!sw_is_missing(*to) && !sw_is_missing(more))
		*to += more;
}

int sw_retries_add_part(struct sw_retries *retries,
			const struct sw_job_record *job)
{
	struct sw_job_record first = *job;
	struct sw_keyed_entry *entry;
	struct sw_attempt *attempt;
	size_t size, i;
	char *key;

	first.key.het_component = 0;
	key = sw_lineage_key(&first, &size);
	if (!key)
		return -1;
	entry = sw_keyed_find(&retries->lineages, key, size);
	free(key);
	for (i = 0; entry && i < lineage_of(entry)->count; i++) {
		attempt = lineage_of(entry)->attempts[i];
		if (attempt->n.job_id != job->key.het_job_id)
			continue;
		add_cost(&attempt->n.core_seconds,
			 sw_job_record_core_seconds(job));
		add_cost(&attempt->n.mib_seconds,
			 sw_job_record_mib_seconds(job));
		break;
	}
	return 0;
}

struct settling {
	const struct sw_retry_settings *settings;
	uint64_t until_seconds;
};

static bool settle(struct sw_keyed_entry *entry, void *context)
{
	const struct settling *settling = context;
	struct sw_lineage *lineage = lineage_of(entry);

	sw_lineage_forget(lineage, settling->until_seconds, settling->settings);
	if (lineage->count)
		return true;
	sw_lineage_free(lineage);
	return false;
}

void sw_retries_settle(struct sw_retries *retries, uint64_t until_seconds)
{
	struct settling settling = {
		.settings = &retries->settings,
		.until_seconds = until_seconds,
	};

	sw_keyed_filter(&retries->lineages, settle, &settling);
}

static int merge_lineage(struct sw_retries *retries,
			 const struct sw_lineage *from)
{
	struct sw_attempt *copy;
	size_t i;

	for (i = 0; i < from->count; i++) {
		const struct sw_attempt *attempt = from->attempts[i];

		copy = sw_attempt_make(&attempt->n, attempt->texts,
				       attempt->texts_size);
		if (!copy ||
		    put(retries, from->key, from->entry.key_size, copy) < 0)
			return -1;
	}
	return 0;
}

int sw_retries_merge(struct sw_retries *retries, const struct sw_retries *other)
{
	size_t i;
	int rc = 0;

	retries->never_ran += other->never_ran;
	for (i = 0; i < other->lineages.room && rc == 0; i++) {
		if (other->lineages.slots[i])
			rc = merge_lineage(
				retries, lineage_of(other->lineages.slots[i]));
	}
	return rc;
}

static void write_lineage(struct sw_pack *pack, struct sw_lineage *lineage,
			  const struct sw_retry_settings *settings)
{
	const struct sw_attempt *attempt;
	uint64_t numbers[SW_ATTEMPT_NUMBERS];
	size_t i, j;

	sw_lineage_order(lineage, settings);
	sw_pack_text(pack, lineage->key, lineage->entry.key_size);
	sw_pack_number(pack, lineage->count);
	for (i = 0; i < lineage->count; i++) {
		attempt = lineage->attempts[i];
		memcpy(numbers, &attempt->n, sizeof(numbers));
		for (j = 0; j < SW_ATTEMPT_NUMBERS; j++)
			sw_pack_number(pack, numbers[j]);
		sw_pack_text(pack, attempt->texts, attempt->texts_size);
	}
}

uint8_t *sw_retries_write(const struct sw_retries *retries, size_t *size_bytes)
{
	struct sw_keyed_entry **sorted = sw_keyed_sorted(&retries->lineages);
	struct sw_pack pack = { 0 };
	size_t i;

	if (!sorted)
		return NULL;
	sw_pack_number(&pack, SW_RETRIES_VERSION);
	sw_pack_number(&pack, retries->never_ran);
	sw_pack_number(&pack, retries->lineages.count);
	for (i = 0; i < retries->lineages.count; i++)
		write_lineage(&pack, lineage_of(sorted[i]), &retries->settings);
	free(sorted);
	if (pack.is_short) {
		free(pack.bytes);
		return NULL;
	}
	*size_bytes = pack.size;
	return pack.bytes;
}

static struct sw_attempt *read_attempt(struct sw_unpack *unpack)
{
	uint64_t read[SW_ATTEMPT_NUMBERS];
	struct sw_attempt_numbers numbers;
	const char *texts;
	size_t size, i;

	for (i = 0; i < SW_ATTEMPT_NUMBERS; i++)
		read[i] = sw_unpack_number(unpack);
	memcpy(&numbers, read, sizeof(numbers));
	texts = sw_unpack_text(unpack, &size);
	if (unpack->is_bad || numbers.start_seconds > numbers.end_seconds) {
		errno = EINVAL;
		return NULL;
	}
	return sw_attempt_make(&numbers, texts, size);
}

static int read_lineage(struct sw_retries *retries, struct sw_unpack *unpack)
{
	size_t size;
	const char *key = sw_unpack_text(unpack, &size);
	uint64_t count = sw_unpack_number(unpack);
	struct sw_attempt *attempt;

	for (; count > 0; count--) {
		attempt = read_attempt(unpack);
		if (!attempt || put(retries, key, size, attempt) < 0)
			return -1;
	}
	return 0;
}

int sw_retries_read(struct sw_retries *retries, const uint8_t *bytes,
		    size_t size_bytes)
{
	struct sw_unpack unpack = { .at = bytes, .end = bytes + size_bytes };
	uint64_t version = sw_unpack_number(&unpack), count;

	retries->never_ran += sw_unpack_number(&unpack);
	count = sw_unpack_number(&unpack);
	for (; count > 0 && !unpack.is_bad; count--) {
		if (version != SW_RETRIES_VERSION ||
		    read_lineage(retries, &unpack) < 0)
			break;
	}
	if (count == 0 && !unpack.is_bad && unpack.at == unpack.end &&
	    version == SW_RETRIES_VERSION)
		return 0;
	if (errno != ENOMEM)
		errno = EINVAL;
	return -1;
}

static void free_lineage(struct sw_keyed_entry *entry)
{
	sw_lineage_free(lineage_of(entry));
}

void sw_retries_fini(struct sw_retries *retries)
{
	sw_keyed_fini(&retries->lineages, free_lineage);
}
