/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interned texts: each is stored once and identified by a number. */
#ifndef SW_ANALYZER_TEXTS_H
#define SW_ANALYZER_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#define SW_TEXT_NONE UINT32_MAX

/* Zeroed: empty. */
struct sw_texts {
	/* By hash: its upper half, and the id plus 1; 0 if free. */
	uint64_t *slots;
	size_t room; /* 0 or a power of two */
	const char **by_id;
	uint32_t count;
	struct sw_text_block *blocks;
};

/* Return its id, from 0; SW_TEXT_NONE if not found. */
uint32_t sw_texts_find(const struct sw_texts *texts, const char *text);

/* Likewise, adding it if needed; SW_TEXT_NONE (errno ENOMEM). */
uint32_t sw_texts_add(struct sw_texts *texts, const char *text);

enum { SW_TEXTS_SEEN = 1024 };

struct sw_text_seen {
	const char *text;
	uint32_t id;
};

/*
 * Ids of texts by their addresses, to look up what a reader stores once and
 * repeats.  Zeroed: empty.  Valid while the texts are.
 */
struct sw_texts_seen {
	struct sw_text_seen at[SW_TEXTS_SEEN][2];
};

/* As sw_texts_add(). */
uint32_t sw_texts_add_seen(struct sw_texts *texts, struct sw_texts_seen *seen,
			   const char *text);

/* Valid as long as the table; "" for an invalid id. */
static inline const char *sw_texts_at(const struct sw_texts *texts, uint32_t id)
{
	return id < texts->count ? texts->by_id[id] : "";
}

void sw_texts_fini(struct sw_texts *texts);

#endif
