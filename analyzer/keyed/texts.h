/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts that come again and again, each kept once and known by a number. */
#ifndef SW_ANALYZER_TEXTS_H
#define SW_ANALYZER_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#define SW_TEXT_NONE UINT32_MAX

/* All zero is empty. */
struct sw_texts {
	/* By hash: its high half, and the number plus 1; all 0: a free one. */
	uint64_t *slots;
	size_t room; /* 0 or a power of two */
	const char **by_id;
	uint32_t count;
	struct sw_text_block *blocks;
};

/* Its number, from 0; SW_TEXT_NONE: it is not there. */
uint32_t sw_texts_find(const struct sw_texts *texts, const char *text);

/* The same, and it is there then; SW_TEXT_NONE (errno ENOMEM). */
uint32_t sw_texts_add(struct sw_texts *texts, const char *text);

/* Valid until the texts end; "" of a number that none has. */
static inline const char *sw_texts_at(const struct sw_texts *texts, uint32_t id)
{
	return id < texts->count ? texts->by_id[id] : "";
}

void sw_texts_fini(struct sw_texts *texts);

#endif
