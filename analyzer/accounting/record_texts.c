/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Look up texts written by users, by run. */
#include "analyzer/accounting/record_texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/escape.h"
#include "common/grow.h"

enum { BAD_SHOWN = 60 };

/* Keys of a run of a job, or a step of it */
static const enum sw_record_field keys[] = {
	SW_RECORD_RAW_ID, SW_RECORD_CLUSTER, SW_RECORD_SUBMIT, SW_RECORD_START,
	SW_RECORD_END,
};
static const enum sw_record_field written[] = {
	SW_RECORD_ACCOUNT, SW_RECORD_COMMENT, SW_RECORD_WORK_DIR,
	SW_RECORD_NAME,
};

enum {
	KEYS = sizeof(keys) / sizeof(keys[0]),
	WRITTEN = sizeof(written) / sizeof(written[0]),
};

struct sw_record_text {
	const char *key[KEYS], *written[WRITTEN];
	bool is_asked_for, is_twice;
};

void sw_record_complain(const struct sw_records_taker *taker,
			struct sw_records_sums *sums, const char *line,
			const char *why)
{
	char shown[4 * BAD_SHOWN], begin[BAD_SHOWN], text[6 * BAD_SHOWN];

	sums->bad_lines++;
	snprintf(begin, sizeof(begin), "%s", line);
	if (taker->skip)
		taker->skip(taker->context, why, begin);
	if (taker->skip || !taker->complain)
		return;
	snprintf(text, sizeof(text), "\"%s\": %s",
		 sw_escape_terminal(shown, sizeof(shown), begin), why);
	taker->complain(taker->context, text);
}

static int compare(const void *a, const void *b)
{
	const struct sw_record_text *one = a, *two = b;
	int order = 0;
	size_t i;

	for (i = 0; order == 0 && i < KEYS; i++)
		order = strcmp(one->key[i], two->key[i]);
	return order;
}

static int add(struct sw_record_texts *texts,
	       const char *const field[SW_RECORD_FIELDS])
{
	struct sw_record_text *text;
	size_t i;

	if (sw_grow(&texts->items, texts->count, sizeof(*texts->items)) < 0)
		return -1;
	text = &texts->items[texts->count++];
	*text = (struct sw_record_text){ .is_twice = false };
	for (i = 0; i < KEYS; i++)
		text->key[i] = field[keys[i]];
	for (i = 0; i < WRITTEN; i++)
		text->written[i] = field[written[i]];
	return 0;
}

int sw_record_texts_read(struct sw_record_texts *texts,
			 struct sw_record_lines *lines,
			 const struct sw_records_taker *taker,
			 struct sw_records_sums *sums, struct sw_error *error)
{
	const char *field[SW_RECORD_FIELDS];
	int found;
	size_t i;

	*texts = (struct sw_record_texts){ .count = 0 };
	while ((found = sw_record_lines_next(lines, field)) != 0) {
		if (found < 0)
			sw_record_complain(taker, sums, field[0],
					   "fewer or more fields than a line "
					   "has: a name may hold the "
					   "delimiter");
		else if (add(texts, field) < 0)
			return sw_error_set(error, "not enough memory");
	}
	if (texts->count)
		qsort(texts->items, texts->count, sizeof(*texts->items),
		      compare);
	for (i = 1; i < texts->count; i++) {
		if (compare(&texts->items[i - 1], &texts->items[i]) == 0)
			texts->items[i - 1].is_twice =
				texts->items[i].is_twice = true;
	}
	return 0;
}

void sw_record_texts_put(struct sw_record_texts *texts,
			 const char *field[SW_RECORD_FIELDS])
{
	struct sw_record_text wanted, *found = NULL;
	size_t i;

	for (i = 0; i < KEYS; i++)
		wanted.key[i] = field[keys[i]];
	if (texts->count)
		found = bsearch(&wanted, texts->items, texts->count,
				sizeof(*texts->items), compare);
	for (i = 0; i < WRITTEN; i++)
		field[written[i]] =
			found && !found->is_twice ? found->written[i] : "";
	/* For identical ones, one is enough. */
	if (found)
		found->is_asked_for = true;
}

void sw_record_texts_check(const struct sw_record_texts *texts,
			   const struct sw_records_taker *taker,
			   struct sw_records_sums *sums)
{
	bool is_asked_for = false;
	size_t i;

	for (i = 0; i < texts->count; i++) {
		const struct sw_record_text *text = &texts->items[i];

		is_asked_for |= text->is_asked_for;
		if (i + 1 < texts->count && compare(text, text + 1) == 0)
			continue;
		if (!is_asked_for)
			sw_record_complain(taker, sums, text->key[0],
					   "a line of a job that is not listed");
		else if (text->is_twice)
			sw_record_complain(taker, sums, text->key[0],
					   "several lines have texts of it, so "
					   "none counts");
		is_asked_for = false;
	}
}

void sw_record_texts_fini(struct sw_record_texts *texts)
{
	free(texts->items);
	*texts = (struct sw_record_texts){ .count = 0 };
}
