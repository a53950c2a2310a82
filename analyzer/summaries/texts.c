/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts and their numbers. */
#include "analyzer/summaries/texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"

struct kept_text {
	struct sw_keyed_entry entry;
	uint32_t id;
	char text[];
};

uint32_t sw_texts_find(const struct sw_texts *texts, const char *text)
{
	const struct kept_text *kept = (const struct kept_text *)sw_keyed_find(
		&texts->by_text, text, strlen(text));

	return kept ? kept->id : SW_TEXT_NONE;
}

static int keep(struct sw_texts *texts, const char *text)
{
	size_t size = strlen(text);
	struct kept_text *kept;

	if (texts->count == SW_TEXT_NONE - 1) {
		errno = ENOMEM;
		return -1;
	}
	if (sw_grow(&texts->by_id, texts->count, sizeof(*texts->by_id)) < 0)
		return -1;
	kept = malloc(sizeof(*kept) + size + 1);
	if (!kept)
		return -1;
	memcpy(kept->text, text, size + 1);
	kept->entry = (struct sw_keyed_entry){kept->text, size};
	kept->id = texts->count;
	if (sw_keyed_put(&texts->by_text, &kept->entry) < 0) {
		free(kept);
		return -1;
	}
	texts->by_id[texts->count++] = kept->text;
	return 0;
}

uint32_t sw_texts_add(struct sw_texts *texts, const char *text)
{
	uint32_t id = sw_texts_find(texts, text);

	if (id != SW_TEXT_NONE)
		return id;
	return keep(texts, text) < 0 ? SW_TEXT_NONE : texts->count - 1;
}

static bool drop(struct sw_keyed_entry *entry, void *context)
{
	(void)context;
	free(entry); /* a kept text's first member */
	return false;
}

void sw_texts_fini(struct sw_texts *texts)
{
	sw_keyed_filter(&texts->by_text, drop, NULL);
	sw_keyed_fini(&texts->by_text);
	free(texts->by_id);
	*texts = (struct sw_texts){0};
}
