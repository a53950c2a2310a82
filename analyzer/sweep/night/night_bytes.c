/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A serialized night: magic, version, a hash of the rest, the parts.  The hash
 * detects damage; it does not protect from anybody who can write the file.
 */
#include "analyzer/sweep/night/night.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/own_file.h"

enum { MARK_SIZE = 16, NUMBER_SIZE = 8, HEAD_SIZE = MARK_SIZE + 2 * NUMBER_SIZE };

static int add_part(struct sw_pack *pack, uint8_t *bytes, size_t size)
{
	if (!bytes)
		return -1;
	sw_pack_text(pack, (const char *)bytes, size);
	free(bytes);
	return 0;
}

static int write_nodes(const struct sw_night *night, struct sw_pack *pack)
{
	struct sw_keyed_entry **sorted = sw_keyed_sorted(&night->nodes);
	size_t i;

	if (!sorted)
		return -1;
	sw_pack_number(pack, night->nodes.count);
	for (i = 0; i < night->nodes.count; i++) {
		const struct sw_night_node *node =
			(const struct sw_night_node *)sorted[i];

		sw_pack_text(pack, node->name, node->entry.key_size);
		sw_pack_number(pack, node->had_jobs);
		sw_pack_number(pack, node->had_summaries);
		sw_pack_number(pack, node->steps);
		sw_pack_number(pack, node->recorded);
	}
	free(sorted);
	return 0;
}

static int write_body(const struct sw_night *night, struct sw_pack *pack)
{
	size_t i, size = 0;
	uint8_t *part;

	sw_pack_number(pack, night->from_seconds);
	sw_pack_number(pack, night->until_seconds);
	sw_pack_number(pack, night->shard);
	sw_pack_number(pack, night->shards);
	for (i = 0; i < SW_NIGHT_NOTES; i++)
		sw_pack_number(pack, night->notes[i]);
	part = sw_retries_write(&night->retries, &size);
	if (add_part(pack, part, size) < 0)
		return -1;
	part = sw_failures_write(&night->failures, &size);
	if (add_part(pack, part, size) < 0 || write_nodes(night, pack) < 0)
		return -1;
	return sw_tallies_write(&night->tallies, pack);
}

/* Call it when the rest is there, for its hash. */
static int write_head(uint8_t *bytes, size_t size)
{
	struct sw_pack head = { 0 };

	sw_pack_number(&head, SW_NIGHT_VERSION);
	sw_pack_number(&head, sw_keyed_hash((const char *)bytes + HEAD_SIZE,
					    size - HEAD_SIZE));
	if (!head.is_short) {
		memset(bytes, 0, MARK_SIZE);
		memcpy(bytes, SW_NIGHT_MARK, sizeof(SW_NIGHT_MARK) - 1);
		memcpy(bytes + MARK_SIZE, head.bytes, head.size);
	}
	free(head.bytes);
	return head.is_short ? -1 : 0;
}

uint8_t *sw_night_write(const struct sw_night *night, size_t *size_bytes)
{
	struct sw_pack pack = { 0 };
	size_t i;

	for (i = 0; i < HEAD_SIZE / NUMBER_SIZE; i++)
		sw_pack_number(&pack, 0);
	if (write_body(night, &pack) == 0 && !pack.is_short &&
	    write_head(pack.bytes, pack.size) == 0) {
		*size_bytes = pack.size;
		return pack.bytes;
	}
	free(pack.bytes);
	return NULL;
}

static int read_nodes(struct sw_night *night, struct sw_unpack *unpack)
{
	uint64_t count = sw_unpack_number(unpack);
	char *name;
	size_t size;
	int rc = 0;

	for (; rc == 0 && count > 0; count--) {
		const char *text = sw_unpack_text(unpack, &size);
		struct sw_night_node node = {
			.had_jobs = sw_unpack_number(unpack) != 0 };

		node.had_summaries = sw_unpack_number(unpack) != 0;
		node.steps = sw_unpack_number(unpack);
		node.recorded = sw_unpack_number(unpack);
		errno = EINVAL;
		if (unpack->is_bad || memchr(text, '\0', size))
			return -1;
		name = strndup(text, size);
		rc = name ? sw_night_add_node(night, name, &node) : -1;
		free(name);
	}
	return rc;
}

static int read_body(struct sw_night *night, struct sw_unpack *unpack,
		     uint64_t version)
{
	const char *retries, *failures;
	size_t retries_size, failures_size, i;

	night->from_seconds = sw_unpack_number(unpack);
	night->until_seconds = sw_unpack_number(unpack);
	night->shard = sw_unpack_number(unpack);
	night->shards = sw_unpack_number(unpack);
	for (i = 0; i < SW_NIGHT_NOTES; i++)
		night->notes[i] = sw_unpack_number(unpack);
	retries = sw_unpack_text(unpack, &retries_size);
	failures = sw_unpack_text(unpack, &failures_size);
	errno = EINVAL;
	if (unpack->is_bad ||
	    sw_retries_read(&night->retries, (const uint8_t *)retries,
			    retries_size) < 0 ||
	    sw_failures_read(&night->failures, (const uint8_t *)failures,
			     failures_size) < 0 ||
	    read_nodes(night, unpack) < 0)
		return -1;
	return sw_tallies_read(&night->tallies, unpack,
			       version > SW_NIGHT_VERSION_NO_PRINTS);
}

int sw_night_read(struct sw_night *night, const uint8_t *bytes,
		  size_t size_bytes)
{
	struct sw_unpack unpack = { bytes + MARK_SIZE, bytes + size_bytes,
				    false };
	uint64_t version, hash;

	errno = EINVAL;
	if (size_bytes < HEAD_SIZE || memcmp(bytes, SW_NIGHT_MARK, sizeof(SW_NIGHT_MARK) - 1))
		return -1;
	version = sw_unpack_number(&unpack);
	hash = sw_unpack_number(&unpack);
	errno = ENOTSUP;
	if (version != SW_NIGHT_VERSION &&
	    version != SW_NIGHT_VERSION_NO_PRINTS)
		return -1;
	errno = EINVAL;
	if (hash != sw_keyed_hash((const char *)unpack.at,
				  size_bytes - HEAD_SIZE))
		return -1;
	if (read_body(night, &unpack, version) < 0)
		return -1;
	errno = EINVAL;
	return unpack.is_bad || unpack.at != unpack.end ? -1 : 0;
}
