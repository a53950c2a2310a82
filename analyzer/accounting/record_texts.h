/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts that users wrote, from a separate query: a text can look like a line of
 * another job, but never becomes one.
 */
#ifndef SW_ANALYZER_RECORD_TEXTS_H
#define SW_ANALYZER_RECORD_TEXTS_H

#include "analyzer/accounting/record_lines.h"
#include "analyzer/accounting/record_taker.h"

struct sw_record_text;

struct sw_record_texts {
	struct sw_record_text *items;	/* sorted by key */
	size_t count;
};

/*
 * Read all lines, whose text must outlive the texts.  Lines with missing fields
 * are reported and count as bad.  0, or -1 with *error (memory).
 */
int sw_record_texts_read(struct sw_record_texts *texts,
			 struct sw_record_lines *lines,
			 const struct sw_records_taker *taker,
			 struct sw_records_sums *sums, struct sw_error *error);

/*
 * Fill in the text fields of a line: "" if there is no line of the same run, or
 * more than one.
 */
void sw_record_texts_put(struct sw_record_texts *texts,
			 const char *field[SW_RECORD_FIELDS]);

/* Report lines of runs that were never looked up, and duplicates. */
void sw_record_texts_check(const struct sw_record_texts *texts,
			   const struct sw_records_taker *taker,
			   struct sw_records_sums *sums);
void sw_record_texts_fini(struct sw_record_texts *texts);

#endif
