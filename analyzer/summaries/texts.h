/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts that come again and again, each kept once and known by a number. */
#ifndef SW_ANALYZER_TEXTS_H
#define SW_ANALYZER_TEXTS_H

#include <stdint.h>

#include "analyzer/retries/keyed.h"

#define SW_TEXT_NONE UINT32_MAX

/* All zero is empty. */
struct sw_texts {
	struct sw_keyed by_text;
	const char **by_id;
	uint32_t count;
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
