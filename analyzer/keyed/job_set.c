/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of bits, found by the first bits of the jobs' IDs. */
#include "analyzer/keyed/job_set.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BITS = 12, WORD_BITS = 64, PAGE_IDS = 1 << PAGE_BITS };

struct page_key {
	uint64_t cluster, page;
};

struct sw_job_page {
	struct sw_keyed_entry entry;
	struct page_key key;
	uint64_t bits[PAGE_IDS / WORD_BITS];
};

static struct sw_job_page *find(struct sw_job_set *set, uint32_t cluster,
				uint64_t job_id)
{
	const struct page_key key = { cluster, job_id >> PAGE_BITS };
	struct sw_job_page *last = set->last;

	if (!last || memcmp(&last->key, &key, sizeof(key)))
		last = (struct sw_job_page *)sw_keyed_find(
			&set->pages, (const char *)&key, sizeof(key));
	if (last)
		set->last = last;
	return last;
}

static uint64_t *word_of(struct sw_job_page *page, uint64_t job_id)
{
	return &page->bits[job_id % PAGE_IDS / WORD_BITS];
}

int sw_job_set_add(struct sw_job_set *set, uint32_t cluster, uint64_t job_id)
{
	const struct page_key key = { cluster, job_id >> PAGE_BITS };
	struct sw_job_page *page = find(set, cluster, job_id);

	if (!page)
		page = sw_keyed_need(&set->pages, (const char *)&key,
				     sizeof(key), sizeof(*page),
				     offsetof(struct sw_job_page, key));
	if (!page)
		return -1;
	*word_of(page, job_id) |= UINT64_C(1) << job_id % WORD_BITS;
	return 0;
}

bool sw_job_set_has(struct sw_job_set *set, uint32_t cluster, uint64_t job_id)
{
	struct sw_job_page *page = find(set, cluster, job_id);

	return page && *word_of(page, job_id) >> job_id % WORD_BITS & 1;
}

void sw_job_set_fini(struct sw_job_set *set)
{
	sw_keyed_fini(&set->pages, NULL);
	*set = (struct sw_job_set){ .last = NULL };
}
